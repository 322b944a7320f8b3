import { h, make } from './dom';

export function download(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make(<a href={url} download={name} />).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * Calls back when the page becomes visible again, or is restored from the back/forward
 * cache, and when the network is back.
 */
export function onReturn(work: () => unknown, signal: AbortSignal) {
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
