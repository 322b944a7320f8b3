/** Changes members of a part of a page's state. Resolves once they are drawn: to whether the page is still open. */
export type Setter<State> = (change?: Partial<State>) => Promise<boolean>;

/** Returns a function that draws a page in a microtask, once for all changes until then. */
export function drawing(signal: AbortSignal, draw: () => void) {
  let next: Promise<boolean> | null = null;
  return () =>
    (next ??= Promise.resolve().then(() => {
      next = null;
      if (!signal.aborted) draw();
      return !signal.aborted;
    }));
}

/** @param drawn what drawing has returned */
export const setter =
  <State extends object>(state: State, drawn: () => Promise<boolean>): Setter<State> =>
  (change = {}) => {
    Object.assign(state, change);
    return drawn();
  };
