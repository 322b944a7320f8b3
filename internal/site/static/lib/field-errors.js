// @ts-check
import { t } from './i18n.js';

/**
 * The service's messages at fields, and the page's texts for them.
 * @type {[RegExp, (part: RegExpExecArray) => string][]}
 */
const said = [
  [/^(?:is required|must not be blank)$/, () => t('check.blank')],
  [/^must be at most (\d+) characters, but has (\d+)$/, ([, most, has]) => t('check.long', { n: Number(has) - Number(most) })],
  [/^must be an ISO 8601 date-time/, () => t('check.moment')],
  [/^must be a date and a time that exist/, () => t('check.moment')],
  [/^must be the IANA name of a time zone/, () => t('check.zone')],
];

/**
 * A message of the service in the page's language; one that is not in the list
 * stays as it is.
 * @param {string} message
 */
export function inWords(message) {
  for (const [pattern, words] of said) {
    const part = pattern.exec(message);
    if (part) return words(part);
  }
  return message;
}
