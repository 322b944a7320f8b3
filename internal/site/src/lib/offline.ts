declare global {
  /** Undefined in browsers without trusted types. */
  var trustedTypes: { createPolicy: (name: string, rules: Rules) => Rules } | undefined;
}
type Rules = { createScriptURL: (url: string) => string };

const path = '/worker.js';

// Local servers get no worker: it would outlive the server and control the next program at the same address.
export const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** The worker's trusted URL. The Content-Security-Policy allows this trusted-types policy only. */
const trusted = () =>
  globalThis.trustedTypes
    ?.createPolicy('worker', {
      createScriptURL(url: string) {
        if (url !== path) throw new TypeError(url);
        return url;
      },
    })
    .createScriptURL(path) ?? path;

/** @param serves called when the worker takes over the page */
export function installWorker(serves: () => void) {
  if (!navigator.serviceWorker || localHosts.includes(location.hostname)) return;
  navigator.serviceWorker.addEventListener('controllerchange', serves);
  addEventListener('load', async () => {
    try {
      await navigator.serviceWorker.register(trusted());
    } catch {
      // Storage is disabled or full, or the file did not load. A later visit tries again.
    }
  });
}
