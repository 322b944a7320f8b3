import { minute, now as serviceNow } from './clock';
import { onReturn } from './dom';
import { isDetails } from './event';
import { has, isFlag, isNumber, isText, maybe, type Guarded } from './guards';
import type { Child } from './dom';
import type { head } from './head';

/** What app.tsx passes to a page. */
export type Page = {
  /** aborted when the page is left */
  signal: AbortSignal;
  /** when, by this device's clock */
  opened: number;
  head: typeof head;
  /**
   * replaces the content unless the page was left; resolves once it is there, which a view transition delays; #main
   * then gets the event `drawn`
   */
  show: (...content: Child[]) => Promise<void>;
  go: (url: string, state?: Visit) => void;
  /** sets a function for Back and Forward, which returns true if the entry is of this page: it is not opened anew */
  onTraverse: (traverse: () => boolean) => void;
  fragment: URLSearchParams;
};

export type Drawing<Facts> = {
  signal: AbortSignal;
  /** draws once per microtask; resolves to whether the page is still open, once the content is there */
  soon: () => Promise<boolean>;
  now: () => Promise<void>;
  /** of the last drawing */
  shown: () => Facts | null;
};

/** Days begin at the start of one in every zone, and so do most events. */
const quarter = 15 * minute;

/**
 * Texts such as "tomorrow" become wrong: the page is drawn again at each quarter of an hour, and on return, as timers
 * stop while a device sleeps.
 * @param factsOf returns what stores know, or null if there is nothing to draw
 */
export function drawingOf<Facts>(
  signal: AbortSignal,
  factsOf: () => Facts | null,
  draw: (facts: Facts, last: Facts | null) => Promise<void>,
): Drawing<Facts> {
  let shown: Facts | null = null;
  let next: Promise<boolean> | null = null;
  let timer = 0;
  async function now() {
    clearTimeout(timer);
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
  onReturn(soon, signal);
  return { signal, soon, now, shown: () => shown };
}

/** Changes members of a state, and draws the page soon. */
export type Setter<State> = (change?: Partial<State>) => Promise<boolean>;

export const setter =
  <State extends object>(state: State, { soon }: Drawing<unknown>): Setter<State> =>
  (change = {}) => {
    Object.assign(state, change);
    return soon();
  };

/** What an entry of the history holds. */
const isVisit = has({
  /** an organizer's page: its secret, which the address does not have */
  organizer: maybe(isText),
  /** whether the event has just been announced */
  created: maybe(isFlag),
  /** the event that has just moved to this one */
  changed: maybe(isDetails),
  /** an organizer's page: whether this entry is the check-in's */
  checkIn: maybe(isFlag),
  scroll: maybe(isNumber),
});
export type Visit = Guarded<typeof isVisit>;

export function visit(): Visit {
  const state: unknown = history.state;
  return isVisit(state) ? state : {};
}

export const amendVisit = (more: Visit, url?: string) => history.replaceState({ ...visit(), ...more }, '', url);
