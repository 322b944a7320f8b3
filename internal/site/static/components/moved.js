// @ts-check
// The panel of an event that has moved, which is loaded only then.
import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { linkify } from '../lib/linkify.js';
import { changeOf, newest, sameTitle } from '../lib/move.js';
import { phase } from '../lib/time.js';
import { eventPath } from '../lib/urls.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */

/** Of an event that is over, nothing is asked. @param {EventDetails} event */
export function question(event) {
  if (phase(newest(event)) === 'over') return t('event.closed');
  return { date: t('moved.date'), place: t('moved.place'), anew: t('moved.anew') }[changeOf(event)];
}

/** The words of the link to the new event. @param {EventDetails} event */
const see = (event) => (sameTitle(event) && changeOf(event) === 'date' ? t('moved.see') : t('moved.seeTitle', { title: newest(event).title }));

/**
 * The question about the new event, why there is one, and the way to it.
 * @param {EventDetails} event
 */
export const movedPanel = (event) => h('section', { class: 'moved', id: 'state', 'aria-labelledby': 'moved-title' },
  h('h2', { id: 'moved-title', tabindex: -1 }, question(event)),
  event.why && h('p', { class: 'user prose', dir: 'auto' }, ...linkify(event.why)),
  h('a', { class: 'primary', href: eventPath(newest(event).eventToken) }, see(event)));
