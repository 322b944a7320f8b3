// @ts-check
const path = '/worker.js';

// It would outlive the program that was tried out here, and meet the next one at this address.
const own = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The address as the Content-Security-Policy wants it, in browsers with trusted types: by the one
 * policy that it allows, which knows no other address.
 */
const trusted = () => /** @type {any} */ (globalThis).trustedTypes?.createPolicy('worker', {
  createScriptURL(/** @type {string} */ url) {
    if (url !== path) throw new TypeError(url);
    return url;
  },
}).createScriptURL(path) ?? path;

/**
 * Installs the service worker once the page has loaded. Where that fails, nothing works offline.
 * @param {() => void} serves is called when a worker takes over the page
 */
export function installWorker(serves) {
  if (!navigator.serviceWorker || own.includes(location.hostname)) return;
  navigator.serviceWorker.addEventListener('controllerchange', serves);
  addEventListener('load', async () => {
    try {
      await navigator.serviceWorker.register(trusted());
    } catch {
      // Storage is switched off or full, or the file did not load: a later visit tries again.
    }
  });
}
