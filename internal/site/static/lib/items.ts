// The items of the outbox: what each kind has, and how it is stored.
import { isFieldError, isKind } from './api';
import { isNewEvent, listed, ofOrganizer } from './event';
import { has, is, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guarded } from './guards';
import { isSavedEvent } from './saved';
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
const ofGuest = { ...common, ...listed, name: isText };

const kinds = {
  /** from: the token of the RSVP to the event that has moved to this one */
  rsvp: has({ ...ofGuest, kind: is('rsvp'), from: maybe(isUUID) }),
  withdraw: has({ ...ofGuest, kind: is('withdraw') }),
  announce: has({ ...common, kind: is('announce'), draft: isText, body: isNewEvent }),
  cancel: has({ ...common, ...listed, kind: is('cancel'), organizerToken: isUUID, reason: isText }),
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
