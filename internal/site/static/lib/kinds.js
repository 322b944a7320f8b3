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
  async send({ eventToken, name, id, title }, keep) {
    // Earlier versions of the site wrote down no more of the event than its token.
    if (!title) keep(await getEvent(eventToken).then((event) => ({ title: event.title, dateTime: event.dateTime, timezone: event.timezone })));
    return createRSVP(eventToken, name, id);
  },
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

/** @typedef {import('./saved.js').SavedEvent} SavedEvent */
/** @typedef {import('./outbox.js').Item & { draft: string, body: import('./api.js').NewEvent }} Announced draft is what was typed */

/** An announcement; its id is its Idempotency-Key. @type {Kind<Announced, SavedEvent>} */
const announce = {
  send: ({ body, id }) => createEvent(body, id),
  done({ draft: name }, created) {
    save({ events: [created] });
    keepDraft(name, null);
  },
};

/** The draft of a reason. @param {string} eventToken */
export const reasonDraft = (eventToken) => `reason:${eventToken}`;

/** @typedef {import('./outbox.js').Item & { organizerToken: string, reason: string }} Cancel */

/**
 * The cancel of an event; its id is its Idempotency-Key. The answer is the reason that the event
 * has: where it was cancelled elsewhere before, that one stays.
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
 * An event in the place of another; news is what the page of the old one says besides the link.
 * @typedef {Announced & { organizerToken: string, createKey: string, cancelKey: string, news: string, begun?: boolean, created?: SavedEvent }} Change
 */

/** The draft of a change. @param {string} eventToken */
export const changeDraft = (eventToken) => `change:${eventToken}`;

/**
 * The reason of the old event's cancel.
 * @param {Pick<Change, 'news'>} item
 * @param {SavedEvent} created
 */
export const movedReason = ({ news }, { eventToken }) => [news, eventURL(eventToken)].filter(Boolean).join('\n');

/**
 * The new event is created, then the old one cancelled, unless it is already. The id is the token of the old one,
 * which is changed once.
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
 * Cancels the old event; where that is refused, the new one exists all the same.
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
 * What a cancelled event says instead of where it moved, or "".
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
