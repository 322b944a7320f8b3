// @ts-check
import { h } from '../lib/dom.js';
import { email, telegram, whatsApp } from '../lib/elsewhere.js';
import { t } from '../lib/i18n.js';
import { whenIn } from '../lib/time.js';
import { codePath, eventURL } from '../lib/urls.js';
import { button, copyButton, shareButton } from './buttons.js';
import { printPoster } from './print.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */

/**
 * What is said with a link when it is sent.
 * @param {EventDetails} event
 */
export const message = (event) => `${event.title}\n${whenIn(event)}`;

/**
 * @param {string} label
 * @param {string} href
 */
const way = (label, href) => h('a', { class: 'plain', href, target: '_blank', rel: 'noopener noreferrer' }, label);

/**
 * The ways to hand on the public link of an event.
 * @param {EventDetails} event
 */
export function sharePanel(event) {
  const url = eventURL(event.eventToken);
  return h('div', { class: 'share' },
    h('img', { class: 'code', src: codePath(event.eventToken), alt: t('share.code'), width: 120, height: 120 }),
    h('div', { class: 'ways' },
      copyButton(t('copy.link'), url, 'primary'),
      shareButton({ title: event.title, text: message(event), url }),
      button(t('share.poster'), () => printPoster(event), 'plain')),
    h('div', { class: 'row messengers' },
      way('WhatsApp', whatsApp(message(event), url)),
      way('Telegram', telegram(message(event), url)),
      h('a', { class: 'plain', href: email(event.title, message(event), url) }, t('share.email'))),
    h('div', { class: 'link' },
      h('label', { for: 'share-link', class: 'unseen' }, t('links.share')),
      h('input', { id: 'share-link', value: url, readonly: true, dir: 'ltr', onfocus: (/** @type {any} */ { target }) => target.select() })));
}
