// What the entries of the history hold besides their addresses.
import { isDetails } from './api';
import { has, isFlag, isNumber, isText, maybe, type Guarded } from './guards';

const isVisit = has({
  /** an organizer's page: its secret, which the address does not have */
  organizer: maybe(isText),
  /** whether the event has just been announced */
  created: maybe(isFlag),
  /** the event that has just moved to this one */
  changed: maybe(isDetails),
  /** an organizer's page: whether this entry is the door's */
  door: maybe(isFlag),
  scroll: maybe(isNumber),
});
export type Visit = Guarded<typeof isVisit>;

export function visit(): Visit {
  const state: unknown = history.state;
  return isVisit(state) ? state : {};
}

export const amendVisit = (more: Visit, url?: string) => history.replaceState({ ...visit(), ...more }, '', url);
