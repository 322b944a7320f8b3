// @ts-check
import { h } from '../lib/dom.js';
import { download } from '../lib/browser.js';
import { t } from '../lib/i18n.js';
import { fileName, linksText } from '../lib/files.js';
import { outlives } from '../lib/saved.js';
import { sentences } from '../lib/text.js';
import { organizerURL } from '../lib/urls.js';
import { button, copyButton, shareButton } from './buttons.js';

/**
 * The organizer's own link, which is never shared with others.
 * @typedef {object} Private
 * @property {import('../lib/api.js').EventDetails} event
 * @property {string} organizerToken
 * @property {() => void} copied called after copying, sharing or downloading
 */

/** @param {Private} link */
export const privateLink = ({ event, organizerToken, copied }) => h('div', { class: 'private' },
  h('label', { for: 'organizer-link' }, t('links.private')),
  h('p', { class: 'hint', id: 'organizer-link-hint' }, sentences(t('links.warning'), h('strong', {}, t('links.forever')))),
  h('input', { id: 'organizer-link', value: organizerURL(event.eventToken, organizerToken), readonly: true, dir: 'ltr', oncopy: copied,
    'aria-describedby': 'organizer-link-hint', onfocus: (/** @type {any} */ { target }) => target.select() }));

/** @param {Private} link */
export function waysToBackUp({ event, organizerToken, copied }) {
  const url = organizerURL(event.eventToken, organizerToken);
  return h('div', { class: 'row' },
    copyButton(t('copy.private'), url, 'secondary', {}, copied),
    shareButton({ title: event.title, text: t('links.private'), url }, t('links.send'), 'plain', copied),
    button(t('links.download'), () => {
      download(fileName(event.title, '.txt'), 'text/plain', linksText(event, organizerToken));
      copied();
    }, 'plain'));
}

/**
 * Asks to back up the link: Safari deletes a site's data after seven days without a visit, and the
 * address does not contain the secret.
 * @param {Private} link
 * @param {boolean} done whether it was backed up just now
 */
export const backupNotice = (link, done) => h('section', { class: done ? 'notice good' : outlives() ? 'notice' : 'notice bad', id: 'backup', 'aria-labelledby': 'backup-title' },
  h('h2', { id: 'backup-title' }, t('backup.title')),
  h('p', { 'aria-live': 'polite' }, done ? t('backup.done') : outlives() ? t('backup.text') : t('backup.notKept')),
  waysToBackUp(link));
