// @ts-check
// The one store of events: answers of the API, the HTML of the page, this device's copies, and what
// other tabs have learned. Pages draw from `known`, and hear of news by `onEvents`.
import { APIError, getEvent } from './api.js';
import { serviceTime, startAt } from './clock.js';
import { byId } from './dom.js';
import { movedReason } from './handlers.js';
import { movedTo } from './move.js';
import { items, onOutbox } from './outbox.js';
import { savedEvent, savedRSVPs } from './saved.js';
import { drop, namesAfter, onOtherTabs, recall, remember } from './storage.js';
import { phase } from './time.js';
import { eventURL } from './urls.js';

/** @typedef {import('./api.js').EventDetails} EventDetails */
/** What is shown is as of `at`, by the service's clock; `error` says why there is nothing newer. @typedef {{ at: number, error: APIError }} AsOf */
/** An event or a part of it, with the count as of `at`. @typedef {{ event: Partial<EventDetails> | null, at: number }} Part */
/** `at` is that of the count. @typedef {{ event: EventDetails, at: number, asOf: AsOf | null }} Known */
/**
 * @typedef {object} Entry
 * @property {EventDetails | null} event
 * @property {number} at when the service was asked for the count, by its clock
 * @property {boolean} html whether the count is that of the page's HTML
 * @property {number} sure when the event was last known to be current, by this device's clock
 * @property {APIError | null} error why the last request failed, or takes long
 * @property {number} failures of requests in a row
 * @property {number} notBefore when the service may be asked again, by this device's clock
 * @property {Promise<APIError | null> | null} asking
 */

const copies = 'event.';
const fresh = 20_000; // milliseconds in which an answer is not asked for again
const patience = 4000; // milliseconds until an answer is late
const followed = 1000; // milliseconds in which the event that another one has moved to is waited for
const recent = 10_000; // milliseconds in which the HTML of a page counts as current

/** @type {Map<string, Entry>} */
const entries = new Map();
/** @type {Set<(eventToken: string) => void>} */
const listeners = new Set();

/** @param {string} eventToken @returns {{ at: number, event: EventDetails } | null} */
const copyOf = (eventToken) => recall(copies + eventToken);

/** @param {string} eventToken */
function entryOf(eventToken) {
  const found = entries.get(eventToken);
  if (found) return found;
  /** @type {Entry} */
  const entry = { event: null, at: 0, html: false, sure: 0, error: null, failures: 0, notBefore: 0, asking: null };
  entries.set(eventToken, entry);
  addCopy(entry, eventToken);
  return entry;
}

/**
 * Only the count depends on the order: it is that of the later request, of `b` at the same time. A cancelled event
 * stays cancelled, and nothing else changes.
 * @param {Part | null} a @param {Part} b
 */
function merge(a, b) {
  if (!a?.event || !b.event) return a?.event ? a : b;
  const { event, at } = b.event.attendeeCount === undefined || b.at < a.at ? a : b;
  return {
    at,
    event: {
      ...a.event, ...b.event,
      attendeeCount: event?.attendeeCount,
      cancelled: b.event.cancelled || a.event.cancelled,
      cancellationReason: b.event.cancellationReason ?? a.event.cancellationReason ?? null,
    },
  };
}

/** @param {Entry} entry @param {string} eventToken */
const addCopy = (entry, eventToken) => Object.assign(entry, merge(copyOf(eventToken), entry));

/** @param {string} eventToken */
function notify(eventToken) {
  for (const listener of [...listeners]) listener(eventToken);
}

/** @param {(eventToken: string) => void} listener @param {AbortSignal} signal */
export function onEvents(listener, signal) {
  listeners.add(listener);
  signal.addEventListener('abort', () => listeners.delete(listener));
}

/** The event that the reason of a cancelled one leads to. @param {EventDetails | null} [event] */
const moveOf = (event) => (event?.cancelled ? movedTo(event.cancellationReason ?? '', eventURL(''), event.eventToken) : null);

/** The token of that event. @param {string} eventToken */
export const targetOf = (eventToken) => moveOf(entryOf(eventToken).event)?.token;

/** Adds the event that it has moved to, if RSVPs to that are possible as far as is known. @param {EventDetails} event */
function withMove(event) {
  const move = moveOf(event);
  const to = move && entryOf(move.token).event;
  return to && !to.cancelled && phase(to) !== 'closed' ? { ...event, to, why: move.why } : event;
}

/**
 * The newest that is known of an event. Its age is told once a request has failed or is late; for what was
 * current since `opened`, such as on an open page, after two in a row.
 * @param {string} eventToken
 * @param {number} [opened]
 * @returns {Known | null}
 */
export function known(eventToken, opened = 0) {
  const { event, at, sure, error, failures } = entryOf(eventToken);
  return event && { event: withMove(event), at, asOf: error && (sure < opened || failures > 1) ? { at, error } : null };
}

/** Whether the service does not have the event. @param {string} eventToken */
export const isGone = (eventToken) => entryOf(eventToken).error?.kind === 'missing';

/**
 * Adds an answer of the API, or a part of one; `at` is the stamp of its count.
 * @param {string} eventToken @param {Partial<EventDetails>} event @param {number} [at]
 */
export function take(eventToken, event, at = 0) {
  const entry = entryOf(eventToken);
  if (entry.event || event.title) Object.assign(entry, merge(entry, { event, at }));
  if (event.attendeeCount !== undefined) Object.assign(entry, { html: false, sure: Date.now() });
  keep(eventToken);
  notify(eventToken);
}

/** Takes the event out of the page's HTML, if it is there, with the one that it has moved to. @param {string} eventToken */
export function takeHTML(eventToken) {
  const [element, target] = ['event', 'moved-to'].map(byId);
  const at = Number(element?.dataset.at);
  const [event, to] = [element, target].map((one) => {
    one?.remove();
    return JSON.parse(one?.textContent ?? 'null');
  });
  if (event?.eventToken !== eventToken) return false;
  startAt(at);
  for (const part of [event, to]) if (part) takePart(part, at);
  return true;
}

/** @param {EventDetails} part of the page's HTML @param {number} at */
function takePart(part, at) {
  const entry = entryOf(part.eventToken);
  Object.assign(entry, merge(entry, { event: { ...part, dateTime: part.dateTime.toUpperCase() }, at }));
  if (entry.at === at) Object.assign(entry, { html: true, sure: Math.abs(Date.now() - at) < recent ? Date.now() : 0 });
  keep(part.eventToken);
}

/**
 * Makes a request about an event. Resolves to the error with which it failed.
 * @param {string} eventToken
 * @param {() => Promise<unknown>} request
 * @returns {Promise<APIError | null>}
 */
export async function attempt(eventToken, request) {
  const entry = entryOf(eventToken);
  const failed = entry.failures;
  const fail = (/** @type {APIError} */ error) => {
    Object.assign(entry, { error, failures: failed + 1 });
    notify(eventToken);
  };
  const late = setTimeout(fail, patience, new APIError('lost'));
  try {
    await request();
    const hadError = entry.error !== null;
    Object.assign(entry, { error: null, failures: 0, notBefore: 0 });
    if (hadError) notify(eventToken);
    return null;
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    entry.notBefore = Date.now() + error.retryAfter * 1000;
    if (error.kind === 'missing') {
      entry.event = null;
      forgetCopy(eventToken);
    }
    fail(error);
    return error;
  } finally {
    clearTimeout(late);
  }
}

/** The time of a request made now, as soon as its answer has corrected the clock. @param {string} eventToken */
export function stamp(eventToken) {
  const { at } = entryOf(eventToken);
  const asked = Date.now();
  // Later than what is known, also where two pages measure the skew differently.
  return () => Math.max(at + 1, serviceTime(asked));
}

/**
 * Reads an event unless that was done just now, and with it the one that it has moved to.
 * @param {string} eventToken @param {number} [within] @param {boolean} [follows] whether to read that one, too
 */
export async function read(eventToken, within = fresh, follows = true) {
  const { html, sure } = entryOf(eventToken);
  if (!html && Math.abs(Date.now() - sure) < within) return;
  const at = stamp(eventToken);
  const event = await getEvent(eventToken);
  const move = follows && moveOf(event);
  // Pages do not say first that the event is cancelled, unless the other answer is late.
  if (move) await Promise.race([ask(move.token, within, false), new Promise((done) => { setTimeout(done, followed); })]);
  take(eventToken, event, at());
}

/** Whether the service has asked not to be asked yet. @param {string} eventToken */
export const mustWait = (eventToken) => Date.now() < entryOf(eventToken).notBefore;

/**
 * Asks the service for an event. Resolves to the error with which that failed.
 * @param {string} eventToken
 * @param {number} [within] 0 asks even if an answer has just arrived, or is under way
 * @param {boolean} [follows] whether to read the event that it has moved to, too
 */
export function ask(eventToken, within = fresh, follows = true) {
  const entry = entryOf(eventToken);
  if (within && entry.asking) return entry.asking;
  const asking = attempt(eventToken, () => read(eventToken, within, follows)).finally(() => {
    if (entry.asking === asking) entry.asking = null;
  });
  entry.asking = asking;
  return asking;
}

/** Whether an event is on the list of this device. @param {string} eventToken */
const isListed = (eventToken) => Boolean(savedEvent(eventToken)) || savedRSVPs(eventToken).length > 0 || items(eventToken).length > 0;

/** Whether this device stores what it knows of an event: it is on its list, or one on its list has moved to it. @param {string} eventToken */
export const isKept = (eventToken) => isListed(eventToken)
  || namesAfter(copies).some((old) => moveOf(copyOf(old)?.event)?.token === eventToken && isListed(old));

/** Stores what is known of an event, and of the one that it has moved to. @param {string} eventToken */
export function keep(eventToken) {
  store(eventToken);
  const target = targetOf(eventToken);
  if (target) store(target);
}

/** @param {string} eventToken */
function store(eventToken) {
  const entry = entryOf(eventToken);
  if (!isKept(eventToken)) forgetCopy(eventToken);
  else if (entry.event) {
    addCopy(entry, eventToken); // another tab may have stored something newer
    const { at, event } = entry;
    if (JSON.stringify(copyOf(eventToken)) !== JSON.stringify({ at, event })) remember(copies + eventToken, { at, event });
  }
}

/** The events of which this device has a copy. */
export const stored = () => namesAfter(copies).map((eventToken) => ({ eventToken, dateTime: copyOf(eventToken)?.event?.dateTime ?? '' }));

/** @param {string} eventToken */
export const forgetCopy = (eventToken) => drop(copies + eventToken);

onOtherTabs(copies, (eventToken) => {
  addCopy(entryOf(eventToken), eventToken);
  notify(eventToken);
});
onOutbox((item, { answer, refusal }) => {
  if (!item?.eventToken) return;
  const { kind, eventToken } = item;
  if (answer && kind === 'cancel') take(eventToken, { ...answer, cancelled: true });
  if (answer?.created && item.kind === 'change') take(eventToken, { cancelled: true, cancellationReason: movedReason(item, answer.created) });
  if (refusal?.code === 'event-cancelled') take(eventToken, { cancelled: true });
  keep(eventToken);
});
