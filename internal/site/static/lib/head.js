// @ts-check
import { h } from './dom.js';
import { t } from './i18n.js';

/** @param {string} name */
const meta = (name) => /** @type {HTMLMetaElement} */ (document.querySelector(`meta[name=${name}]`));

/**
 * Sets what belongs to the document rather than to the page's content.
 * @param {{ title?: string, description?: string, indexed?: boolean, canonical?: string }} page
 */
export function head({ title, description = t('site.description'), indexed = false, canonical }) {
  document.title = title ? `${title} · Turnout` : t('site.title');
  meta('description').content = description;
  meta('robots')?.remove();
  if (!indexed) document.head.append(h('meta', { name: 'robots', content: 'noindex' }));
  // The browser's own share button uses it: never a link with a secret.
  document.querySelector('link[rel=canonical]')?.remove();
  if (canonical) document.head.append(h('link', { rel: 'canonical', href: canonical }));
}

/**
 * The colour of an event's poster, of eight.
 * @param {string} eventToken
 */
export const colourOf = (eventToken) => parseInt(eventToken[0], 16) % 8;

/**
 * Sets the colour of the page and of the browser's bars.
 * @param {string} [eventToken]
 */
export function paint(eventToken) {
  document.documentElement.dataset.colour = eventToken ? String(colourOf(eventToken)) : 'home';
  tint();
}

export function tint() {
  meta('theme-color').content = getComputedStyle(/** @type {Element} */ (document.getElementById('top'))).backgroundColor;
}
