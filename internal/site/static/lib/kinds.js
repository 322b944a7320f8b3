// @ts-check
// The kinds of items in the outbox: how each is sent, and what its answer means.
import { cancelRSVP, createRSVP } from './api.js';
import { draft, keepDraft } from './drafts.js';
import { forget, save } from './saved.js';

/**
 * @template {import('./outbox.js').Item} One
 * @template Answer
 * @typedef {object} Kind
 * @property {(item: One, keep: (more: Partial<One>) => void) => Promise<Answer>} send asks the
 *     service, with what makes it safe to be asked again: an APIError that is final ends the item,
 *     and any other is tried again. An item of several steps keeps with keep what it has reached.
 * @property {(item: One, answer: Answer, known: boolean) => void} done keeps what the answer means,
 *     before the item is dropped. It is not known any more if another tab did so first.
 * @property {boolean} [lasts] is sent although its event was removed from this device
 * @property {boolean} [durable] is not sent where the storage does not keep it
 */

/** @typedef {import('./outbox.js').Item & { name: string, title: string, dateTime: string, timezone: string }} OfGuest */

/**
 * An RSVP as this device remembers it.
 * @param {{ eventToken: string, title: string, dateTime: string, timezone: string }} event
 * @param {{ rsvpToken: string, name: string }} rsvp
 */
export const remembered = ({ eventToken, title, dateTime, timezone }, { rsvpToken, name }) =>
  ({ eventToken, rsvpToken, name, title, dateTime, timezone });

/** The draft of a name. @param {string} eventToken */
export const nameDraft = (eventToken) => `rsvp:${eventToken}`;

/** An RSVP; its id is its Idempotency-Key. @type {Kind<OfGuest, { rsvpToken: string, name: string }>} */
const rsvp = {
  send: ({ eventToken, name, id }) => createRSVP(eventToken, name, id),
  done(item, made, known) {
    const { eventToken, name } = item;
    // It may have been withdrawn since another tab had the answer.
    if (!known) return;
    save({ rsvps: [remembered(item, made)] });
    // Another name may have been typed in the meantime.
    if (draft(nameDraft(eventToken)) === name) keepDraft(nameDraft(eventToken), null);
  },
};

/** The withdrawal of an RSVP; its id is the RSVP's token. @type {Kind<OfGuest, unknown>} */
const withdraw = {
  send: ({ eventToken, id }) => cancelRSVP(eventToken, id),
  done: ({ id }) => forget(id),
  lasts: true,
};

/** @type {Record<string, Kind<any, any>>} */
export const kinds = { rsvp, withdraw };
