// @ts-check
// The events announced and the RSVPs made on this device, with their links. Each has a name of its own in
// storage, so that no tab overwrites another's, and the time at which it was added.
import { drop, keeps, namesAfter, onOtherTabs, recall, remember } from './storage.js';

/** @typedef {{ eventToken: string, organizerToken: string, title: string, dateTime: string, timezone: string }} SavedEvent */
/** @typedef {{ eventToken: string, rsvpToken: string, name: string, title: string, dateTime: string, timezone: string }} SavedRSVP */
/** @typedef {{ events: SavedEvent[], rsvps: SavedRSVP[] }} Saved */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param {unknown} value */
export const isUUID = (value) => typeof value === 'string' && uuid.test(value);

const texts = ['title', 'dateTime', 'timezone'];
const shapes = {
  events: { start: 'organizer.', tokens: ['eventToken', 'organizerToken'], texts },
  rsvps: { start: 'rsvp.', tokens: ['eventToken', 'rsvpToken'], texts: ['name', ...texts] },
};

/** The members of an exported entry. */
export const members = [...new Set([...shapes.events.tokens, ...shapes.rsvps.tokens, ...shapes.rsvps.texts])];

/**
 * Returns the known members of an entry; throws an error with the name of the first
 * invalid one.
 * @param {any} entry
 * @param {{ tokens: string[], texts: string[] }} shape
 */
function checked(entry, { tokens, texts: names }) {
  /** @type {any} */
  const result = {};
  for (const name of [...tokens, ...names]) {
    const value = entry?.[name];
    // RFC 3339 has years of four digits.
    const valid = tokens.includes(name) ? isUUID(value)
      : typeof value === 'string' && (name !== 'dateTime' || (/^\d{4}-/.test(value) && !Number.isNaN(Date.parse(value))));
    if (!valid) throw new Error(name);
    result[name] = tokens.includes(name) ? value.toLowerCase() : value;
  }
  return result;
}

/**
 * Checks an imported list, which is valid as a whole or not at all; throws an error
 * with the path of the first invalid member.
 * @param {any} data
 * @returns {Saved}
 */
export function checkSaved(data) {
  /** @type {any} */
  const result = {};
  for (const [list, shape] of Object.entries(shapes)) {
    if (!Array.isArray(data?.[list])) throw new Error(list);
    result[list] = data[list].map((/** @type {unknown} */ entry, /** @type {number} */ index) => {
      try {
        return checked(entry, shape);
      } catch (error) {
        throw new Error(`${list}[${index}].${/** @type {Error} */ (error).message}`, { cause: error });
      }
    });
  }
  return result;
}

/** The name of an entry in storage. @param {any} entry */
const nameOf = ({ eventToken, rsvpToken }) => (rsvpToken ? `rsvp.${eventToken}.${rsvpToken}` : `organizer.${eventToken}`);

/**
 * An entry with all members of its shape. Whatever form it was stored in, it is not left out: it may hold the only
 * copy of a link.
 * @param {{ tokens: string[], texts: string[] }} shape
 * @returns {(entry: any) => any}
 */
const whole = ({ tokens, texts: names }) => (entry) =>
  ({ ...entry, ...Object.fromEntries([...tokens, ...names].map((name) => [name, String(entry[name] ?? '')])) });

/**
 * The entries whose names begin with this, in the order in which they were added.
 * @param {{ start: string, tokens: string[], texts: string[] }} shape
 * @param {string} [eventToken]
 */
const all = (shape, eventToken = '') => namesAfter(shape.start + eventToken).map((rest) => recall(shape.start + eventToken + rest))
  .filter((entry) => isUUID(entry?.eventToken)).map(whole(shape)).sort((a, b) => (a.at ?? 0) - (b.at ?? 0));

/** The list of this device. @returns {Saved} */
export const saved = () => ({ events: all(shapes.events), rsvps: all(shapes.rsvps) });

/** Saves what is not saved yet. @param {Partial<Saved>} added */
export function save({ events = [], rsvps = [] }) {
  const at = Date.now();
  [...events, ...rsvps].forEach((entry, index) => {
    if (!recall(nameOf(entry))) remember(nameOf(entry), { ...entry, at: at + index / 1000 });
  });
}

/**
 * Saves an event whose secret the service has accepted, replacing its former entry.
 * Reports whether storage has it.
 * @param {SavedEvent} event
 */
export function saveAccepted(event) {
  const name = nameOf(event);
  remember(name, { ...event, at: recall(name)?.at ?? Date.now() });
  return keeps(name);
}

/** @param {string} eventToken @param {string} rsvpToken */
export function forget(eventToken, rsvpToken) {
  drop(nameOf({ eventToken, rsvpToken }));
  filterOldList((entry) => entry.rsvpToken !== rsvpToken);
}

/** Forgets an event and its RSVPs. @param {string} eventToken */
export function forgetEvent(eventToken) {
  drop(nameOf({ eventToken }));
  for (const rest of namesAfter(`rsvp.${eventToken}`)) drop(`rsvp.${eventToken}${rest}`);
  filterOldList((entry) => entry.eventToken !== eventToken);
}

/** Reports whether the list outlives this page. */
export const outlives = () => Object.values(shapes).every(({ start }) => keeps(start));

/** @param {string} eventToken @returns {SavedRSVP[]} */
export const savedRSVPs = (eventToken) => all(shapes.rsvps, eventToken);

/** @param {string} eventToken @returns {SavedEvent | undefined} */
export const savedEvent = (eventToken) => {
  const entry = recall(nameOf({ eventToken }));
  return entry ? whole(shapes.events)(entry) : undefined;
};

/** @param {string} eventToken */
export const savedTitle = (eventToken) => (savedEvent(eventToken) ?? savedRSVPs(eventToken)[0])?.title;

const pause = 50; // milliseconds in which another tab's changes are collected

/** @param {() => void} changed @param {AbortSignal} signal */
export function onSavedElsewhere(changed, signal) {
  let timer = 0;
  const collect = () => {
    clearTimeout(timer);
    timer = setTimeout(changed, pause);
  };
  for (const { start } of Object.values(shapes)) onOtherTabs(start, collect, signal);
  onOtherTabs(old, () => {
    adoptOldList();
    collect();
  }, signal);
  signal.addEventListener('abort', () => clearTimeout(timer));
}

// The version before stored the list under one name. That stays for one release: for its tabs, its shell and a
// rollback. Each entry is adopted once, and what is removed here is removed there.
const old = 'mine';

// The beginnings of the tokens that were adopted: enough to know them again, too little to use them.
const adopted = 'adopted';

/** @param {any} entry */
const note = ({ organizerToken, rsvpToken }) => (organizerToken ?? rsvpToken).slice(0, 8);

/** @returns {any[][]} events and RSVPs */
const oldLists = () => Object.entries(shapes).map(([list, { tokens }]) =>
  [recall(old)?.[list]].flat().filter((entry) => tokens.every((token) => isUUID(entry?.[token]))));

/** @param {(entry: any) => boolean} isKept */
function filterOldList(isKept) {
  const before = oldLists();
  const [events, rsvps] = before.map((list) => list.filter(isKept));
  if (events.length + rsvps.length < before.flat().length) remember(old, { events, rsvps });
}

export function adoptOldList() {
  const known = [recall(adopted) ?? []].flat();
  const [events, rsvps] = oldLists().map((list) => list.filter((entry) => !known.includes(note(entry))));
  save({ events, rsvps });
  if (events.length + rsvps.length && outlives()) remember(adopted, [...known, ...[...events, ...rsvps].map(note)]);
  // A tab of that version may have written again what was removed here.
  filterOldList((entry) => Boolean(recall(nameOf(entry))));
}
