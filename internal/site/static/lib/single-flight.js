// @ts-check

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
