import { isDetails } from '../model/event';
import { has, isFlag, isNumber, isText, maybe, type Guarded } from '../lib/guards';
import type { Child } from '../lib/dom';
import type { head } from '../lib/head';

/** The parts of app.tsx that a page uses. */
export type Page = {
  /** aborted when the page is left */
  signal: AbortSignal;
  /** the time when the page was opened, by this device's clock */
  opened: number;
  head: typeof head;
  /**
   * replaces the content unless the page was left; resolves once the content is there, after a view transition if
   * there is one; #main then gets the event `drawn`
   */
  show: (...content: Child[]) => Promise<void>;
  go: (url: string, state?: Visit) => void;
  /** sets the handler of Back and Forward; it returns true if the entry is of this page, which then stays open */
  onTraverse: (traverse: () => boolean) => void;
  fragment: URLSearchParams;
};

/** The state of a history entry. */
const isVisit = has({
  /** on an organizer's page: its secret, which the address does not contain */
  organizer: maybe(isText),
  /** whether the event has just been announced */
  created: maybe(isFlag),
  /** the event that has just moved to the event of this page */
  changed: maybe(isDetails),
  /** on an organizer's page: whether this is the history entry of the check-in */
  checkIn: maybe(isFlag),
  scroll: maybe(isNumber),
});
export type Visit = Guarded<typeof isVisit>;

export function visit(): Visit {
  const state: unknown = history.state;
  return isVisit(state) ? state : {};
}

export const amendVisit = (more: Visit, url?: string) => history.replaceState({ ...visit(), ...more }, '', url);
