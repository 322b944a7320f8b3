// @ts-check
import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { eventURL } from '../lib/urls.js';
import { copyButton, shareButton } from './buttons.js';

/**
 * The ways to send the public link of an event.
 * @param {import('../lib/api.js').EventDetails} event
 */
export const sharePanel = (event) => h('div', { class: 'share' },
  h('label', { for: 'share-link' }, t('links.share')),
  h('input', { id: 'share-link', value: eventURL(event.eventToken), readonly: true, onfocus: (/** @type {any} */ { target }) => target.select() }),
  h('div', { class: 'row' },
    copyButton(t('copy.link'), eventURL(event.eventToken), 'primary'),
    shareButton({ title: event.title, url: eventURL(event.eventToken) })));
