import { minute, now as serviceNow } from './clock';
import { onReturn } from './dom';

export type Drawing<Facts> = {
  signal: AbortSignal;
  /** draws once per microtask; resolves once the content is in the page, to whether the page is still open */
  soon: () => Promise<boolean>;
  /** draws after a moment, so that hundreds of news take a few drawings */
  later: () => void;
  now: () => Promise<void>;
  /** the facts of the last drawing */
  shown: () => Facts | null;
};

/** The time between drawings. In every zone, days begin at a full quarter of an hour, as most events do. */
const quarter = 15 * minute;
const moment = 150; // milliseconds

/**
 * Draws a page again at each quarter of an hour, because texts such as "tomorrow" become wrong. Also draws the page on
 * return, because timers stop while a device sleeps.
 * @param factsOf returns facts from the stores, or null if there is nothing to draw
 */
export function drawingOf<Facts>(
  signal: AbortSignal,
  factsOf: () => Facts | null,
  draw: (facts: Facts, last: Facts | null) => Promise<void>,
): Drawing<Facts> {
  let shown: Facts | null = null;
  let next: Promise<boolean> | null = null;
  let timer = 0;
  let pausing = 0;
  async function now() {
    clearTimeout(timer);
    clearTimeout(pausing);
    pausing = 0;
    const facts = signal.aborted ? null : factsOf();
    if (!facts) return;
    const last = shown;
    shown = facts;
    timer = setTimeout(soon, quarter - (serviceNow() % quarter));
    await draw(facts, last);
  }
  const soon = () =>
    (next ??= Promise.resolve().then(async () => {
      next = null;
      await now();
      return !signal.aborted;
    }));
  const later = () => void (pausing ||= setTimeout(soon, moment));
  onReturn(soon, signal);
  return { signal, soon, later, now, shown: () => shown };
}

/** Changes members of a state, and draws the page soon. */
type Setter<State> = (change?: Partial<State>) => Promise<boolean>;

export const setter =
  <State extends object>(state: State, { soon }: Drawing<unknown>): Setter<State> =>
  (change = {}) => {
    Object.assign(state, change);
    return soon();
  };
