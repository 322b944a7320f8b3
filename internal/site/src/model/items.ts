// The items of the outbox: what each kind has, and how it is stored.
import { isFieldError, isKind } from './api';
import { isNewEvent, listed, ofOrganizer } from './event';
import { has, is, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guarded } from '../lib/guards';
import { atMost, isName, limits } from '../lib/text';
import { isSavedEvent } from './saved';
import { remove, recall, remember } from '../lib/storage';

const isReason = atMost(limits.reason);
const common = {
  /** the Idempotency-Key; of a withdrawal the RSVP's token; of a change the old event's token: one change at a time */
  id: isUUID,
  /** '' for an announcement, which has none yet */
  eventToken: isText,
  /** when it was added */
  at: maybe(isNumber),
  /** how the last of `count` attempts has failed, and the pause after it */
  retry: maybe(has({ kind: isKind, status: isNumber, count: isNumber, from: isNumber, until: isNumber })),
  /** the final refusal; the item stays until it is dropped */
  refused: maybe(has({ kind: isKind, status: isNumber, code: isText, fieldErrors: listOf(isFieldError) })),
  /** whether to show it only if refused */
  hidden: maybe(isFlag),
};
const ofGuest = {
  ...common,
  ...listed,
  name: isName,
  /** the count of its event when it was added */
  before: maybe(isNumber),
  /** of a walk-in: the number among equal names */
  nth: maybe(isNumber),
};
/** of an event that is announced; `draft` is the name of the form's draft */
const ofForm = { ...common, draft: isText, body: isNewEvent };

const kinds = {
  rsvp: has({
    ...ofGuest,
    kind: is('rsvp'),
    /** the token of the RSVP to the event that has moved to this one */
    from: maybe(isUUID),
    /** whether it is one of two guests in one form */
    both: maybe(isFlag),
    /** whether it was withdrawn before its answer */
    unwanted: maybe(isFlag),
  }),
  withdraw: has({
    ...ofGuest,
    kind: is('withdraw'),
    /** when it is sent: until then it can be undone; 0 once a page sends it */
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
    /** the count of the old event when the change began */
    before: maybe(isNumber),
    /** the new event, when only the old one has to be cancelled */
    created: maybe(isSavedEvent),
  }),
};
export type OfKind<Kind extends keyof typeof kinds> = Guarded<(typeof kinds)[Kind]>;
export type Item = OfKind<keyof typeof kinds>;
export type Announcement = OfKind<'announce'>;
export type Change = OfKind<'change'>;

/** Whether an item is a guest's. */
export const isOfGuest = <One extends Item>(item: One): item is Extract<One, { kind: 'rsvp' | 'withdraw' }> =>
  item.kind === 'rsvp' || item.kind === 'withdraw';

/** Whether an item is that of a guest added during the check-in. */
export const isWalkIn = (item: Item) => isOfGuest(item) && Boolean(item.nth);

/** The name of the draft of an event that is announced. */
export const draftOf = (item: Item) => ('draft' in item ? item.draft : undefined);

/** Whether an RSVP was withdrawn before its answer. */
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

export const writeItem = (item: Item) => remember(list + item.id, item);

export function amendItem(id: string, more: object) {
  const item = readItem(id);
  if (item) writeItem({ ...item, ...more });
}

export const removeItem = (id: string) => remove(list + id);
