// The items of the outbox: what each kind has, how it is stored and sent, and what its answers mean.
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
  moment,
  ofOrganizer,
  type EventDetails,
} from './api';
import { confirm } from './confirm';
import { keepDraft } from './drafts';
import { has, is, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guarded } from './guards';
import { amend, forget, isSaved, isSavedEvent, save, savedRSVPs, type SavedEvent, type SavedRSVP } from './saved';
import { drop, recall, remember } from './storage';

const common = {
  /** its Idempotency-Key; of a withdrawal, the RSVP's token; of a change, that of the old event: it is replaced once */
  id: isUUID,
  /** '' for none */
  eventToken: isText,
  /** of the event, as lists show it */
  title: maybe(isText),
  dateTime: maybe(isText),
  timezone: maybe(isText),
  /** of the guest */
  name: maybe(isText),
  /** the count of its event when it was added, or when a change began */
  before: maybe(isNumber),
  /** whether it is one of two guests in one form */
  both: maybe(isFlag),
  /** an RSVP that was withdrawn before its answer */
  unwanted: maybe(isFlag),
  /** the name of its draft */
  draft: maybe(isText),
  /** by a change that is half done */
  created: maybe(isSavedEvent),
  /** when it was added */
  at: maybe(isNumber),
  /** when it is sent; it can be undone before */
  due: maybe(isNumber),
  /** the last of `count` attempts without a final answer, and when the next is due */
  retry: maybe(has({ kind: isKind, status: isNumber, count: isNumber, from: isNumber, until: isNumber })),
  /** the final refusal; the item stays until it is dropped */
  refused: maybe(has({ kind: isKind, status: isNumber, code: isText, fieldErrors: listOf(isFieldError) })),
  /** whether to show it only if refused */
  hidden: maybe(isFlag),
  /** of a walk-in: the number among equal names */
  door: maybe(isNumber),
};
const ofGuest = { ...common, ...moment, name: isText };

const kinds = {
  /** from: the token of the RSVP to the event that has moved to this one */
  rsvp: has({ ...ofGuest, kind: is('rsvp'), from: maybe(isUUID) }),
  withdraw: has({ ...ofGuest, kind: is('withdraw') }),
  announce: has({ ...common, kind: is('announce'), draft: isText, body: isNewEvent }),
  cancel: has({ ...common, ...moment, kind: is('cancel'), organizerToken: isUUID, reason: isText }),
  /** reason: the organizer's words for the old event's page */
  change: has({
    ...common,
    ...ofOrganizer,
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

/** Each item has its own entry in storage, under its id. */
export const list = 'outbox.';

const isItem = (value: unknown): value is Item => Object.values(kinds).some((guard) => guard(value));

export function readItem(id: string) {
  const item: unknown = Object.assign({}, recall(list + id), { id });
  return isItem(item) ? item : null;
}

export const writeItem = (item: Item) => remember(list + item.id, item);

export function amendItem(id: string, more: object) {
  const item = readItem(id);
  if (item) writeItem({ ...item, ...more });
}

export const removeItem = (id: string) => drop(list + id);

/** An answer, as far as pages need it; `cancelled` are facts of the event. */
export type Answer = { created?: SavedEvent; cancelled?: Partial<EventDetails> };

export const remembered = (
  { eventToken, title, dateTime, timezone }: Omit<SavedRSVP, 'rsvpToken' | 'name'>,
  { rsvpToken, name }: Pick<SavedRSVP, 'rsvpToken' | 'name'>,
) => ({ eventToken, rsvpToken, name, title, dateTime, timezone });

// The names of drafts.
export const nameDraft = (eventToken: string) => `rsvp:${eventToken}`;
export const reasonDraft = (eventToken: string) => `reason:${eventToken}`;
export const changeDraft = (eventToken: string) => `change:${eventToken}`;

const savedRSVP = (token: string) => savedRSVPs().find(({ rsvpToken }) => rsvpToken === token);

/**
 * The name of a guest; null if the RSVP that this one follows was withdrawn. A link that nothing has confirmed may have
 * another name than the service, which knows the same one on all devices.
 */
async function nameOf({ name, from }: OfKind<'rsvp'>) {
  const old = from ? savedRSVP(from) : undefined;
  if (!old) return name;
  if (old.byLink) await confirm(old);
  return savedRSVP(old.rsvpToken)?.name ?? null;
}

async function rsvp(given: OfKind<'rsvp'>) {
  const { eventToken, id, door, from } = given;
  const name = await nameOf(given);
  if (name === null) return removeItem(id);
  if (name !== given.name) amendItem(id, { name });
  const item = { ...given, name };
  if (item.unwanted) return retract(item);
  const made = await createRSVP(eventToken, name, id).catch((error: unknown) => {
    if (!from || !(error instanceof APIError) || error.code !== 'idempotency-key-reused') throw error;
    return null;
  });
  if (!made) {
    // The RSVP with this key was withdrawn, maybe on another device: the guest is asked again.
    if (from) amend(from, { spent: (savedRSVP(from)?.spent ?? 0) + 1 });
    return removeItem(id);
  }
  const now = readItem(id);
  if (!now) {
    // Unless another tab had the answer first, nothing on this device knows of the guest any more.
    if (!door && !isSaved(eventToken, made.rsvpToken)) writeItem({ ...item, unwanted: true, hidden: true });
  } else if (!now.hidden) {
    save({ rsvps: [{ ...remembered(item, made), door, shared: from ? true : undefined }] });
  }
}

/** Repeats the request of an RSVP without an answer for its token. A refusal means that the guest is not on the list. */
async function retract({ eventToken, name, id }: OfKind<'rsvp'>) {
  try {
    const { rsvpToken } = await createRSVP(eventToken, name, id);
    await cancelRSVP(eventToken, rsvpToken);
    forget(eventToken, rsvpToken); // another tab may have saved it at the same moment
  } catch (error) {
    if (!(error instanceof APIError) || !error.final) throw error;
  }
}

async function withdraw({ eventToken, id }: OfKind<'withdraw'>) {
  await cancelRSVP(eventToken, id);
  forget(eventToken, id);
}

async function announce({ body, id, draft: name }: Announcement) {
  const created = await createEvent(body, id);
  save({ events: [created] });
  keepDraft(name, null);
  return { created };
}

/** The reason is an earlier one if the event was already cancelled elsewhere. */
async function cancel(item: OfKind<'cancel'>) {
  const { eventToken, reason, id } = item;
  let cancelled: Answer['cancelled'] = { cancellationReason: reason || null };
  try {
    await cancelEvent(item, reason, id);
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== 'event-already-cancelled') throw error;
    const { cancellationReason = null, movedTo } = await getEvent(eventToken);
    cancelled = { cancellationReason, movedTo };
  }
  keepDraft(reasonDraft(eventToken), null);
  return { cancelled };
}

async function change(item: Change) {
  /** Stores the progress, and takes over what another tab has stored. */
  const keep = (more: Partial<Change>) => {
    amendItem(item.id, more);
    Object.assign(item, readItem(item.id), more);
  };
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
  return { created, cancelled: { cancellationReason: item.reason || null, movedTo: created.eventToken } };
}

/** Even if this is refused, the new event exists. */
async function cancelOld(item: Change, created: SavedEvent) {
  try {
    await cancelEvent(item, item.reason ?? '', item.cancelKey, created.eventToken);
  } catch (error) {
    if (!(error instanceof APIError) || !error.final) throw error;
    const { status } = error;
    const ended = status === 404 ? 'gone' : [409, 422].includes(status) ? await leadsTo(item, created) : 'refused';
    if (ended) throw new APIError('answer', { status, code: `change-${ended}`, final: true });
  }
}

/** "" if a cancelled event has moved to the new one, "other" if not, or "gone". */
async function leadsTo(old: Change, { eventToken: to }: SavedEvent) {
  try {
    const { movedTo } = await getEvent(old.eventToken);
    return movedTo === to ? '' : 'other';
  } catch (error) {
    if (error instanceof APIError && error.kind === 'missing') return 'gone';
    throw error;
  }
}

/**
 * Each sends an item in a way that is safe to repeat, stores the result, and resolves to the answer. A final APIError
 * ends the item; after any other it is sent again.
 */
export const handlers: { [Kind in Item['kind']]: (item: OfKind<Kind>) => Promise<Answer | void> } = {
  rsvp,
  withdraw,
  announce,
  cancel,
  change,
};
