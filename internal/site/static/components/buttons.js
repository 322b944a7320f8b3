// @ts-check
import { announce, byId, h } from '../lib/dom';
import { t } from '../lib/i18n';
import { confirm } from './dialog';

/** The main action of a page, others, the rest, and a row of a list. @typedef {'primary' | 'secondary' | 'plain' | 'line'} Level */

/**
 * @param {import('../lib/dom').Children} label
 * @param {(event: Event) => unknown} onclick
 * @param {string} [className] a Level and further classes
 * @param {import('../lib/dom').Props} [props]
 */
export const button = (label, onclick, className = 'secondary', props = {}) =>
  h('button', { type: 'button', class: className, onclick, ...props }, label);

/**
 * Copies a text, and shows on the button for two seconds that it did. If the browser refuses, a dialog shows the text,
 * selected. Reports whether it was copied.
 * @param {HTMLElement} self
 * @param {string} text
 */
async function copyOn(self, text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The web views of Android's apps refuse it, but allow the command.
    void confirm({
      title: t('copy.failed'),
      body: [
        h('textarea', {
          id: 'uncopied',
          rows: 4,
          readonly: true,
          dir: 'auto',
          'aria-labelledby': 'question',
          value: text,
        }),
      ],
      yes: t('outbox.dismiss'),
      level: 'primary',
    });
    const field = /** @type {HTMLTextAreaElement} */ (byId('uncopied'));
    field.select();
    if (!document.execCommand('copy')) return false;
    field.closest('dialog')?.close();
  }
  const word = t('copy.done');
  const name = self.getAttribute('aria-label');
  const content = [...self.childNodes];
  self.textContent = word;
  self.removeAttribute('aria-label');
  announce(word);
  self.focus();
  setTimeout(() => {
    // The button was redrawn in the meantime.
    if (self.textContent !== word) return;
    self.replaceChildren(...content);
    if (name) self.setAttribute('aria-label', name);
  }, 2000);
  return true;
}

/**
 * @param {import('../lib/dom').Children} label
 * @param {string | (() => string)} text
 * @param {string} [className]
 * @param {import('../lib/dom').Props} [props]
 * @param {() => void} [copied]
 */
export const copyButton = (label, text, className = 'secondary', props = {}, copied = () => {}) =>
  button(
    label,
    async ({ currentTarget }) => {
      if (await copyOn(/** @type {HTMLElement} */ (currentTarget), typeof text === 'function' ? text() : text))
        copied();
    },
    className,
    props,
  );

/**
 * A link to another site. Nothing is loaded from there before a click.
 * @param {string} label
 * @param {string} href
 */
export const externalLink = (label, href) =>
  h('a', { class: 'plain', href, target: '_blank', rel: 'noopener noreferrer' }, label);

/**
 * A button for the system's share sheet; false if there is none. If the sheet fails, the text and the link are copied.
 * @param {ShareData} data
 * @param {import('../lib/dom').Children} [label]
 * @param {string} [className]
 * @param {() => void} [shared]
 */
export const shareButton = (data, label = t('share.native'), className = 'secondary', shared = () => {}) =>
  'share' in navigator &&
  button(
    label,
    async ({ currentTarget }) => {
      const self = /** @type {HTMLElement} */ (currentTarget);
      try {
        await navigator.share(data);
      } catch (error) {
        const closed = /** @type {Error} */ (error).name === 'AbortError';
        if (closed || !(await copyOn(self, [data.text, data.url].filter(Boolean).join('\n')))) return;
      }
      shared();
    },
    className,
  );
