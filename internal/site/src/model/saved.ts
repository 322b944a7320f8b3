// This device's list: the events announced here and the RSVPs made here, with their links. Each has a storage entry.
import { download } from '../lib/dom';
import { closesAt, cut, listed, listing } from './event';
import { has, is, isFlag, isNumber, isUUID, maybe, type Guard, type Guarded } from '../lib/guards';
import { isName } from '../lib/text';
import { remove, keeps, namesAfter, onOtherTabs, recall, remember, rememberHere } from '../lib/storage';

// Times are by this device's clock. `at` is when the entry was added.
const ofEntry = { eventToken: isUUID, ...listed, at: maybe(isNumber) };
export const isSavedEvent = has({
  ...ofEntry,
  organizerToken: isUUID,
  /** the Idempotency-Key with which this device created the event */
  key: maybe(isUUID),
  /** the guest count of the old event, if this device has moved an event to this one */
  before: maybe(isNumber),
  /** whether the private link is elsewhere, too: copied, sent, or imported; nobody knows whether a download arrived */
  copied: maybe(isFlag),
});
export type SavedEvent = Guarded<typeof isSavedEvent>;
const isSavedRSVP = has({
  ...ofEntry,
  rsvpToken: isUUID,
  name: isName,
  /** whether a guest's link has added the RSVP, and the service has not confirmed it */
  byLink: maybe(isFlag),
  /** the number of a walk-in among walk-ins with the same name; absent for guests of this device */
  nth: maybe(isNumber),
  /** whether somebody else may withdraw the RSVP */
  shared: maybe(isFlag),
  /** when the RSVP was last read */
  asked: maybe(isNumber),
  /** whether the RSVP was withdrawn elsewhere */
  gone: maybe(isFlag),
});
export type SavedRSVP = Guarded<typeof isSavedRSVP>;
/** Accepts entries for links that the service did not know. Earlier versions marked these as withdrawn elsewhere. */
const isStranger = has({ gone: is(true), byLink: is(true) });
/** Makes the list's entry for an RSVP that the service has stored. */
export const rsvpOf = (
  event: Parameters<typeof listing>[0],
  { rsvpToken, name }: Pick<SavedRSVP, 'rsvpToken' | 'name'>,
): SavedRSVP => ({ ...listing(event), rsvpToken, name });

export type Saved = { events: SavedEvent[]; rsvps: SavedRSVP[] };

const nameOf = ({ eventToken, rsvpToken }: { eventToken: string; rsvpToken?: string | undefined }) =>
  rsvpToken ? `rsvp.${eventToken}.${rsvpToken}` : `organizer.${eventToken}`;

const all = <Entry extends { at?: number | undefined }>(start: string, isEntry: Guard<Entry>) =>
  namesAfter(start)
    .map((rest) => recall(start + rest, isEntry))
    .filter((entry) => entry !== null)
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0));

for (const rest of namesAfter('rsvp.')) if (recall(`rsvp.${rest}`, isStranger)) remove(`rsvp.${rest}`);

/** All RSVPs, with walk-ins and with RSVPs withdrawn elsewhere. @param eventToken '' for all events */
export const allRSVPs = (eventToken: string = '') => all(`rsvp.${eventToken}`, isSavedRSVP);

export const savedEvents = () => all('organizer.', isSavedEvent);

/** The token of an entry's event, from the entry's name without its beginning. */
const eventOf = (rest: string) => rest.replace(/\..*/, '');

/** The tokens of all events with an entry. Reads no entry, because each response of the service needs the tokens. */
export const listedTokens = () => [...namesAfter('organizer.'), ...namesAfter('rsvp.').map(eventOf)];

export const isSaved = (eventToken: string, rsvpToken: string) => Boolean(recall(nameOf({ eventToken, rsvpToken })));

/** Saves new entries. Existing entries stay as they are. */
export function save(added: Partial<Saved>) {
  const at = Date.now();
  [...(added.events ?? []), ...(added.rsvps ?? [])].forEach((entry, index) => {
    const until = 'nth' in entry && entry.nth ? closesAt(entry) : undefined;
    if (!recall(nameOf(entry))) write({ ...entry, at: entry.at ?? at + index / 1000 }, until);
  });
}

/** Stores an entry if its guard accepts it. Reports whether storage has it. */
function write(added: SavedEvent | SavedRSVP, until?: number) {
  const entry = cut(added);
  if (!('rsvpToken' in entry ? isSavedRSVP(entry) : isSavedEvent(entry))) return false;
  remember(nameOf(entry), entry, until);
  return keeps(nameOf(entry));
}

/** Replaces the entry of an event whose secret the service has accepted. Reports whether storage has it. */
export function saveAccepted(event: SavedEvent) {
  remove(`forgotten.${event.eventToken}`);
  return write({ at: Date.now(), ...savedEvent(event.eventToken), ...event });
}

export function copied(eventToken: string) {
  const event = savedEvent(eventToken);
  if (event) saveAccepted({ ...event, copied: true });
}

/** Changes the entry of an RSVP, unless it was forgotten or withdrawn elsewhere. */
export function amend(of: Parameters<typeof savedRSVP>[0], more: Partial<SavedRSVP>) {
  const rsvp = savedRSVP(of);
  if (rsvp) write({ ...rsvp, ...more });
}

/** Forgets an RSVP. Without `rsvpToken`, forgets an event and all its RSVPs. */
export function forget(eventToken: string, rsvpToken?: string) {
  remove(nameOf({ eventToken, rsvpToken }));
  if (rsvpToken) return;
  for (const rsvp of allRSVPs(eventToken)) if (!rsvp.nth) remove(nameOf(rsvp));
  rememberHere(`forgotten.${eventToken}`, true);
}

/** Whether this tab has forgotten an event. Its history may still hold the secret. */
export const isForgotten = (eventToken: string) => Boolean(recall(`forgotten.${eventToken}`));

/** Whether the list outlives this page. */
export const outlives = () => keeps('organizer.') && keeps('rsvp.');

const isCurrent = ({ nth, gone }: SavedRSVP) => !nth && !gone;

/** An RSVP of this device; undefined for a walk-in and for an RSVP that was withdrawn elsewhere. */
export function savedRSVP(of: Pick<SavedRSVP, 'eventToken' | 'rsvpToken'>) {
  const rsvp = recall(nameOf(of), isSavedRSVP);
  return rsvp && isCurrent(rsvp) ? rsvp : undefined;
}

export const savedEvent = (eventToken: string) => recall(nameOf({ eventToken }), isSavedEvent);

export const savedTitle = (eventToken: string) => (savedEvent(eventToken) ?? allRSVPs(eventToken)[0])?.title;

/** @param changed called with '' if all events may have changed */
export function onOtherTabsSaved(changed: (eventToken: string) => unknown) {
  onOtherTabs('organizer.', changed);
  onOtherTabs('rsvp.', (rest) => changed(eventOf(rest)));
}

const exported =
  'events rsvps eventToken organizerToken rsvpToken name title dateTime endDateTime timezone before'.split(' ');

export function exportSaved() {
  const list: Saved = { events: savedEvents(), rsvps: allRSVPs().filter(isCurrent) };
  download('turnout.json', 'application/json', `${JSON.stringify(list, exported, 2)}\n`);
  for (const rsvp of list.rsvps) amend(rsvp, { shared: true });
}
