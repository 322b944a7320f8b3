// @ts-check
import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { plain } from '../lib/text.js';
import { eventURL } from '../lib/urls.js';
import { copyButton, shareButton } from './buttons.js';
import { moved } from './poster.js';
import { messengers } from './share-panel.js';

/** @typedef {Pick<import('../lib/api.js').EventDetails, 'eventToken' | 'title' | 'cancellationReason'>} Cancelled */

/**
 * The message to guests about a cancelled event, with the link to it or to the event that replaces
 * it. In a reason, a blank line separates why the event was replaced from what is new.
 * @param {Cancelled} event
 */
export function told(event) {
  const { token, rest } = moved(event);
  const what = plain(t('state.cancelledTitle', { title: event.title }));
  const why = !token || rest.includes('\n\n');
  const text = [what, rest].filter(Boolean).join(why ? ' – ' : '\n').replaceAll('\n\n', '\n');
  return { what, text, url: eventURL(token || event.eventToken) };
}

/**
 * The ways to tell the guests: the service does not notify them.
 * @param {Cancelled} event
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
