// @ts-check
// How the items of the outbox are sent, and what their answers mean, by kind.
import { APIError, cancelEvent, cancelRSVP, createEvent, createRSVP, getEvent } from './api';
import { draft, keepDraft } from './drafts';
import { answered, forget, save, savedRSVPs } from './saved';
import { drop, recall, remember } from './storage';
import { eventURL } from './urls';

/** @typedef {import('./outbox').Common} Common */
/** @typedef {RSVP | Retraction | Withdrawal | WalkIn | WalkOut | Announcement | Cancel | Change} Item */

/** An answer, as far as pages need it. @typedef {{ created?: SavedEvent, cancellationReason?: string | null }} Answer */
/**
 * Sends an item in a way that is safe to repeat, stores the result, and resolves to the answer. A final
 * APIError ends the item; after any other it is sent again. An item of several steps stores its
 * progress with keep, which also takes over what another tab has stored.
 * @template {Common} One
 * @typedef {(item: One, stored: { keep: (more: Partial<Change>) => void, read: () => Item | null, write: (item: Item) => void }) => Promise<Answer | void>} Handler
 */

/** @typedef {Common & { name: string, title: string, dateTime: string, timezone: string }} OfGuest */

/**
 * An RSVP as this device remembers it.
 * @param {{ eventToken: string, title: string, dateTime: string, timezone: string }} event
 * @param {{ rsvpToken: string, name: string }} rsvp
 */
export const remembered = ({ eventToken, title, dateTime, timezone }, { rsvpToken, name }) => ({
  eventToken,
  rsvpToken,
  name,
  title,
  dateTime,
  timezone,
});

/** The name of the draft of an RSVP. @param {string} eventToken */
export const nameDraft = (eventToken) => `rsvp:${eventToken}`;

/** The beginning of the names of the walk-ins whom this device has added at the door of an event, before their tokens. @param {string} eventToken */
export const doorOf = (eventToken) => `door.${eventToken}.`;

/** Whether an item is shown at the door only. @param {{ kind: string }} item */
export const ofDoor = ({ kind }) => kind === 'walk-in' || kind === 'walk-out';

/** @typedef {OfGuest & { kind: 'rsvp' }} RSVP */
/** @typedef {OfGuest & { kind: 'walk-in', nth: number }} WalkIn nth of the guests with this name, none of this device */
/** An RSVP; its id is its Idempotency-Key. @type {Handler<RSVP | WalkIn>} */
async function rsvp(item, { read, write }) {
  const { kind, eventToken, name, id } = item;
  const made = await createRSVP(eventToken, name, id);
  const { rsvpToken } = made;
  const now = read();
  if (now?.kind === kind && item.kind === 'walk-in') {
    remember(doorOf(eventToken) + rsvpToken, { name, nth: item.nth });
  } else if (now?.kind === kind) {
    save({ rsvps: [remembered(item, made)] });
    answered(id);
    // Another name may have been typed in the meantime.
    if (draft(nameDraft(eventToken)) === name) keepDraft(nameDraft(eventToken), null);
  } else if (
    !now &&
    !recall(doorOf(eventToken) + rsvpToken) &&
    !savedRSVPs(eventToken).some((saved) => saved.rsvpToken === rsvpToken)
  ) {
    // No other tab had the answer first: nothing on this device knows of the guest any more.
    write({ ...item, kind: 'retract', hidden: true });
  }
}

/** @typedef {OfGuest & { kind: 'retract' }} Retraction */
/**
 * Withdraws an RSVP whose answer is missing: its request is repeated for the token. A refusal means
 * that the guest is not on the list.
 * @type {Handler<Retraction>}
 */
async function retract({ eventToken, name, id }) {
  try {
    const { rsvpToken } = await createRSVP(eventToken, name, id);
    await cancelRSVP(eventToken, rsvpToken);
    forget(eventToken, rsvpToken); // another tab may have saved it at the same moment
    answered(id);
  } catch (error) {
    if (!(error instanceof APIError) || !error.final) throw error;
  }
}

/** @typedef {OfGuest & { kind: 'withdraw' }} Withdrawal */
/** @typedef {OfGuest & { kind: 'walk-out' }} WalkOut */
/** The withdrawal of an RSVP; its id is the RSVP's token. @type {Handler<Withdrawal | WalkOut>} */
async function withdraw({ eventToken, id }) {
  await cancelRSVP(eventToken, id);
  forget(eventToken, id);
  drop(doorOf(eventToken) + id);
}

/** @typedef {import('./saved').SavedEvent} SavedEvent */
/** @typedef {Common & { draft: string, body: import('./api').NewEvent }} OfForm */
/** @typedef {OfForm & { kind: 'announce' }} Announcement */

/** An announcement; its id is its Idempotency-Key. @type {Handler<Announcement>} */
async function announce({ body, id, draft: name }) {
  const created = await createEvent(body, id);
  save({ events: [created] });
  keepDraft(name, null);
  return { created };
}

/** The name of the draft of a reason. @param {string} eventToken */
export const reasonDraft = (eventToken) => `reason:${eventToken}`;

/** @typedef {{ organizerToken: string, title: string, dateTime: string, timezone: string }} OfOrganizer */
/** @typedef {Common & OfOrganizer & { kind: 'cancel', reason: string }} Cancel */

/**
 * The cancel of an event; its id is its Idempotency-Key. The answer has the event's reason, which
 * is an earlier one if the event was already cancelled elsewhere.
 * @type {Handler<Cancel>}
 */
async function cancel({ eventToken, organizerToken, reason, id }) {
  let answer = { cancellationReason: reason || null };
  try {
    await cancelEvent(eventToken, organizerToken, reason, id);
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== 'event-already-cancelled') throw error;
    const { cancellationReason = null } = await getEvent(eventToken);
    answer = { cancellationReason };
  }
  keepDraft(reasonDraft(eventToken), null);
  return answer;
}

/**
 * An event that replaces another one; news is what the page of the old one says besides the link.
 * @typedef {OfForm & OfOrganizer & { kind: 'change', createKey: string, cancelKey: string, news: string, before?: number, begun?: boolean, created?: SavedEvent } & { [name in import('./limits').Text]?: string | undefined }} Change
 */

/** The name of the draft of a change. @param {string} eventToken */
export const changeDraft = (eventToken) => `change:${eventToken}`;

/**
 * The reason with which the old event is cancelled.
 * @param {Pick<Change, 'news'>} item
 * @param {SavedEvent} created
 */
export const movedReason = ({ news }, { eventToken }) => news.replace(/([^\n])$/, '$1\n') + eventURL(eventToken);

/**
 * Creates the new event, then cancels the old one. The id is the token of the old one, which can be replaced only
 * once.
 * @type {Handler<Change>}
 */
async function change(item, { keep }) {
  if (!item.begun) {
    // Another device may have changed or cancelled the old one since the form was opened.
    const { cancelled, attendeeCount } = await getEvent(item.eventToken);
    if (cancelled) throw new APIError('answer', { status: 409, code: 'event-cancelled', final: true });
    keep({ begun: true, before: attendeeCount });
  }
  const created = item.created ?? (await createEvent(item.body, item.createKey));
  if (!item.created) {
    save({ events: [{ ...created, before: item.before }] });
    keep({ created });
  }
  await cancelOld(item, created);
  keepDraft(item.draft, null);
  return { created };
}

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
    const ended =
      error.status === 404
        ? 'gone'
        : [409, 422].includes(error.status)
          ? await leadsTo(eventToken, created.eventToken)
          : 'refused';
    if (ended) throw new APIError('answer', { status: error.status, code: `change-${ended}`, final: true });
  }
}

/**
 * Returns "" if a cancelled event links to the new one, "other" if it gives another reason, or "gone".
 * @param {string} eventToken
 * @param {string} to
 */
async function leadsTo(eventToken, to) {
  try {
    const { cancellationReason } = await getEvent(eventToken);
    return cancellationReason?.includes(to) ? '' : 'other';
  } catch (error) {
    if (error instanceof APIError && error.kind === 'missing') return 'gone';
    throw error;
  }
}

/** @type {{ [Kind in Item['kind']]: Handler<Extract<Item, { kind: Kind }>> }} */
export const handlers = { rsvp, retract, withdraw, 'walk-in': rsvp, 'walk-out': withdraw, announce, cancel, change };
