// @ts-check
import { h, make } from './dom.js';

/** @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make(h('a', { href: url, download: name })).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Calls back when the page becomes visible again, or is restored from the back/forward
 * cache.
 * @param {() => unknown} work
 * @param {AbortSignal} signal
 */
export function onReturn(work, signal) {
  document.addEventListener('visibilitychange', () => { if (!document.hidden) work(); }, { signal });
  addEventListener('pageshow', ({ persisted }) => { if (persisted) work(); }, { signal });
}

/** Copies a text; throws if the browser does not allow it. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // navigator.clipboard exists in secure contexts only.
    const area = make(h('textarea', { class: 'unseen', value: text, 'aria-hidden': 'true' }));
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (!copied) throw new Error('copy');
  }
}
