// @ts-check
// What organizers' pages remember about the guests of an event; lib/event-data.js deletes it.
import { expires } from './event-data';
import { savedEvent } from './saved';
import { recall, remember } from './storage';

/** @typedef {import('./event-data').Event} Event */

/** The number of guests the organizer has seen. @param {string} eventToken */
export const seenGuests = (eventToken) => Number(recall(`seen.${eventToken}`));

/** @param {Event} event @param {number} count */
export function sawGuests(event, count) {
  // Another tab may have removed the event.
  if (!savedEvent(event.eventToken)) return;
  remember(`seen.${event.eventToken}`, count);
  expires(event);
}

/** The ids of the guests who are checked in. @param {string} eventToken @returns {Set<string>} */
export const checkedIn = (eventToken) => new Set(recall(`here.${eventToken}`));

/** Ticks a guest off, or takes the tick back. @param {Event} event @param {string} id @param {boolean} here */
export function tick(event, id, here) {
  const ids = checkedIn(event.eventToken);
  ids[here ? 'add' : 'delete'](id);
  remember(`here.${event.eventToken}`, ids.size > 0 && [...ids]);
  expires(event);
  return ids;
}
