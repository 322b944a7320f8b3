// @ts-check
// The events announced and the RSVPs made on this device, with their links. Each is an entry of its own in
// storage, so that no tab overwrites another's, with the time of its addition.
import { drop, keeps, namesAfter, onOtherTabs, recall, remember } from './storage';

/** @typedef {{ eventToken: string, organizerToken: string, title: string, dateTime: string, timezone: string, before?: number | undefined, copied?: boolean }} SavedEvent */
// before: the count of the event that this device moved here; copied: whether the private link was copied, sent or downloaded
/** @typedef {{ eventToken: string, rsvpToken: string, name: string, title: string, dateTime: string, timezone: string, byLink?: boolean, at?: number, again?: string | undefined }} SavedRSVP */
// byLink: added by an unconfirmed link of a guest; at: when it was added, by this device's clock; again: the key of an
// unanswered RSVP to the event that this one has moved to
/** @typedef {{ events: SavedEvent[], rsvps: SavedRSVP[] }} Saved */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param {unknown} value */
export const isUUID = (value) => typeof value === 'string' && uuid.test(value);

/** The name of an entry in storage. @param {{ eventToken: string, rsvpToken?: string | undefined }} entry */
const nameOf = ({ eventToken, rsvpToken }) =>
  rsvpToken ? `rsvp.${eventToken}.${rsvpToken}` : `organizer.${eventToken}`;

/**
 * The entries whose names begin with this, in the order of their addition. Only the token is checked: each may hold
 * the only copy of a link.
 * @param {string} start
 * @returns {any[]}
 */
const all = (start) =>
  namesAfter(start)
    .map((rest) => recall(start + rest))
    .filter((entry) => isUUID(entry?.eventToken))
    .sort((a, b) => a.at - b.at);

/** The list of this device. @returns {Saved} */
export const saved = () => ({ events: all('organizer.'), rsvps: all('rsvp.') });

/** Saves new entries; existing ones stay as they are. @param {Partial<Saved>} added */
export function save({ events = [], rsvps = [] }) {
  const at = Date.now();
  [...events, ...rsvps].forEach((entry, index) => {
    if (!recall(nameOf(entry))) remember(nameOf(entry), { ...entry, at: at + index / 1000 });
  });
}

/**
 * Saves an event after the service has accepted its secret, replacing the former entry. Reports whether
 * storage has it.
 * @param {SavedEvent} event
 */
export function saveAccepted(event) {
  const name = nameOf(event);
  remember(name, { at: Date.now(), ...recall(name), ...event });
  return keeps(name);
}

/** Records that the private link of a saved event was copied, sent or downloaded. @param {string} eventToken */
export function copied(eventToken) {
  const event = savedEvent(eventToken);
  if (event) saveAccepted({ ...event, copied: true });
}

/** Keeps the key of an RSVP to the new event, or none. @param {SavedRSVP} rsvp @param {string} [again] */
export const keepAgain = (rsvp, again) => remember(nameOf(rsvp), { ...rsvp, again });

/** Forgets the key of an RSVP that was answered. @param {string} key */
export function answered(key) {
  for (const rsvp of saved().rsvps) if (rsvp.again === key) keepAgain(rsvp);
}

/** @param {string} eventToken @param {string} [rsvpToken] without it, the event and its RSVPs are forgotten */
export function forget(eventToken, rsvpToken) {
  drop(nameOf({ eventToken, rsvpToken }));
  if (!rsvpToken) for (const rsvp of savedRSVPs(eventToken)) drop(nameOf(rsvp));
  filterOldList((entry) => (rsvpToken ? entry.rsvpToken !== rsvpToken : entry.eventToken !== eventToken));
}

/** Reports whether the list outlives this page. */
export const outlives = () => keeps('organizer.') && keeps('rsvp.');

/** @param {string} eventToken @returns {SavedRSVP[]} */
export const savedRSVPs = (eventToken) => all(`rsvp.${eventToken}.`);

/** @param {string} eventToken @returns {SavedEvent | null} */
export const savedEvent = (eventToken) => recall(nameOf({ eventToken }));

/** @param {string} eventToken */
export const savedTitle = (eventToken) => (savedEvent(eventToken) ?? savedRSVPs(eventToken)[0])?.title;

/** @param {(eventToken: string) => unknown} changed called with '' if all events may have changed */
export function onOtherTabsSaved(changed) {
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

/** @param {any} entry @returns {string} */
const secretOf = ({ organizerToken, rsvpToken }) => rsvpToken ?? organizerToken;

/** @param {any} entry */
const note = (entry) => secretOf(entry).slice(0, 8);

/** @returns {any[]} */
const oldList = () =>
  [recall(old)?.events, recall(old)?.rsvps]
    .flat()
    .filter((entry) => isUUID(entry?.eventToken) && isUUID(secretOf(entry)));

/** @param {(entry: any) => unknown} isKept */
function filterOldList(isKept) {
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
