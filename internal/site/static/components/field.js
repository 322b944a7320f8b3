// @ts-check
import { byId, focusOn, h } from '../lib/dom';
import { t } from '../lib/i18n';
import { characters } from '../lib/limits';
import { notice } from './notice';

/**
 * A label with its control, a hint, the error and, near the limit, the number of
 * characters.
 * @param {{ id: string, label: string, control: import('../lib/dom').Described, hint?: string, limit?: number,
 *   optional?: boolean, error?: string | undefined }} parts
 */
export function field({ id, label, control, hint, limit = 0, optional, error }) {
  const value = /** @type {string} */ (control.props.value);
  Object.assign(control.props, {
    id,
    'aria-describedby': [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' '),
    'aria-invalid': error ? 'true' : false,
    dir: limit && value ? 'auto' : false, // an empty field has the direction of the page
  });
  const used = limit && characters(value);
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label, optional && h('span', { class: 'optional' }, ` ${t('form.optional')}`)),
    h(
      'div',
      { class: 'control' },
      control,
      limit > 0 && h('span', { class: 'count', 'aria-hidden': 'true' }, used > limit * 0.8 ? `${used} / ${limit}` : ''),
      hint && h('p', { class: 'hint', id: `${id}-hint` }, hint),
      h('p', { class: 'error', id: `${id}-error`, hidden: !error }, error),
    ),
  );
}

/**
 * The message for a text that is too long, or "".
 * @param {string} text
 * @param {number} limit
 */
export function tooLong(text, limit) {
  const over = characters(text) - limit;
  return over > 0 ? t('check.long', { n: over }) : '';
}

/** @typedef {Record<string, string>} FieldErrors message by field */

/** Errors of a form as a whole. @param {string[]} lines */
export const problems = (lines) =>
  h(
    'div',
    { class: 'problems', 'aria-live': 'assertive' },
    lines.length > 0 && notice('bad', ...lines.map((line) => h('p', {}, line))),
  );

/** @param {string} form the form's id */
export const focusOnError = (form) =>
  focusOn(/** @type {HTMLElement | null} */ (byId(form)?.querySelector('[aria-invalid]')));
