// @ts-check
// The kinds of items in the outbox: how each is sent, and what its answer means.
import { APIError, cancelEvent, cancelRSVP, createEvent, createRSVP, getEvent } from './api.js';
import { draft, keepDraft } from './drafts.js';
import { forget, save } from './saved.js';
import { eventURL } from './urls.js';

/**
 * @template {import('./outbox.js').Item} One
 * @template Answer
 * @typedef {object} Kind
 * @property {(item: One, keep: (more: Partial<One>) => void) => Promise<Answer>} send sends
 *     the request in a way that is safe to repeat: a final APIError ends the item, after any other
 *     it is sent again. An item of several steps stores its progress with keep.
 * @property {(item: One, answer: Answer, known: boolean) => void} done stores the result, before the
 *     item is dropped; known is false if the item was dropped already, such as by another tab
 * @property {boolean} [lasts] whether it is sent even after its event was removed from this device
 * @property {boolean} [durable] whether it is sent only if storage keeps it
 */

/** @typedef {import('./outbox.js').Item & { name: string, title: string, dateTime: string, timezone: string }} OfGuest */

/**
 * An RSVP as this device remembers it.
 * @param {{ eventToken: string, title: string, dateTime: string, timezone: string }} event
 * @param {{ rsvpToken: string, name: string }} rsvp
 */
export const remembered = ({ eventToken, title, dateTime, timezone }, { rsvpToken, name }) =>
  ({ eventToken, rsvpToken, name, title, dateTime, timezone });

/** The name of the draft of an RSVP. @param {string} eventToken */
export const nameDraft = (eventToken) => `rsvp:${eventToken}`;

/** An RSVP; its id is its Idempotency-Key. @type {Kind<OfGuest, { rsvpToken: string, name: string }>} */
const rsvp = {
  async send({ eventToken, name, id, title }, keep) {
    // Earlier versions of the site stored only the event's token.
    if (!title) keep(await getEvent(eventToken).then((event) => ({ title: event.title, dateTime: event.dateTime, timezone: event.timezone })));
    return createRSVP(eventToken, name, id);
  },
  done(item, made, known) {
    const { eventToken, name } = item;
    // Another tab had the answer first, and the RSVP may have been withdrawn since.
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

/** @typedef {import('./saved.js').SavedEvent} SavedEvent */
/** @typedef {import('./outbox.js').Item & { draft: string, body: import('./api.js').NewEvent }} Announced draft names the draft of the form */

/** An announcement; its id is its Idempotency-Key. @type {Kind<Announced, SavedEvent>} */
const announce = {
  send: ({ body, id }) => createEvent(body, id),
  done({ draft: name }, created) {
    save({ events: [created] });
    keepDraft(name, null);
  },
};

/** The name of the draft of a reason. @param {string} eventToken */
export const reasonDraft = (eventToken) => `reason:${eventToken}`;

/** @typedef {import('./outbox.js').Item & { organizerToken: string, reason: string }} Cancel */

/**
 * The cancel of an event; its id is its Idempotency-Key. The answer is the event's reason, which
 * is an earlier one if the event was already cancelled elsewhere.
 * @type {Kind<Cancel, Pick<import('./api.js').EventDetails, 'cancellationReason'>>}
 */
const cancel = {
  async send({ eventToken, organizerToken, reason, id }) {
    try {
      await cancelEvent(eventToken, organizerToken, reason, id);
      return { cancellationReason: reason || null };
    } catch (error) {
      if (!(error instanceof APIError) || error.code !== 'event-already-cancelled') throw error;
      return getEvent(eventToken);
    }
  },
  done: ({ eventToken }) => keepDraft(reasonDraft(eventToken), null),
  lasts: true,
};

/**
 * An event that replaces another one; news is what the page of the old one says besides the link.
 * @typedef {Announced & { organizerToken: string, createKey: string, cancelKey: string, news: string, begun?: boolean, created?: SavedEvent }} Change
 */

/** The name of the draft of a change. @param {string} eventToken */
export const changeDraft = (eventToken) => `change:${eventToken}`;

/**
 * The reason with which the old event is cancelled.
 * @param {Pick<Change, 'news'>} item
 * @param {SavedEvent} created
 */
export const movedReason = ({ news }, { eventToken }) => [news, eventURL(eventToken)].filter(Boolean).join('\n');

/**
 * Creates the new event, then cancels the old one. The id is the token of the old one, which can be replaced only
 * once.
 * @type {Kind<Change, SavedEvent>}
 */
const change = {
  async send(item, keep) {
    if (!item.begun) {
      // Another device may have changed or cancelled the old one since the form was opened.
      const { cancelled } = await getEvent(item.eventToken);
      if (cancelled) throw new APIError('answer', { status: 409, code: 'event-cancelled', final: true });
      keep({ begun: true });
    }
    const created = item.created ?? await createEvent(item.body, item.createKey);
    if (!item.created) {
      save({ events: [created] });
      keep({ created });
    }
    await cancelOld(item, created);
    return created;
  },
  done: ({ draft: name }) => keepDraft(name, null),
  lasts: true,
  durable: true,
};

/**
 * Cancels the old event. Even if that is refused, the new one exists.
 * @param {Change} item
 * @param {SavedEvent} created
 */
async function cancelOld(item, created) {
  const { eventToken, organizerToken, cancelKey } = item;
  try {
    await cancelEvent(eventToken, organizerToken, movedReason(item, created), cancelKey);
  } catch (error) {
    if (!(error instanceof APIError) || !error.final) throw error;
    const ended = error.status === 404 ? 'gone'
      : [409, 422].includes(error.status) ? await leadsElsewhere(eventToken, created.eventToken) : 'refused';
    if (ended) throw new APIError('answer', { status: error.status, code: `change-${ended}`, final: true });
  }
}

/**
 * Returns "" if a cancelled event links to the new one, "other" if it gives another reason, or "gone".
 * @param {string} eventToken
 * @param {string} to
 */
async function leadsElsewhere(eventToken, to) {
  try {
    const { cancellationReason } = await getEvent(eventToken);
    return cancellationReason?.includes(to) ? '' : 'other';
  } catch (error) {
    if (error instanceof APIError && error.kind === 'missing') return 'gone';
    throw error;
  }
}

/** @type {Record<string, Kind<any, any>>} */
export const kinds = { rsvp, withdraw, announce, cancel, change };
