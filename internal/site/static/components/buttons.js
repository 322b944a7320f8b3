// @ts-check
import { announce, h } from '../lib/dom.js';
import { copy } from '../lib/browser.js';
import { t } from '../lib/i18n.js';

// Three levels: primary for the main action of a page, secondary for others, plain
// for the rest.
/** @typedef {'primary' | 'secondary' | 'plain'} Level */

/**
 * @param {import('../lib/dom.js').Child | import('../lib/dom.js').Child[]} label
 * @param {(event: Event) => unknown} onclick
 * @param {string} [className] a Level and further classes
 * @param {import('../lib/dom.js').Props} [props]
 */
export const button = (label, onclick, className = 'secondary', props = {}) =>
  h('button', { type: 'button', class: className, onclick, ...props }, label);

/**
 * A button that copies a text, and shows for two seconds whether that succeeded.
 * @param {string} label
 * @param {string | (() => string)} text
 * @param {string} [className]
 * @param {import('../lib/dom.js').Props} [props]
 * @param {() => void} [copied]
 */
export function copyButton(label, text, className = 'secondary', props = {}, copied = () => {}) {
  return button(label, async ({ currentTarget }) => {
    const self = /** @type {HTMLElement} */ (currentTarget);
    let word;
    try {
      await copy(typeof text === 'function' ? text() : text);
      copied();
      word = t('copy.done');
    } catch {
      word = t('copy.failed');
    }
    const name = self.getAttribute('aria-label');
    self.textContent = word;
    self.removeAttribute('aria-label');
    announce(word);
    self.focus();
    setTimeout(() => {
      // The button was redrawn in the meantime.
      if (self.textContent !== word) return;
      self.textContent = label;
      if (name) self.setAttribute('aria-label', name);
    }, 2000);
  }, className, props);
}

/**
 * A link to another site. Nothing is loaded from there before a click.
 * @param {string} label
 * @param {string} href
 */
export const externalLink = (label, href) => h('a', { class: 'plain', href, target: '_blank', rel: 'noopener noreferrer' }, label);

/**
 * A button for the system's share sheet; false if there is none.
 * @param {ShareData} data
 * @param {string} [label]
 * @param {string} [className]
 * @param {() => void} [shared]
 */
export const shareButton = (data, label = t('share.native'), className = 'secondary', shared = () => {}) => 'share' in navigator
  // Cancelling the sheet rejects the promise.
  && button(label, () => navigator.share(data).then(shared, () => {}), className);

/**
 * While work is under way, further calls do nothing.
 * @template {any[]} Args
 * @param {(...args: Args) => Promise<unknown>} work
 * @returns {(...args: Args) => Promise<void>}
 */
export function singleFlight(work) {
  let running = false;
  return async (...args) => {
    if (running) return;
    running = true;
    try {
      await work(...args);
    } finally {
      running = false;
    }
  };
}
