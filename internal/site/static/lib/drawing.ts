/** The drawing of a page, for its parts. */
export type Drawing<Facts> = {
  signal: AbortSignal;
  /** draws in a microtask, once for all changes until then; resolves to whether the page is still open */
  soon: () => Promise<boolean>;
  now: () => void;
  /** the facts of the last drawing */
  shown: () => Facts | null;
};

/**
 * @param factsOf returns what stores know, or null if there is nothing to draw
 * @param draw called with these facts and the last ones
 */
export function drawingOf<Facts>(
  signal: AbortSignal,
  factsOf: () => Facts | null,
  draw: (facts: Facts, last: Facts | null) => void,
): Drawing<Facts> {
  let shown: Facts | null = null;
  let next: Promise<boolean> | null = null;
  function now() {
    const facts = signal.aborted ? null : factsOf();
    if (!facts) return;
    const last = shown;
    shown = facts;
    draw(facts, last);
  }
  const soon = () =>
    (next ??= Promise.resolve().then(() => {
      next = null;
      now();
      return !signal.aborted;
    }));
  return { signal, soon, now, shown: () => shown };
}

/** Changes members of a part of a page's state, and draws the page soon. */
export type Setter<State> = (change?: Partial<State>) => Promise<boolean>;

export const setter =
  <State extends object>(state: State, { soon }: Drawing<unknown>): Setter<State> =>
  (change = {}) => {
    Object.assign(state, change);
    return soon();
  };
