// @ts-check
// An event's data on this device besides its links: drafts, ticks of the check-in, the number of guests seen,
// and details without names. It is deleted when the event expires, a week after its start.
import { download } from './browser.js';
import { now } from './clock.js';
import { forgetCopy, isKept, stored } from './events.js';
import { changeDraft, doorOf, nameDraft, reasonDraft } from './handlers.js';
import { drop as dropItem, items } from './outbox.js';
import { saved, savedEvent } from './saved.js';
import { membersOf, recallIn, rememberIn } from './storage.js';
import { closesAt } from './time.js';

/** @typedef {import('./time.js').Moment & { eventToken: string }} Event */

/** Records when to delete an event's data. @param {Event} event */
export function expires(event) {
  const until = closesAt(event);
  if (recallIn('until', event.eventToken) !== until) rememberIn('until', event.eventToken, until);
}

/** Whether the private link of an event was copied, shared or downloaded. @param {string} eventToken */
export const wasCopied = (eventToken) => Boolean(recallIn('copied', eventToken));

/** @param {Event} event */
export function copied(event) {
  rememberIn('copied', event.eventToken, true);
  expires(event);
}

/** The number of guests the organizer has seen. @param {string} eventToken */
export const seenGuests = (eventToken) => Number(recallIn('seen', eventToken));

/** @param {Event} event @param {number} count */
export function sawGuests(event, count) {
  // Another tab may have removed the event.
  if (!savedEvent(event.eventToken)) return;
  rememberIn('seen', event.eventToken, count);
  expires(event);
}

/** The ids of the guests who are checked in. @param {string} eventToken @returns {Set<string>} */
export const checkedIn = (eventToken) => new Set(recallIn('here', eventToken));

/** Ticks a guest off, or takes the tick back. @param {Event} event @param {string} id @param {boolean} here */
export function tick(event, id, here) {
  const ids = checkedIn(event.eventToken);
  ids[here ? 'add' : 'delete'](id);
  rememberIn('here', event.eventToken, ids.size > 0 && [...ids]);
  expires(event);
  return ids;
}

/**
 * The walk-ins whom this device has added, and may withdraw.
 * @param {string} eventToken
 * @returns {{ rsvpToken: string, name: string, nth: number }[]}
 */
export const walkedIn = (eventToken) => membersOf(doorOf(eventToken)).map((rsvpToken) => ({ ...recallIn(doorOf(eventToken), rsvpToken), rsvpToken }));

const exported = ['events', 'rsvps', 'eventToken', 'organizerToken', 'rsvpToken', 'name', 'title', 'dateTime', 'timezone', 'before'];

export function exportSaved() {
  const list = saved();
  download('turnout.json', 'application/json', `${JSON.stringify(list, exported, 2)}\n`);
  list.events.forEach(copied);
}

/** @param {string} eventToken of an event that was removed from the list or no longer exists */
export function forgetAbout(eventToken) {
  forgetCopy(eventToken);
  for (const list of ['here', 'seen', 'until', 'copied']) rememberIn(list, eventToken, null);
  for (const { rsvpToken } of walkedIn(eventToken)) rememberIn(doorOf(eventToken), rsvpToken, null);
  for (const draft of [nameDraft(eventToken), reasonDraft(eventToken), changeDraft(eventToken)]) rememberIn('drafts', draft, null);
}

/** Deletes the data about expired events, and the details of events that are no longer on the list. */
export function prune() {
  for (const event of stored()) {
    if (!isKept(event.eventToken)) forgetCopy(event.eventToken);
    else if (closesAt(event) <= now()) forgetAbout(event.eventToken);
  }
  for (const eventToken of membersOf('until')) if (recallIn('until', eventToken) <= now()) forgetAbout(eventToken);
  // Unanswered items are still sent: this device's clock may be wrong, and the service decides.
  for (const { id, refused, dateTime = '' } of items()) if (refused && closesAt({ dateTime }) < now()) dropItem(id);
}
