// How the items of the outbox are sent, and what their answers mean, by kind.

import {
  isFieldError,
  isKind,
  isNewEvent,
  APIError,
  cancelEvent,
  cancelRSVP,
  createEvent,
  createRSVP,
  getEvent,
} from './api';
import { keepDraft } from './drafts';
import { has, is, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guarded } from './guards';
import { amend, forget, isSaved, save, type SavedEvent, isSavedEvent } from './saved';
import { eventURL } from './urls';

const common = {
  /** the key or the token that makes it safe to send again */
  id: isUUID,
  /** of its event, with which it is removed; '' for none */
  eventToken: isText,
  /** of the event, with dateTime and timezone, as lists show it */
  title: maybe(isText),
  dateTime: maybe(isText),
  timezone: maybe(isText),
  /** of the guest */
  name: maybe(isText),
  /** the count of its event when it was added, or when a change began */
  before: maybe(isNumber),
  /** whether it is one of two guests in one form */
  both: maybe(isFlag),
  /** the name of its draft */
  draft: maybe(isText),
  /** by a change that is half done */
  created: maybe(isSavedEvent),
  /** when it was added */
  at: maybe(isNumber),
  /** when it is sent; it can be undone before */
  due: maybe(isNumber),
  /** the last of `count` attempts without a final answer, and when the next one is due */
  retry: maybe(has({ kind: isKind, status: isNumber, count: isNumber, from: isNumber, until: isNumber })),
  /** the final refusal; the item stays until it is dropped */
  refused: maybe(has({ kind: isKind, status: isNumber, code: isText, fieldErrors: listOf(isFieldError) })),
  /** whether to show it only if refused */
  hidden: maybe(isFlag),
  /** of somebody who was added at the door: the number among equal names */
  door: maybe(isNumber),
};
const moment = { title: isText, dateTime: isText, timezone: isText };
const ofGuest = { ...common, ...moment, name: isText };

/** What an item has, by kind. */
export const kinds = {
  /** unwanted: withdrawn before its answer; from: the token of the RSVP to the event that has moved to this one */
  rsvp: has({ ...ofGuest, kind: is('rsvp'), unwanted: maybe(isFlag), from: maybe(isUUID) }),
  withdraw: has({ ...ofGuest, kind: is('withdraw') }),
  announce: has({ ...common, kind: is('announce'), draft: isText, body: isNewEvent }),
  cancel: has({ ...common, ...moment, kind: is('cancel'), organizerToken: isUUID, reason: isText }),
  /** An event that replaces another one, and the organizer's words for the old one's page. */
  change: has({
    ...common,
    ...moment,
    location: maybe(isText),
    description: maybe(isText),
    host: maybe(isText),
    kind: is('change'),
    draft: isText,
    body: isNewEvent,
    organizerToken: isUUID,
    createKey: isUUID,
    cancelKey: isUUID,
    reason: maybe(isText),
    begun: maybe(isFlag),
  }),
};
export type OfKind<Kind extends keyof typeof kinds> = Guarded<(typeof kinds)[Kind]>;
export type Item = OfKind<keyof typeof kinds>;
export type Announcement = OfKind<'announce'>;
export type Change = OfKind<'change'>;

/** An answer, as far as pages need it. */
export type Answer = { created?: SavedEvent; cancellationReason?: string | null; movedTo?: string | undefined };
/**
 * Sends an item in a way that is safe to repeat, stores the result, and resolves to the answer. A final
 * APIError ends the item; after any other it is sent again. An item of several steps stores its
 * progress with keep, which also takes over what another tab has stored.
 */
export type Handler<One extends Item> = (item: One, stored: Stored) => Promise<Answer | void>;
export type Stored = {
  keep: (more: Partial<Change>) => void;
  read: () => Item | null;
  write: (item: Item) => void;
  drop: () => void;
};

/** An RSVP as this device remembers it. */
export const remembered = (
  { eventToken, title, dateTime, timezone }: { eventToken: string; title: string; dateTime: string; timezone: string },
  { rsvpToken, name }: { rsvpToken: string; name: string },
) => ({ eventToken, rsvpToken, name, title, dateTime, timezone });

/** The name of the draft of an RSVP. */
export const nameDraft = (eventToken: string) => `rsvp:${eventToken}`;

/** An RSVP; its id is its Idempotency-Key. */
async function rsvp(item: OfKind<'rsvp'>, { read, write, drop }: Stored) {
  const { eventToken, name, id, door, from } = item;
  if (item.unwanted) return retract(item);
  const made = await createRSVP(eventToken, name, id).catch((error: unknown) => {
    if (!from || !(error instanceof APIError) || error.code !== 'idempotency-key-reused') throw error;
    return null;
  });
  if (!made) {
    // The RSVP with this key was withdrawn, maybe on another device: the guest is asked again.
    amend(String(from), { spent: true });
    return drop();
  }
  const now = read();
  if (!now) {
    // Unless another tab had the answer first, nothing on this device knows of the guest any more.
    if (!door && !isSaved(eventToken, made.rsvpToken)) write({ ...item, unwanted: true, hidden: true });
  } else if (!now.hidden) {
    save({ rsvps: [{ ...remembered(item, made), door, shared: from ? true : undefined }] });
  }
}

/**
 * Withdraws an RSVP whose answer is missing: its request is repeated for the token. A refusal means
 * that the guest is not on the list.
 */
async function retract({ eventToken, name, id }: OfKind<'rsvp'>) {
  try {
    const { rsvpToken } = await createRSVP(eventToken, name, id);
    await cancelRSVP(eventToken, rsvpToken);
    forget(eventToken, rsvpToken); // another tab may have saved it at the same moment
  } catch (error) {
    if (!(error instanceof APIError) || !error.final) throw error;
  }
}

/** The withdrawal of an RSVP; its id is the RSVP's token. */
async function withdraw({ eventToken, id }: OfKind<'withdraw'>) {
  await cancelRSVP(eventToken, id);
  forget(eventToken, id);
}

/** An announcement; its id is its Idempotency-Key. */
async function announce({ body, id, draft: name }: Announcement) {
  const created = await createEvent(body, id);
  save({ events: [created] });
  keepDraft(name, null);
  return { created };
}

/** The name of the draft of a reason. */
export const reasonDraft = (eventToken: string) => `reason:${eventToken}`;

/**
 * The cancel of an event; its id is its Idempotency-Key. The answer has the event's reason, which
 * is an earlier one if the event was already cancelled elsewhere.
 */
async function cancel({ eventToken, organizerToken, reason, id }: OfKind<'cancel'>) {
  let answer: Answer = { cancellationReason: reason || null };
  try {
    await cancelEvent(eventToken, organizerToken, reason, id);
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== 'event-already-cancelled') throw error;
    const { cancellationReason = null, movedTo } = await getEvent(eventToken);
    answer = { cancellationReason, movedTo };
  }
  keepDraft(reasonDraft(eventToken), null);
  return answer;
}

/** The name of the draft of a change. */
export const changeDraft = (eventToken: string) => `change:${eventToken}`;

/** The reason with which the old event is cancelled. Its last line shows readers of the API where to go. */
export const movedReason = ({ reason = '' }: Pick<Change, 'reason'>, { eventToken }: SavedEvent) =>
  `${reason}\n\n${eventURL(eventToken)}`.trim();

/**
 * Creates the new event, then cancels the old one. The id is the token of the old one, which can be replaced only
 * once.
 */
async function change(item: Change, { keep }: Stored) {
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

/** Cancels the old event. Even if that is refused, the new one exists. */
async function cancelOld(item: Change, created: SavedEvent) {
  const { eventToken, organizerToken, cancelKey } = item;
  try {
    await cancelEvent(eventToken, organizerToken, movedReason(item, created), cancelKey, created.eventToken);
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

/** Returns "" if a cancelled event links to the new one, "other" if it gives another reason, or "gone". */
async function leadsTo(eventToken: string, to: string) {
  try {
    const { movedTo, cancellationReason } = await getEvent(eventToken);
    return movedTo === to || cancellationReason?.includes(to) ? '' : 'other';
  } catch (error) {
    if (error instanceof APIError && error.kind === 'missing') return 'gone';
    throw error;
  }
}

export const handlers: { [Kind in Item['kind']]: Handler<OfKind<Kind>> } = { rsvp, withdraw, announce, cancel, change };
