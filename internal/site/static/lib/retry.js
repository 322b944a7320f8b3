// @ts-check
import { APIError } from './api.js';

const longest = 30_000;

/**
 * Waits before the next attempt, twice as long each time, with jitter; less when
 * the network is back or now is called.
 * @param {number} attempt
 * @param {AbortSignal} signal
 * @param {(now: () => void) => void} waiting
 * @returns {Promise<void>}
 */
const pause = (attempt, signal, waiting) => new Promise((resolve) => {
  const done = new AbortController();
  const now = () => {
    done.abort();
    resolve();
  };
  setTimeout(now, Math.min(longest, 1000 * 2 ** attempt) * (0.5 + Math.random() / 2));
  addEventListener('online', now, { signal: done.signal });
  signal.addEventListener('abort', now, { signal: done.signal });
  waiting(now);
});

/**
 * Repeats a request that may arrive more than once, until its answer is certain
 * or the signal ends it. The last answer is returned or thrown.
 * @template Answer
 * @param {() => Promise<Answer>} send
 * @param {object} options
 * @param {AbortSignal} options.signal
 * @param {(error: APIError, now: () => void) => void} [options.waiting] is told
 *     why there is no certain answer yet; now ends the wait
 * @returns {Promise<Answer>}
 */
export async function repeat(send, { signal, waiting = () => {} }) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof APIError) || !error.uncertain || signal.aborted) throw error;
      await pause(attempt, signal, (now) => waiting(error, now));
      if (signal.aborted) throw error;
    }
  }
}

/**
 * An Idempotency-Key: a random UUID. Pages that do not come over HTTPS lack
 * crypto.randomUUID.
 */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
