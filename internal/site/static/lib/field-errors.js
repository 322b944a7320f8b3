// @ts-check
import { t } from './i18n.js';

/**
 * The messages for the fields that the service refused. The service's own are in
 * English, so the message is that of the page's check or, if the check finds nothing,
 * a general one.
 * @param {import('./api.js').APIError} error
 * @param {Record<string, () => string>} checks by the service's names of the fields
 * @returns {Record<string, string>} by the same names; fields without a check are left out
 */
export const refusals = (error, checks) => Object.fromEntries(error.fieldErrors
  .filter(({ field }) => Object.hasOwn(checks, field)).map(({ field }) => [field, checks[field]() || meaning(field)]));

/** @param {string} field */
function meaning(field) {
  switch (field) {
    case 'dateTime': return t('check.moment');
    case 'timezone': return t('check.zone');
    default: return t('check.refused');
  }
}
