// The items of the outbox: their kinds, members and storage.
import { isFieldError, isKind } from './api';
import { cut, isNewEvent, listed, ofOrganizer } from './event';
import { has, is, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guarded } from '../lib/guards';
import { atMost, isName, limits } from '../lib/text';
import { isSavedEvent } from './saved';
import { remove, recall, remember } from '../lib/storage';

const isReason = atMost(limits.reason);
const common = {
  /** the Idempotency-Key; of a withdrawal the RSVP's token; of a change the old event's token */
  id: isUUID,
  /** '' for an announcement, whose event has no token yet */
  eventToken: isText,
  /** when the item was added */
  at: maybe(isNumber),
  /** the error of the last of `count` attempts, and the pause after that attempt */
  retry: maybe(has({ kind: isKind, status: isNumber, count: isNumber, from: isNumber, until: isNumber })),
  /** the final refusal; the item stays until it is dropped */
  refused: maybe(has({ kind: isKind, status: isNumber, code: isText, fieldErrors: listOf(isFieldError) })),
  /** whether to show the item only after a refusal */
  hidden: maybe(isFlag),
};
const ofGuest = {
  ...common,
  ...listed,
  name: isName,
  /** the guest count of the event when the item was added */
  before: maybe(isNumber),
  /** the number of a walk-in among walk-ins with the same name; absent for other guests */
  nth: maybe(isNumber),
};
/** Members of an item that creates an event. `draft` is the name of the form's draft. */
const ofForm = { ...common, draft: isText, body: isNewEvent };

const kinds = {
  rsvp: has({
    ...ofGuest,
    kind: is('rsvp'),
    /** the token of the guest's RSVP to the old event, if this event replaces one */
    from: maybe(isUUID),
    /** whether the guest signed up with another guest in one form */
    both: maybe(isFlag),
    /** whether the guest withdrew before the response */
    unwanted: maybe(isFlag),
  }),
  withdraw: has({
    ...ofGuest,
    kind: is('withdraw'),
    /** when a page sends the withdrawal, which can be undone until then; 0 once a page sends it */
    due: maybe(isNumber),
  }),
  announce: has({ ...ofForm, kind: is('announce') }),
  cancel: has({ ...common, ...listed, kind: is('cancel'), organizerToken: isUUID, reason: isReason }),
  change: has({
    ...ofForm,
    ...ofOrganizer,
    kind: is('change'),
    organizerToken: isUUID,
    createKey: isUUID,
    cancelKey: isUUID,
    /** the organizer's words for the old event's page */
    reason: maybe(isReason),
    begun: maybe(isFlag),
    /** the guest count of the old event when the change began */
    before: maybe(isNumber),
    /** the new event, once it exists and only the cancellation of the old event is missing */
    created: maybe(isSavedEvent),
  }),
};
export type OfKind<Kind extends keyof typeof kinds> = Guarded<(typeof kinds)[Kind]>;
export type Item = OfKind<keyof typeof kinds>;
export type Announcement = OfKind<'announce'>;
export type Change = OfKind<'change'>;

/** Whether an item signs up or withdraws a guest. */
export const isOfGuest = <One extends Item>(item: One): item is Extract<One, { kind: 'rsvp' | 'withdraw' }> =>
  item.kind === 'rsvp' || item.kind === 'withdraw';

/** Whether an item is about a guest whom the organizer added during the check-in. */
export const isWalkIn = (item: Item) => isOfGuest(item) && Boolean(item.nth);

/** The name of the draft behind an item that creates an event. */
export const draftOf = (item: Item) => ('draft' in item ? item.draft : undefined);

/** Whether a guest withdrew before the response to the RSVP. */
export const isUnwanted = (item: Item) => item.kind === 'rsvp' && item.unwanted === true;

/** Whether an item cancels or replaces its event. */
export const isEnd = ({ kind }: Item) => kind === 'cancel' || kind === 'change';

/** Each item has its own entry in storage, under its id. */
export const list = 'outbox.';

const isItem = (value: unknown): value is Item => Object.values(kinds).some((guard) => guard(value));

export function readItem(id: string) {
  const item: unknown = Object.assign({}, recall(list + id), { id });
  return isItem(item) ? item : null;
}

export const writeItem = (item: Item) => remember(list + item.id, cut(item));

export function amendItem(id: string, more: object) {
  const item = readItem(id);
  if (item) writeItem({ ...item, ...more });
}

export const removeItem = (id: string) => remove(list + id);
