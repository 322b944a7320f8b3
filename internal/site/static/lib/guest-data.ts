// What organizers' pages remember about the guests of an event; lib/event-data.ts deletes it.
import { endOf } from './events';
import { isText, listOf } from './guards';
import { savedEvent } from './saved';
import { drop, recall, remember, rememberHere } from './storage';

const isTexts = listOf(isText);

/** The number of guests the organizer has seen. */
export const seenGuests = (eventToken: string) => Number(recall(`seen.${eventToken}`));

export function sawGuests(eventToken: string, count: number) {
  // Another tab may have removed the event.
  if (savedEvent(eventToken)) remember(`seen.${eventToken}`, count, endOf(eventToken));
}

/** The names at the open door, which outlive a reload without a network; null where the door is closed. */
export function doorNames(eventToken: string) {
  const names = recall(`door.${eventToken}`);
  return isTexts(names) ? names : null;
}

export function keepDoorNames(eventToken: string, names: string[] | null) {
  if (names) rememberHere(`door.${eventToken}`, names, endOf(eventToken));
  else drop(`door.${eventToken}`);
}

/** The ids of the guests who are checked in. */
export function checkedIn(eventToken: string) {
  const ids = recall(`here.${eventToken}`);
  return new Set(isTexts(ids) ? ids : []);
}

/** Ticks a guest off, or takes the tick back. */
export function tick(eventToken: string, id: string, here: boolean) {
  const ids = checkedIn(eventToken);
  ids[here ? 'add' : 'delete'](id);
  remember(`here.${eventToken}`, ids.size > 0 && [...ids], endOf(eventToken));
}
