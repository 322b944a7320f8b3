// @ts-check
import { h, make } from './dom';

/** @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make(h('a', { href: url, download: name })).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Calls back when the page becomes visible again, or is restored from the back/forward
 * cache, and when the network is back.
 * @param {() => unknown} work
 * @param {AbortSignal} signal
 */
export function onReturn(work, signal) {
  document.addEventListener(
    'visibilitychange',
    () => {
      if (!document.hidden) work();
    },
    { signal },
  );
  addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (persisted) work();
    },
    { signal },
  );
  addEventListener('online', work, { signal });
}
