// @ts-check
import { h } from '../lib/dom.js';
import { download } from '../lib/browser.js';
import { t } from '../lib/i18n.js';
import { fileName, linksText, sentences } from '../lib/text.js';
import { organizerURL } from '../lib/urls.js';
import { button, copyButton } from './buttons.js';

/**
 * The organizer's own link, which is never shared.
 * @param {import('../lib/api.js').EventDetails} event
 * @param {string} organizerToken
 */
export const privateLink = (event, organizerToken) => h('div', { class: 'private' },
  h('label', { for: 'organizer-link' }, t('links.private')),
  h('p', { class: 'hint', id: 'organizer-link-hint' }, sentences(t('links.warning'), h('strong', {}, t('links.forever')))),
  h('input', { id: 'organizer-link', value: organizerURL(event.eventToken, organizerToken), readonly: true, dir: 'ltr',
    'aria-describedby': 'organizer-link-hint', onfocus: (/** @type {any} */ { target }) => target.select() }),
  h('div', { class: 'row' },
    copyButton(t('copy.private'), organizerURL(event.eventToken, organizerToken)),
    button(t('links.download'), () => download(fileName(event.title, '.txt'), 'text/plain', linksText(event, organizerToken)))));
