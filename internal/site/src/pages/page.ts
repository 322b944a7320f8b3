import { isDetails } from '../model/event';
import { has, isFlag, isNumber, isText, maybe, type Guarded } from '../lib/guards';
import type { Child } from '../lib/dom';
import type { head } from '../lib/head';

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
