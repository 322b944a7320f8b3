import type { EventDetails } from '../lib/api';
import { download, h } from '../lib/dom';
import { t } from '../lib/i18n';
import { fileName, linksText } from '../lib/files';
import { savedEvent } from '../lib/saved';
import { organizerURL } from '../lib/urls';
import { button, copyButton, fold, shareButton } from './buttons';

/**
 * The organizer's own link, which is never shared with others, and the ways to keep it: a row, or a box that asks to
 * keep it elsewhere, too. A browser may forget it, and the address does not contain the secret.
 */
export function privateLink({
  event,
  organizerToken,
  hadCopy,
  isKept,
  asks,
  copied,
}: {
  event: EventDetails;
  organizerToken: string;
  /** whether the link existed elsewhere when the page was opened */
  hadCopy: boolean;
  /** whether this browser keeps it */
  isKept: boolean;
  asks: boolean;
  /** called after copying, sharing or downloading */
  copied: () => void;
}) {
  const isCopied = !hadCopy && savedEvent(event.eventToken)?.copied;
  const url = organizerURL(event.eventToken, organizerToken);
  const ways = [
    <p aria-live="polite">{isCopied ? t('backup.done') : isKept ? t('links.warning') : t('backup.notKept')}</p>,
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
    <section class={`notice ${isCopied ? 'good' : isKept ? '' : 'bad'}`} id="backup" aria-labelledby="backup-title">
      <h2 id="backup-title">{t('backup.title')}</h2>
      {ways}
    </section>
  ) : (
    fold(
      'private',
      'line',
      [t('private.title'), isKept && !hadCopy && !isCopied && <span class="hint">{t('private.here')}</span>],
      ways,
    )
  );
}
