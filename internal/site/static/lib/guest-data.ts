// What organizers' pages remember about the guests of an event; lib/event-data.ts deletes it.
import { expires, type Event } from './event-data';
import { isText, listOf } from './guards';
import { savedEvent } from './saved';
import { recall, remember } from './storage';

const isIDs = listOf(isText);

/** The number of guests the organizer has seen. */
export const seenGuests = (eventToken: string) => Number(recall(`seen.${eventToken}`));

export function sawGuests(event: Event, count: number) {
  // Another tab may have removed the event.
  if (!savedEvent(event.eventToken)) return;
  remember(`seen.${event.eventToken}`, count);
  expires(event);
}

/** The ids of the guests who are checked in. */
export function checkedIn(eventToken: string) {
  const ids = recall(`here.${eventToken}`);
  return new Set(isIDs(ids) ? ids : []);
}

/** Ticks a guest off, or takes the tick back. */
export function tick(event: Event, id: string, here: boolean) {
  const ids = checkedIn(event.eventToken);
  ids[here ? 'add' : 'delete'](id);
  remember(`here.${event.eventToken}`, ids.size > 0 && [...ids]);
  expires(event);
  return ids;
}
