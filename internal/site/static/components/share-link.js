// @ts-check
// Kept out of share-panel.js, which guests need not load.
import { t } from '../lib/i18n.js';
import { newest } from '../lib/move.js';
import { whenAnywhere } from '../lib/time.js';
import { eventURL } from '../lib/urls.js';
import { copyButton, shareButton } from './buttons.js';
import { icon } from './icon.js';
import { state } from './poster.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */

/** The text sent with a link. @param {EventDetails} event @param {string} [first] its first line, unless the event has a state */
export function message(event, first = t('event.kicker')) {
  const { title, location: place, ...shown } = newest(event);
  return [state(event) || first, title, whenAnywhere(shown), place].filter(Boolean).join('\n');
}

/** The public link in one button: the system's share sheet, or the clipboard. @param {EventDetails} event @param {boolean} guest */
export function shareLink(event, guest) {
  const { title, eventToken } = newest(event);
  return (
    shareButton({ title, text: message(event), url: eventURL(eventToken) }, [
      guest && icon('share'),
      t('share.native'),
    ]) || copyButton([guest && icon('copy'), t('event.copy')], eventURL(eventToken))
  );
}
