import type { EventDetails } from '../lib/api';
import { h } from '../lib/dom';
import { download } from '../lib/browser';
import { t } from '../lib/i18n';
import { fileName, linksText } from '../lib/files';
import { organizerURL } from '../lib/urls';
import { button, copyButton, shareButton } from './buttons';

/**
 * The organizer's own link, which is never shared with others, and the ways to keep it: a row, or a box that asks to
 * keep it elsewhere, too. A browser may forget it, and the address does not contain the secret.
 * @param backup whether the link exists elsewhere
 * @param isKept whether this browser keeps it
 * @param copied called after copying, sharing or downloading
 */
export function privateLink(
  {
    event,
    organizerToken,
    backup,
    isKept,
    asks,
  }: { backup: 'no' | 'now' | 'yes'; event: EventDetails; organizerToken: string; isKept: boolean; asks: boolean },
  copied: () => void,
) {
  const url = organizerURL(event.eventToken, organizerToken);
  const ways = [
    <p aria-live="polite">{backup === 'now' ? t('backup.done') : isKept ? t('links.warning') : t('backup.notKept')}</p>,
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
  return asks ? (
    <section
      class={`notice ${backup === 'now' ? 'good' : isKept ? '' : 'bad'}`}
      id="backup"
      aria-labelledby="backup-title"
    >
      <h2 id="backup-title">{t('backup.title')}</h2>
      {ways}
    </section>
  ) : (
    <details class="fold" id="private">
      <summary class="line">
        {t('private.title')}
        {isKept && backup === 'no' && <span class="hint">{t('private.here')}</span>}
      </summary>
      {ways}
    </details>
  );
}
