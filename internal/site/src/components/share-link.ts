// This module is not a part of share-panel.tsx because guests load only this module.
import { newest, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { inLine } from '../lib/text';
import { whenAnywhere } from '../model/time';
import { eventURL } from '../lib/urls';
import { copyButton, shareButton } from './buttons';
import { icon } from './icon';
import { state } from './event-words';

/**
 * The text that is sent with a link.
 * @param first the first line; without it the text ends with a question
 * @param day the day and time, in place of the date
 */
export function message(event: EventDetails, first: string = state(event), day?: string) {
  const { title, location: place, ...shown } = newest(event);
  const facts = [whenAnywhere(shown, day), inLine(place)].filter(Boolean).join(' · ');
  return [first, title, facts, !first && t('rsvp.title')].filter(Boolean).join('\n');
}

/** One button for the public link. It opens the system's share sheet, or copies the link. */
export function shareLink(event: EventDetails, { isGuest = false } = {}) {
  const { title, eventToken } = newest(event);
  return (
    shareButton({ title, text: message(event), url: eventURL(eventToken) }, [
      isGuest && icon('share'),
      t('share.native'),
    ]) || copyButton([isGuest && icon('copy'), t('event.copy')], eventURL(eventToken))
  );
}
