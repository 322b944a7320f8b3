// Kept out of share-panel.tsx, which guests need not load.
import { newest, type EventDetails } from '../lib/api';
import { t } from '../lib/i18n';
import { isComing, whenAnywhere } from '../lib/time';
import { eventURL } from '../lib/urls';
import { copyButton, shareButton } from './buttons';
import { icon } from './icon';
import { state } from './poster';

/** Who invites, and to what; of an event that is cancelled, moved or over, its state alone. */
function kicker(event: EventDetails) {
  const host = isComing(event) && event.host?.trim().replace(/\s+/g, ' ');
  return [host, state(event) || t('event.kicker')].filter(Boolean).join(' · ');
}

/** The text sent with a link. @param first its first line @param day and time instead of the date */
export function message(event: EventDetails, first: string = kicker(event), day?: string) {
  const { title, location: place, ...shown } = newest(event);
  return [first, title, [whenAnywhere(shown, day), place].filter(Boolean).join(' · ')].join('\n');
}

/** The public link in one button: the system's share sheet, or the clipboard. */
export function shareLink(event: EventDetails, { isGuest = false } = {}) {
  const { title, eventToken } = newest(event);
  return (
    shareButton({ title, text: message(event), url: eventURL(eventToken) }, [
      isGuest && icon('share'),
      t('share.native'),
    ]) || copyButton([isGuest && icon('copy'), t('event.copy')], eventURL(eventToken))
  );
}
