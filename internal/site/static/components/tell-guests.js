// @ts-check
import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { changeOf, newest } from '../lib/move.js';
import { plain } from '../lib/text.js';
import { whenAnywhere } from '../lib/time.js';
import { eventURL } from '../lib/urls.js';
import { copyButton, shareButton } from './buttons.js';
import { messengers } from './share-panel.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */

/** The changes of a moved event in words. @param {EventDetails} event */
function news(event) {
  const { title, location: place = '', ...to } = newest(event);
  const change = changeOf(event);
  if (change === 'place') return t('tell.place', { title, place });
  if (change === 'anew') return t('state.movedTitle', { title });
  const date = t('tell.date', { title, date: whenAnywhere(to) });
  return place && place !== event.location ? `${date}\n${t('change.place', { place })}` : date;
}

/**
 * The message to guests about a cancelled event, with the link to it or to the new event.
 * @param {EventDetails} event
 */
export function told(event) {
  const { eventToken, title } = newest(event);
  const url = eventURL(eventToken);
  if (event.to) {
    const text = plain([news(event), event.why, t('tell.again')].filter(Boolean).join('\n'));
    return { what: plain(t('state.movedTitle', { title })), text, url };
  }
  const what = plain(t('state.cancelledTitle', { title }));
  return { what, text: [what, event.cancellationReason].filter(Boolean).join(' – ').replaceAll('\n\n', '\n'), url };
}

/**
 * The ways to tell the guests: the service does not notify them.
 * @param {EventDetails} event
 * @param {import('../lib/dom.js').Child} [note]
 */
export function tellGuests(event, note) {
  const { what, text, url } = told(event);
  return h('section', { class: 'card', id: 'tell', 'aria-labelledby': 'tell-title' },
    h('h2', { id: 'tell-title' }, t('tell.title')), note, h('p', { class: 'hint' }, t('tell.text')),
    h('p', { class: 'user prose said', dir: 'auto' }, text, '\n', h('bdi', { dir: 'ltr' }, url)),
    h('div', { class: 'share' },
      h('div', { class: 'ways' }, copyButton(t('tell.copy'), `${text}\n${url}`, 'primary'), shareButton({ title: what, text, url })),
      messengers(what, text, url)));
}
