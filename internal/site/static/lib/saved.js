// @ts-check
// The events announced and the RSVPs made on this device, with their links.
import { edit, keeps, onOtherTab, recall } from './storage.js';

/** @typedef {{ eventToken: string, organizerToken: string, title: string, dateTime: string, timezone: string }} SavedEvent */
/** @typedef {{ eventToken: string, rsvpToken: string, name: string, title: string, dateTime: string, timezone: string }} SavedRSVP */
/** @typedef {{ events: SavedEvent[], rsvps: SavedRSVP[] }} Saved */

// The name in storage; it cannot change, because lists are stored under it.
const key = 'mine';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param {unknown} value */
export const isUUID = (value) => typeof value === 'string' && uuid.test(value);

const texts = ['title', 'dateTime', 'timezone'];
const shapes = {
  events: { tokens: ['eventToken', 'organizerToken'], texts },
  rsvps: { tokens: ['eventToken', 'rsvpToken'], texts: [...texts, 'name'] },
};

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
    const valid = tokens.includes(name) ? isUUID(value)
      : typeof value === 'string' && (name !== 'dateTime' || !Number.isNaN(Date.parse(value)));
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

/**
 * A stored list without damaged entries.
 * @param {any} list
 * @returns {Saved}
 */
function whole(list) {
  /** @param {'events' | 'rsvps'} name */
  const entries = (name) => (Array.isArray(list?.[name]) ? list[name] : []).flatMap((/** @type {unknown} */ entry) => {
    try {
      return [checked(entry, shapes[name])];
    } catch {
      return [];
    }
  });
  return { events: entries('events'), rsvps: entries('rsvps') };
}

/** The list of this device. */
export const saved = () => whole(recall(key));

/** @param {(list: Saved) => Saved} change */
const editSaved = (change) => edit(key, (list) => change(whole(list)));

/** @param {Saved} added */
const add = ({ events, rsvps }) => editSaved((list) => {
  const known = new Set([...list.events.map((entry) => entry.organizerToken), ...list.rsvps.map((entry) => entry.rsvpToken)]);
  return {
    events: [...list.events, ...events.filter(({ organizerToken }) => !known.has(organizerToken) && known.add(organizerToken))],
    rsvps: [...list.rsvps, ...rsvps.filter(({ rsvpToken }) => !known.has(rsvpToken) && known.add(rsvpToken))],
  };
});

/** What this page has added lately, and when it added the last of it. @type {Saved & { at: number }} */
let latest = { events: [], rsvps: [], at: 0 };

const isFresh = () => Math.abs(Date.now() - latest.at) < 1000;

/** @param {Partial<Saved>} added */
export function save({ events = [], rsvps = [] }) {
  const before = isFresh() ? latest : { events: [], rsvps: [] };
  latest = { events: [...before.events, ...events], rsvps: [...before.rsvps, ...rsvps], at: Date.now() };
  add(latest);
}

// A tab that writes at the same moment may have read the list before this page's change.
onOtherTab(key, () => { if (isFresh()) add(latest); });

/**
 * Saves an event whose secret the service has accepted, replacing its former entry.
 * Reports whether storage has it.
 * @param {SavedEvent} event
 */
export function saveAccepted(event) {
  editSaved(({ events, rsvps }) => ({ events: [...events.filter(({ eventToken }) => eventToken !== event.eventToken), event], rsvps }));
  return outlives();
}

/** @param {string} token of an organizer or an RSVP */
export function forget(token) {
  latest.at = 0;
  editSaved(({ events, rsvps }) => ({
    events: events.filter((entry) => entry.organizerToken !== token),
    rsvps: rsvps.filter((entry) => entry.rsvpToken !== token),
  }));
}

/** Reports whether the list outlives this page. */
export const outlives = () => keeps(key);

/** @param {string} eventToken */
export const savedRSVPs = (eventToken) => saved().rsvps.filter((entry) => entry.eventToken === eventToken);

/** @param {string} eventToken */
export const savedEvent = (eventToken) => saved().events.find((entry) => entry.eventToken === eventToken);

/** @param {string} eventToken */
export const savedTitle = (eventToken) => (savedEvent(eventToken) ?? savedRSVPs(eventToken)[0])?.title;

/** @param {() => void} changed @param {AbortSignal} signal */
export const onSavedElsewhere = (changed, signal) => onOtherTab(key, changed, signal);
