// Kept out of share-panel.tsx, which guests need not load.
import { newest, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { inLine } from '../lib/text';
import { whenAnywhere } from '../model/time';
import { eventURL } from '../lib/urls';
import { copyButton, shareButton } from './buttons';
import { icon } from './icon';
import { state } from './poster';

/**
 * The text sent with a link.
 * @param first its first line, else it ends with the question
 * @param day and time instead of the date
 */
export function message(event: EventDetails, first: string = state(event), day?: string) {
  const { title, location: place, ...shown } = newest(event);
  const facts = [whenAnywhere(shown, day), inLine(place)].filter(Boolean).join(' · ');
  return [first, title, facts, !first && t('rsvp.title')].filter(Boolean).join('\n');
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
