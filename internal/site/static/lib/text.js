// @ts-check
import { t } from './i18n.js';
import { dateIn, zonedTimeIn } from './time.js';
import { eventURL, organizerURL } from './urls.js';

/** @typedef {import('./api.js').EventDetails} EventDetails */

/**
 * A text without the isolation of its values.
 * @param {string} text
 */
export const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

/**
 * @param {string} title
 * @param {string} ending
 */
export function fileName(title, ending) {
  const stem = title.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  return `${[...stem].slice(0, 40).join('') || 'turnout'}${ending}`;
}

/**
 * The content of the file with the links of an event.
 * @param {EventDetails} event
 * @param {string} organizerToken
 */
export function linksText(event, organizerToken) {
  return plain([
    event.title,
    `${dateIn(event)}, ${zonedTimeIn(event)}`,
    '',
    t('links.share'), eventURL(event.eventToken),
    '',
    t('links.private'), organizerURL(event.eventToken, organizerToken), `${t('links.warning')} ${t('links.forever')}`, '',
  ].join('\n'));
}
