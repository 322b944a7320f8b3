// @ts-check
import { language, t } from './i18n.js';
import { whenAnywhere } from './time.js';
import { eventURL, organizerURL } from './urls.js';

/** @typedef {import('./api.js').EventDetails} EventDetails */

/** Whether no character of a text can be seen, as the service decides it. @param {string} text */
export const blank = (text) => !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1d159}]/u.test(text);

/** A text of t without the characters that isolate values. @param {string} text */
export const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

/** Sentences in a row; Japanese has no space between them. @param {...(string | HTMLElement)} all */
export const sentences = (...all) => all.flatMap((one, index) => (index && language !== 'ja' ? [' ', one] : [one]));

/** @param {string} title @param {string} ending */
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
    whenAnywhere(event),
    '',
    t('links.share'), eventURL(event.eventToken),
    '',
    t('links.private'), organizerURL(event.eventToken, organizerToken), sentences(t('links.warning'), t('links.forever')).join(''), '',
  ].join('\n'));
}
