// @ts-check
// What is stored about an event besides its links, for no longer than the event itself:
// drafts, ticks of the check-in, what is in the outbox. A week after its start, the service
// forgets an event.
import { keepDraft } from './drafts.js';
import { drop, items } from './outbox.js';
import { recall, rememberIn } from './storage.js';
import { closesAt } from './time.js';

const lists = ['here', 'seen', 'until', 'copied'];

/** @typedef {import('./time.js').Moment & { eventToken: string }} Event */

/** @param {Event} event of which something is stored */
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

/** @param {string} eventToken of an event that is removed from the list, or gone */
export function forgetAbout(eventToken) {
  for (const list of lists) if (recall(list)?.[eventToken]) rememberIn(list, eventToken, null);
  for (const draft of [`rsvp:${eventToken}`, `reason:${eventToken}`, `change:${eventToken}`]) if (recall('drafts')?.[draft]) keepDraft(draft, null);
}

/** Forgets what belongs to expired events. */
export function prune() {
  for (const [eventToken, until] of Object.entries(recall('until') ?? {})) {
    if (until > Date.now()) continue;
    forgetAbout(eventToken);
    for (const { id } of items(eventToken)) drop(id);
  }
  for (const { id, dateTime = '' } of items()) if (closesAt({ dateTime }) < Date.now()) drop(id);
}
