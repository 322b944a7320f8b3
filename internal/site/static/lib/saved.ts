// The events announced and the RSVPs made on this device, with their links. Each is an entry of its own in
// storage, so that no tab overwrites another's, with the time of its addition.
import { drop, keeps, namesAfter, onOtherTabs, recall, remember } from './storage';

export type SavedEvent = {
  eventToken: string;
  organizerToken: string;
  title: string;
  dateTime: string;
  timezone: string;
  before?: number | undefined;
  copied?: boolean;
};
// before: the count of the event that this device moved here; copied: whether the private link was copied, sent or downloaded
export type SavedRSVP = {
  eventToken: string;
  rsvpToken: string;
  name: string;
  title: string;
  dateTime: string;
  timezone: string;
  byLink?: boolean;
  at?: number;
  again?: string | undefined;
};
// byLink: added by an unconfirmed link of a guest; at: when it was added, by this device's clock; again: the key of an
// unanswered RSVP to the event that this one has moved to
export type Saved = { events: SavedEvent[]; rsvps: SavedRSVP[] };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isUUID = (value: unknown) => typeof value === 'string' && uuid.test(value);

/** The name of an entry in storage. */
const nameOf = ({ eventToken, rsvpToken }: { eventToken: string; rsvpToken?: string | undefined }) =>
  rsvpToken ? `rsvp.${eventToken}.${rsvpToken}` : `organizer.${eventToken}`;

/**
 * The entries whose names begin with this, in the order of their addition. Only the token is checked: each may hold
 * the only copy of a link.
 */
const all = (start: string): any[] =>
  namesAfter(start)
    .map((rest) => recall(start + rest))
    .filter((entry) => isUUID(entry?.eventToken))
    .sort((a, b) => a.at - b.at);

/** The list of this device. */
export const saved = (): Saved => ({ events: all('organizer.'), rsvps: all('rsvp.') });

/** Saves new entries; existing ones stay as they are. */
export function save({ events = [], rsvps = [] }: Partial<Saved>) {
  const at = Date.now();
  [...events, ...rsvps].forEach((entry, index) => {
    if (!recall(nameOf(entry))) remember(nameOf(entry), { ...entry, at: at + index / 1000 });
  });
}

/**
 * Saves an event after the service has accepted its secret, replacing the former entry. Reports whether
 * storage has it.
 */
export function saveAccepted(event: SavedEvent) {
  const name = nameOf(event);
  remember(name, { at: Date.now(), ...recall(name), ...event });
  return keeps(name);
}

/** Records that the private link of a saved event was copied, sent or downloaded. */
export function copied(eventToken: string) {
  const event = savedEvent(eventToken);
  if (event) saveAccepted({ ...event, copied: true });
}

/** Keeps the key of an RSVP to the new event, or none. */
export const keepAgain = (rsvp: SavedRSVP, again?: string) => remember(nameOf(rsvp), { ...rsvp, again });

/** Forgets the key of an RSVP that was answered. */
export function answered(key: string) {
  for (const rsvp of saved().rsvps) if (rsvp.again === key) keepAgain(rsvp);
}

/** @param rsvpToken without it, the event and its RSVPs are forgotten */
export function forget(eventToken: string, rsvpToken?: string) {
  drop(nameOf({ eventToken, rsvpToken }));
  if (!rsvpToken) for (const rsvp of savedRSVPs(eventToken)) drop(nameOf(rsvp));
  filterOldList((entry) => (rsvpToken ? entry.rsvpToken !== rsvpToken : entry.eventToken !== eventToken));
}

/** Reports whether the list outlives this page. */
export const outlives = () => keeps('organizer.') && keeps('rsvp.');

export const savedRSVPs = (eventToken: string): SavedRSVP[] => all(`rsvp.${eventToken}.`);

export const savedEvent = (eventToken: string): SavedEvent | null => recall(nameOf({ eventToken }));

export const savedTitle = (eventToken: string) => (savedEvent(eventToken) ?? savedRSVPs(eventToken)[0])?.title;

/** @param changed called with '' if all events may have changed */
export function onOtherTabsSaved(changed: (eventToken: string) => unknown) {
  onOtherTabs('organizer.', changed);
  onOtherTabs('rsvp.', (rest) => changed(rest.replace(/\..*/, '')));
  onOtherTabs(old, () => {
    adoptOldList();
    changed('');
  });
}

// The previous version stored the list under one name. That stays for one release, for open tabs, the cached shell
// and a rollback. Each entry is adopted once, and a removal here removes it there.
const old = 'mine';

// Prefixes of the adopted tokens: enough to recognize them, too little to use them.
const adopted = 'adopted';

const secretOf = ({ organizerToken, rsvpToken }: any): string => rsvpToken ?? organizerToken;

const note = (entry: any) => secretOf(entry).slice(0, 8);

const oldList = (): any[] =>
  [recall(old)?.events, recall(old)?.rsvps]
    .flat()
    .filter((entry) => isUUID(entry?.eventToken) && isUUID(secretOf(entry)));

function filterOldList(isKept: (entry: any) => unknown) {
  const before = oldList();
  const after = before.filter(isKept);
  if (after.length < before.length)
    remember(old, {
      events: after.filter(({ rsvpToken }) => !rsvpToken),
      rsvps: after.filter(({ rsvpToken }) => rsvpToken),
    });
}

export function adoptOldList() {
  const known = new Set([recall(adopted)].flat());
  const added = oldList().filter((entry) => !known.has(note(entry)));
  save({ rsvps: added });
  if (added.length && outlives()) remember(adopted, [...known, ...added.map(note)]);
  // A tab of that version may have written back a removed entry.
  filterOldList((entry) => recall(nameOf(entry)));
}
