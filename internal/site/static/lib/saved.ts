// The events announced and the RSVPs made on this device, with their links. Each is an entry of its own in
// storage, so that no tab overwrites another's, with the time of its addition.
import { has, isFlag, isNumber, isText, isUUID, maybe, type Guard, type Guarded } from './guards';
import { drop, keeps, namesAfter, onOtherTabs, recall, remember } from './storage';
import { closesAt } from './time';

const moment = { eventToken: isUUID, title: isText, dateTime: isText, timezone: isText, at: maybe(isNumber) };
/**
 * before: the count of the event that this device moved here; copied: whether the private link was copied, sent or
 * downloaded; at: when it was added, by this device's clock
 */
export const isSavedEvent = has({ ...moment, organizerToken: isUUID, before: maybe(isNumber), copied: maybe(isFlag) });
export type SavedEvent = Guarded<typeof isSavedEvent>;
/**
 * byLink: added by an unconfirmed link of a guest; shared: whether somebody else may withdraw it; asked: when it was last
 * read, by this device's clock; gone: whether it was withdrawn elsewhere; door: the number among equal names of somebody who was added at the
 * door, which is no RSVP of this device; spent: whether the next yes to the event that this one has moved to needs a
 * random key
 */
export const isSavedRSVP = has({
  ...moment,
  rsvpToken: isUUID,
  name: isText,
  byLink: maybe(isFlag),
  door: maybe(isNumber),
  spent: maybe(isFlag),
  shared: maybe(isFlag),
  asked: maybe(isNumber),
  gone: maybe(isFlag),
});
export type SavedRSVP = Guarded<typeof isSavedRSVP>;
export type Saved = { events: SavedEvent[]; rsvps: SavedRSVP[] };

/** The name of an entry in storage. */
const nameOf = ({ eventToken, rsvpToken }: { eventToken: string; rsvpToken?: string | undefined }) =>
  rsvpToken ? `rsvp.${eventToken}.${rsvpToken}` : `organizer.${eventToken}`;

/** The entries whose names begin with this, in the order of their addition. */
const all = <Entry extends { at?: number | undefined }>(start: string, isEntry: Guard<Entry>) =>
  namesAfter(start)
    .map((rest) => recall(start + rest))
    .filter(isEntry)
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0));

const rsvps = (eventToken: string) => all(`rsvp.${eventToken}`, isSavedRSVP);

/** The list of this device. */
export const saved = (): Saved => ({ events: all('organizer.', isSavedEvent), rsvps: savedRSVPs() });

/** Reports whether an RSVP has an entry. */
export const isSaved = (eventToken: string, rsvpToken: string) => Boolean(recall(nameOf({ eventToken, rsvpToken })));

/** Saves new entries; existing ones stay as they are. */
export function save(added: Partial<Saved>) {
  const at = Date.now();
  [...(added.events ?? []), ...(added.rsvps ?? [])].forEach((entry, index) => {
    const until = 'door' in entry && entry.door ? closesAt(entry) : undefined;
    if (!recall(nameOf(entry))) remember(nameOf(entry), { ...entry, at: at + index / 1000 }, until);
  });
}

/**
 * Saves an event after the service has accepted its secret, replacing the former entry. Reports whether
 * storage has it.
 */
export function saveAccepted(event: SavedEvent) {
  const name = nameOf(event);
  remember(name, { at: Date.now(), ...savedEvent(event.eventToken), ...event });
  return keeps(name);
}

/** Records that the private link of a saved event was copied, sent or downloaded. */
export function copied(eventToken: string) {
  const event = savedEvent(eventToken);
  if (event) saveAccepted({ ...event, copied: true });
}

/** Changes the entry of an RSVP unless it is gone. */
export function amend(rsvpToken: string, more: Partial<SavedRSVP>) {
  const rsvp = saved().rsvps.find((one) => one.rsvpToken === rsvpToken);
  if (rsvp) remember(nameOf(rsvp), { ...rsvp, ...more });
}

/** @param rsvpToken without it, the event and its RSVPs are forgotten */
export function forget(eventToken: string, rsvpToken?: string) {
  drop(nameOf({ eventToken, rsvpToken }));
  if (!rsvpToken) for (const rsvp of rsvps(eventToken)) if (!rsvp.door) drop(nameOf(rsvp));
}

/** The walk-ins: whom this device has added at the door, and may withdraw. */
export const walkedIn = (eventToken: string) => rsvps(eventToken).filter(({ door }) => door);

/** Reports whether the list outlives this page. */
export const outlives = () => keeps('organizer.') && keeps('rsvp.');

/** @param eventToken '' for all events */
export const savedRSVPs = (eventToken: string = '') => rsvps(eventToken).filter(({ door, gone }) => !door && !gone);

/** Those that were withdrawn elsewhere, until the reader dismisses them. */
export const withdrawnRSVPs = (eventToken: string = '') => rsvps(eventToken).filter(({ gone }) => gone);

export function savedEvent(eventToken: string) {
  const entry = recall(nameOf({ eventToken }));
  return isSavedEvent(entry) ? entry : null;
}

export const savedTitle = (eventToken: string) => (savedEvent(eventToken) ?? savedRSVPs(eventToken)[0])?.title;

/** @param changed called with '' if all events may have changed */
export function onOtherTabsSaved(changed: (eventToken: string) => unknown) {
  onOtherTabs('organizer.', changed);
  onOtherTabs('rsvp.', (rest) => changed(rest.replace(/\..*/, '')));
}
