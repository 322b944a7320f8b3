// Kept out of share-panel.tsx, which guests need not load.
import type { EventDetails } from '../lib/api';
import { t } from '../lib/i18n';
import { newest } from '../lib/move';
import { whenAnywhere } from '../lib/time';
import { eventURL } from '../lib/urls';
import { copyButton, shareButton } from './buttons';
import { icon } from './icon';
import { state } from './poster';

/** The text sent with a link. @param first its first line, unless the event has a state */
export function message(event: EventDetails, first: string = t('event.kicker')) {
  const { title, location: place, ...shown } = newest(event);
  return [state(event) || first, title, whenAnywhere(shown), place].filter(Boolean).join('\n');
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
