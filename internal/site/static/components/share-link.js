// @ts-check
// Apart from share-panel.js, so that guests do not load that.
import { t } from '../lib/i18n.js';
import { whenAnywhere } from '../lib/time.js';
import { eventURL } from '../lib/urls.js';
import { copyButton, shareButton } from './buttons.js';
import { state } from './poster.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */

/** The text that is sent with a link. @param {EventDetails} event */
export const message = (event) => [state(event) || t('event.kicker'), event.title, whenAnywhere(event), event.location].filter(Boolean).join('\n');

/** The public link in one button: the system's share sheet, or the clipboard. @param {EventDetails} event */
export const shareLink = (event) => shareButton({ title: event.title, text: message(event), url: eventURL(event.eventToken) })
  || copyButton(t('event.copy'), eventURL(event.eventToken));
