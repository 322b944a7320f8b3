// @ts-check
import { t } from '../lib/i18n.js';
import { eventURL } from '../lib/urls.js';
import { copyButton, shareButton } from './buttons.js';
import { message } from './share-panel.js';

/**
 * The public link in one button: the system's share sheet, or the clipboard.
 * @param {import('../lib/api.js').EventDetails} event
 */
export const shareLink = (event) => shareButton({ title: event.title, text: message(event), url: eventURL(event.eventToken) })
  || copyButton(t('event.copy'), eventURL(event.eventToken));
