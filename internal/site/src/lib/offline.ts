declare global {
  /** Not in every browser. */
  var trustedTypes: { createPolicy: (name: string, rules: Rules) => Rules } | undefined;
}
type Rules = { createScriptURL: (url: string) => string };

const path = '/worker.js';

// A worker would outlive the local server and control whatever runs at its address next.
export const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** The Content-Security-Policy allows this policy only, and the policy this address only. */
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
      // Storage is disabled or full, or the file did not load: a later visit tries again.
    }
  });
}
