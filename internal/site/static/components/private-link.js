// @ts-check
import { h } from '../lib/dom';
import { download } from '../lib/browser';
import { t } from '../lib/i18n';
import { fileName, linksText } from '../lib/files';
import { sentences } from '../lib/text';
import { organizerURL } from '../lib/urls';
import { button, copyButton, shareButton } from './buttons';
import { icon } from './icon';

/**
 * The organizer's own link, which is never shared with others; copied is called after copying, sharing or downloading.
 * @typedef {{ event: import('../lib/api').EventDetails, organizerToken: string, copied: () => void }} Private
 */

/** What the link is for, or a text instead, and the ways to keep it. @param {Private} link @param {string} [text] */
export function privateLink({ event, organizerToken, copied }, text) {
  const url = organizerURL(event.eventToken, organizerToken);
  return [
    h('p', { 'aria-live': 'polite' }, text || sentences(t('links.warning'), h('strong', {}, t('links.forever')))),
    h(
      'div',
      { class: 'row' },
      shareButton({ title: event.title, text: t('private.title'), url }, t('links.send'), 'secondary', copied),
      copyButton(t('copy.private'), url, 'secondary', {}, copied),
      button(
        t('links.download'),
        () => {
          download(fileName(event.title, '.txt'), 'text/plain', linksText(event, organizerToken));
          copied();
        },
        'plain',
      ),
    ),
  ];
}

/**
 * Asks to keep the link elsewhere, too: a browser may forget it, and the address does not contain the secret.
 * @param {Private} link
 * @param {boolean} done whether that happened just now
 * @param {boolean} isKept whether this browser keeps it
 */
export const backupNotice = (link, done, isKept) =>
  h(
    'section',
    { class: `notice ${done ? 'good' : isKept ? '' : 'bad'}`, id: 'backup', 'aria-labelledby': 'backup-title' },
    h('h2', { id: 'backup-title' }, icon('key'), ' ', t('backup.title')),
    ...privateLink(link, done ? t('backup.done') : isKept ? '' : t('backup.notKept')),
  );
