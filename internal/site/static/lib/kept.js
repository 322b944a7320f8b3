// @ts-check
// Data about an event that this device stores besides its links: drafts, ticks of the check-in, items
// of the outbox, and its details without the names of guests. They are deleted when the event
// expires, a week after its start.
import { keepDraft } from './drafts.js';
import { changeDraft, nameDraft, reasonDraft } from './handlers.js';
import { drop as dropItem, items } from './outbox.js';
import { savedEvent, savedRSVPs } from './saved.js';
import { drop, namesAfter, recall, remember, rememberIn } from './storage.js';
import { closesAt } from './time.js';

const lists = ['here', 'seen', 'until', 'copied'];

/** @typedef {import('./time.js').Moment & { eventToken: string }} Event */

/** Notes when the data about an event is to be deleted. @param {Event} event */
export function expires(event) {
  const until = closesAt(event);
  if (recall('until')?.[event.eventToken] !== until) rememberIn('until', event.eventToken, until);
}

/** Whether the private link of an event was copied, shared or downloaded. @param {string} eventToken */
export const wasCopied = (eventToken) => Boolean(recall('copied')?.[eventToken]);

/** @param {Event} event */
export function copied(event) {
  rememberIn('copied', event.eventToken, true);
  expires(event);
}

const copies = 'event.';

/** Whether an event is on the list of this device. @param {string} eventToken */
const isSaved = (eventToken) => Boolean(savedEvent(eventToken)) || savedRSVPs(eventToken).length > 0 || items(eventToken).length > 0;

/**
 * Stores the service's answer about an event, if the event is on the list of this device.
 * @param {import('./api.js').EventDetails} event
 * @param {number} [at] the time of the answer
 */
export function keepCopy(event, at = Date.now()) {
  if (!isSaved(event.eventToken)) return;
  remember(copies + event.eventToken, { at, event });
  expires(event);
}

/** @param {string} eventToken @returns {{ at: number, event: import('./api.js').EventDetails } | null} */
export const copyOf = (eventToken) => recall(copies + eventToken);

/** @param {string} eventToken of an event that was removed from the list or no longer exists */
export function forgetAbout(eventToken) {
  drop(copies + eventToken);
  for (const list of lists) if (recall(list)?.[eventToken]) rememberIn(list, eventToken, null);
  for (const draft of [nameDraft(eventToken), reasonDraft(eventToken), changeDraft(eventToken)]) if (recall('drafts')?.[draft]) keepDraft(draft, null);
}

/** Deletes the data about expired events, and the details of events that are no longer on the list. */
export function prune() {
  for (const eventToken of namesAfter(copies)) if (!isSaved(eventToken)) drop(copies + eventToken);
  for (const [eventToken, until] of Object.entries(recall('until') ?? {})) {
    if (until <= Date.now()) forgetAbout(eventToken);
  }
  // Unanswered items are still sent: this device's clock may be wrong, and the service decides.
  for (const { id, refused, dateTime = '' } of items()) if (refused && closesAt({ dateTime }) < Date.now()) dropItem(id);
}
