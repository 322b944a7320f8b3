import type { EventDetails } from '../lib/api';
import { h } from '../lib/dom';
import { download } from '../lib/browser';
import { t } from '../lib/i18n';
import { fileName, linksText } from '../lib/files';
import { sentences } from '../lib/text';
import { organizerURL } from '../lib/urls';
import { button, copyButton, shareButton } from './buttons';
import { icon } from './icon';

/** The organizer's own link, which is never shared with others; copied is called after copying, sharing or downloading. */
export type Private = { event: EventDetails; organizerToken: string; copied: () => void };

/** What the link is for, or a text instead, and the ways to keep it. */
export function privateLink({ event, organizerToken, copied }: Private, text?: string) {
  const url = organizerURL(event.eventToken, organizerToken);
  return [
    <p aria-live="polite">{text || sentences(t('links.warning'), <strong>{t('links.forever')}</strong>)}</p>,
    <div class="row">
      {shareButton({ title: event.title, text: t('private.title'), url }, t('links.send'), 'secondary', copied)}
      {copyButton(t('copy.private'), url, 'secondary', {}, copied)}
      {button(
        t('links.download'),
        () => {
          download(fileName(event.title, '.txt'), 'text/plain', linksText(event, organizerToken));
          copied();
        },
        'plain',
      )}
    </div>,
  ];
}

/**
 * Asks to keep the link elsewhere, too: a browser may forget it, and the address does not contain the secret.
 * `isDone` if that happened just now, `isKept` if this browser keeps it.
 */
export const backupNotice = (link: Private, { isDone, isKept }: { isDone: boolean; isKept: boolean }) => (
  <section class={`notice ${isDone ? 'good' : isKept ? '' : 'bad'}`} id="backup" aria-labelledby="backup-title">
    <h2 id="backup-title">
      {icon('key')} {t('backup.title')}
    </h2>
    {privateLink(link, isDone ? t('backup.done') : isKept ? '' : t('backup.notKept'))}
  </section>
);
