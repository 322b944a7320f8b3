// An event's data on this device besides its links are the values with a time in storage: drafts, ticks of the
// check-in, walk-ins, the names at the door, the number of guests seen, and details without names. They are deleted
// when the event expires, a week after its start.
import { download } from './dom';
import { forgetCopies } from './events';
import { drop as dropItem, unsent } from './outbox';
import { amend, copied, saved } from './saved';
import { dropTimed } from './storage';
import { closesAt, now } from './time';

const exported = [
  'events',
  'rsvps',
  'eventToken',
  'organizerToken',
  'rsvpToken',
  'name',
  'title',
  'dateTime',
  'timezone',
  'before',
];

export function exportSaved() {
  const list = saved();
  download('turnout.json', 'application/json', `${JSON.stringify(list, exported, 2)}\n`);
  for (const { eventToken } of list.events) copied(eventToken);
  for (const { rsvpToken } of list.rsvps) amend(rsvpToken, { shared: true });
}

/** Deletes the data about an event that was removed from the list. */
export function forgetAbout(eventToken: string) {
  dropTimed((_, name) => name.includes(eventToken));
}

/** Deletes the data about events that have expired by this device's clock and by the service's, and the details of events that are no longer on the list. */
export function prune() {
  const time = Math.min(Date.now(), now());
  forgetCopies();
  dropTimed((until) => until <= time);
  // Unanswered items are still sent: this device's clock may be wrong, and the service decides.
  for (const { id, refused, dateTime = '' } of unsent()) if (refused && closesAt({ dateTime }) < time) dropItem(id);
}
