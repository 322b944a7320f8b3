const longest = 5_000; // milliseconds

/**
 * Takes a lock, and resolves to a function that frees the lock. With `ifAvailable`, resolves to null if another tab has
 * the lock. After five seconds, resolves as if the lock were free, because a suspended tab keeps its locks, and a page
 * from the back/forward cache may never get a lock. Without locks, does so at once: pages without HTTPS have no locks,
 * and browsers that block site data refuse locks.
 */
export const takeLock = (name: string, options: { ifAvailable?: boolean } = {}) =>
  new Promise<(() => void) | null>((resolve) => {
    let isOver = false;
    const end = () => {
      isOver = true;
      resolve(() => {});
    };
    setTimeout(end, longest);
    const hold = (lock: unknown) => (lock && !isOver ? new Promise<void>((free) => resolve(free)) : resolve(null));
    const request = async () => navigator.locks.request(name, options, hold);
    request().catch(end);
  });
