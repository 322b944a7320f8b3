// An event's data on this device besides its links: drafts, ticks of the check-in, the number of guests seen,
// and details without names. It is deleted when the event expires, a week after its start.
import { download } from './browser';
import { now } from './clock';
import { keepDraft } from './drafts';
import { forgetCopy, isKept, known, stored } from './events';
import { changeDraft, nameDraft, reasonDraft, wholeDraft } from './handlers';
import { drop as dropItem, unsent } from './outbox';
import { amend, copied, forget, saved, walkedIn } from './saved';
import { drop, namesAfter, recall, remember, rememberHere } from './storage';
import { closesAt } from './time';

const until = 'until.';

/** Records when to delete an event's data. */
export function expires(eventToken: string) {
  const event = known(eventToken)?.event;
  if (event && recall(until + eventToken) !== closesAt(event)) remember(until + eventToken, closesAt(event));
}

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

/** @param eventToken of an event that was removed from the list or is over for a week */
export function forgetAbout(eventToken: string) {
  forgetCopy(eventToken);
  for (const list of ['here.', 'seen.', until]) drop(list + eventToken);
  rememberHere(`door.${eventToken}`, null);
  for (const { rsvpToken } of walkedIn(eventToken)) forget(eventToken, rsvpToken);
  for (const draft of [nameDraft(eventToken), wholeDraft(eventToken), reasonDraft(eventToken), changeDraft(eventToken)])
    keepDraft(draft, null);
}

/** Deletes the data about events that have expired by this device's clock and by the service's, and the details of events that are no longer on the list. */
export function prune() {
  const time = Math.min(Date.now(), now());
  for (const event of stored()) {
    if (!isKept(event.eventToken)) forgetCopy(event.eventToken);
    else if (closesAt(event) <= time) forgetAbout(event.eventToken);
  }
  for (const eventToken of namesAfter(until)) if (Number(recall(until + eventToken)) <= time) forgetAbout(eventToken);
  // Unanswered items are still sent: this device's clock may be wrong, and the service decides.
  for (const { id, refused, dateTime = '' } of unsent()) if (refused && closesAt({ dateTime }) < time) dropItem(id);
}
