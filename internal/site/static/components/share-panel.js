// @ts-check
import { h } from '../lib/dom.js';
import { email, telegram, whatsApp } from '../lib/external-links.js';
import { t } from '../lib/i18n.js';
import { codePath, eventURL } from '../lib/urls.js';
import { button, copyButton, externalLink, shareButton } from './buttons.js';
import { printPoster } from './print.js';
import { message } from './share-link.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */

/** @param {string} subject @param {string} text @param {string} url */
export const messengers = (subject, text, url) => h('div', { class: 'row messengers' },
  externalLink('WhatsApp', whatsApp(text, url)), externalLink('Telegram', telegram(text, url)),
  h('a', { class: 'plain', href: email(subject, text, url) }, t('share.email')));

/**
 * The ways to share the public link of an event.
 * @param {EventDetails} event
 * @param {{ code?: boolean }} [options] code: whether to show the QR code, which the service draws
 */
export function sharePanel(event, { code = true } = {}) {
  const url = eventURL(event.eventToken);
  return h('div', { class: 'share' },
    code && h('img', { class: 'code', src: codePath(event.eventToken), alt: t('share.code'), width: 120, height: 120 }),
    h('div', { class: 'ways' },
      copyButton(t('copy.link'), url, 'primary'),
      shareButton({ title: event.title, text: message(event), url }),
      button(t('share.poster'), () => printPoster(event), 'plain')),
    messengers(event.title, message(event), url),
    h('div', { class: 'link' },
      h('label', { for: 'share-link', class: 'unseen' }, t('links.share')),
      h('input', { id: 'share-link', value: url, readonly: true, dir: 'ltr', onfocus: (/** @type {any} */ { target }) => target.select() })));
}
