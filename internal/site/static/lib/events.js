// @ts-check
// The one store of events. It merges answers of the API, the page's HTML, this device's copies and
// the news of other tabs. Pages draw from `known` and listen with `onEvents`.
import { APIError, getEvent } from './api';
import { serviceTime, startAt } from './clock';
import { byId } from './dom';
import { movedReason } from './handlers';
import { movedTo } from './move';
import { items, onOutbox } from './outbox';
import { onOtherTabsSaved, savedEvent, savedRSVPs } from './saved';
import { drop, namesAfter, onOtherTabs, recall, remember } from './storage';
import { phase } from './time';
import { eventURL } from './urls';

/** @typedef {import('./api').EventDetails} EventDetails */
/** Details are as of `at`, by the service's clock; `error` is why there are none newer. @typedef {{ at: number, error: APIError }} AsOf */
/** An event or a part of it, with the count as of `at`. @typedef {{ event: Partial<EventDetails> | null, at: number }} Part */
/** `at` is that of the count. @typedef {{ event: EventDetails, at: number, asOf: AsOf | null }} Known */
/** @typedef {ReturnType<typeof newEntry>} Entry */

const copies = 'event.';
const fresh = 20_000; // milliseconds during which an answer is not requested again
const patience = 4000; // milliseconds until an answer is late
const followed = 1000; // milliseconds to wait for the target of a move
const recent = 10_000; // milliseconds during which a page's HTML counts as current

const newEntry = () => ({
  event: /** @type {EventDetails | null} */ (null),
  at: 0, // when the count was requested, by the service's clock
  html: false, // whether the count is that of the page's HTML
  sure: 0, // when the event was last known to be current, by this device's clock
  error: /** @type {APIError | null} */ (null), // why the last request failed or is late
  failures: 0, // of requests in a row
  notBefore: 0, // when the service may be asked again, by this device's clock
  asking: /** @type {Promise<APIError | null> | null} */ (null),
});

/** @type {Map<string, Entry>} */
const entries = new Map();
const news = new EventTarget();

/** @param {string} eventToken @returns {{ at: number, event: EventDetails } | null} */
const copyOf = (eventToken) => recall(copies + eventToken);

/** @param {string} eventToken */
function entryOf(eventToken) {
  const found = entries.get(eventToken);
  if (found) return found;
  const entry = newEntry();
  entries.set(eventToken, entry);
  addCopy(entry, eventToken);
  return entry;
}

/**
 * Only the count depends on the order: the later request wins, `b` at the same time. A cancelled event stays
 * cancelled, and nothing else changes.
 * @param {Part | null} a @param {Part} b
 */
function merge(a, b) {
  if (!a?.event || !b.event) return a?.event ? a : b;
  const { event, at } = b.event.attendeeCount === undefined || b.at < a.at ? a : b;
  return {
    at,
    event: {
      ...a.event,
      ...b.event,
      attendeeCount: event?.attendeeCount,
      cancelled: b.event.cancelled || a.event.cancelled,
      cancellationReason: b.event.cancellationReason ?? a.event.cancellationReason ?? null,
    },
  };
}

/** @param {Entry} entry @param {string} eventToken */
const addCopy = (entry, eventToken) => Object.assign(entry, merge(copyOf(eventToken), entry));

/** @param {string} eventToken */
const notify = (eventToken) => news.dispatchEvent(new CustomEvent('event', { detail: eventToken }));

/** News of an event, or of what this device has saved of it; '' stands for all. @param {(eventToken: string) => void} listener @param {AbortSignal} signal */
export const onEvents = (listener, signal) =>
  news.addEventListener('event', (event) => listener(/** @type {CustomEvent} */ (event).detail), { signal });

/** The move in the reason of a cancelled event. @param {EventDetails | null} [event] */
const moveOf = (event) =>
  event?.cancelled ? movedTo(event.cancellationReason ?? '', eventURL(''), event.eventToken) : null;

/** The token of the event that it has moved to. @param {string} eventToken */
export const targetOf = (eventToken) => moveOf(entryOf(eventToken).event)?.token;

/** Adds the target of a move, unless it is known not to accept RSVPs. @param {EventDetails} event */
function withMove(event) {
  const move = moveOf(event);
  const to = move && entryOf(move.token).event;
  return to && !to.cancelled && phase(to) !== 'closed' ? { ...event, to, why: move.why } : event;
}

/**
 * The newest details of an event. They have an age once a request has failed or is late; details that were
 * current since `opened`, only after two failures in a row.
 * @param {string} eventToken
 * @param {number} [opened]
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

/** Takes the event, and the target of its move, out of the page's HTML if it is there. @param {string} eventToken */
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
 * Makes a request about an event. Resolves to its error, if any.
 * @param {string} eventToken
 * @param {() => Promise<unknown>} request
 */
export async function attempt(eventToken, request) {
  const entry = entryOf(eventToken);
  const failed = entry.failures;
  const fail = (/** @type {APIError} */ error) => {
    if (entry.failures < failed) return; // a later request was answered
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

/** Returns a function for the time of a request made now, to call once its answer has corrected the clock. @param {string} eventToken */
export function stamp(eventToken) {
  const { at } = entryOf(eventToken);
  const asked = Date.now();
  // Later than the known count even if two pages measure the skew differently.
  return () => Math.max(at + 1, serviceTime(asked));
}

/**
 * Reads an event, and the target of its move, unless it was read just now.
 * @param {string} eventToken @param {number} [within] @param {boolean} [follows] whether to read the target
 */
export async function read(eventToken, within = fresh, follows = true) {
  const { html, sure } = entryOf(eventToken);
  if (!html && Math.abs(Date.now() - sure) < within) return;
  const at = stamp(eventToken);
  const event = await getEvent(eventToken);
  const move = follows && moveOf(event);
  // Wait a little for the target, so that pages do not first call the event cancelled.
  if (move)
    await Promise.race([
      ask(move.token, within, false),
      new Promise((done) => {
        setTimeout(done, followed);
      }),
    ]);
  take(eventToken, event, at());
}

/** Whether Retry-After forbids a request now. @param {string} eventToken */
export const mustWait = (eventToken) => Date.now() < entryOf(eventToken).notBefore;

/**
 * Requests an event. Resolves to the error, if any.
 * @param {string} eventToken
 * @param {number} [within] 0 requests even if an answer has just arrived or is under way
 * @param {boolean} [follows] whether to read the target of its move
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
const isListed = (eventToken) =>
  Boolean(savedEvent(eventToken)) || savedRSVPs(eventToken).length > 0 || items(eventToken).length > 0;

/** Whether this device stores copies of an event: it, or one that has moved to it, is on its list. @param {string} eventToken */
export const isKept = (eventToken) =>
  isListed(eventToken) ||
  namesAfter(copies).some((old) => moveOf(copyOf(old)?.event)?.token === eventToken && isListed(old));

/** Stores copies of an event and of the target of its move. @param {string} eventToken */
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
    if (JSON.stringify(copyOf(eventToken)) !== JSON.stringify({ at, event }))
      remember(copies + eventToken, { at, event });
  }
}

/** The events with a copy on this device. */
export const stored = () =>
  namesAfter(copies).map((eventToken) => ({ eventToken, dateTime: copyOf(eventToken)?.event?.dateTime ?? '' }));

/** @param {string} eventToken */
export const forgetCopy = (eventToken) => drop(copies + eventToken);

onOtherTabs(copies, (eventToken) => {
  addCopy(entryOf(eventToken), eventToken);
  notify(eventToken);
});
onOtherTabsSaved(notify);
onOutbox((item, { answer, refusal }) => {
  if (!item?.eventToken) return;
  const { kind, eventToken } = item;
  if (answer && kind === 'cancel') take(eventToken, { ...answer, cancelled: true });
  if (answer?.created && item.kind === 'change')
    take(eventToken, { cancelled: true, cancellationReason: movedReason(item, answer.created) });
  // The reason may say that it has moved.
  if (refusal?.code === 'event-cancelled')
    void ask(eventToken, 0).then((error) => error && take(eventToken, { cancelled: true }));
  keep(eventToken);
});
