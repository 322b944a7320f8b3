// @ts-check
// Requests that are repeated until the service has answered, by any page that is open. Each
// item has its own entry in storage, so that tabs do not overwrite each other's items. Two
// tabs may send the same item: its key, or an idempotent request, makes that safe. Locks
// only save requests.
import { APIError } from './api.js';
import { onReturn } from './browser.js';
import { kinds } from './kinds.js';
import { isUUID } from './saved.js';
import { drop as forgetName, keeps, namesAfter, onOtherTabs, recall, remember } from './storage.js';

/** @typedef {Pick<APIError, 'kind' | 'status' | 'code' | 'fieldErrors'>} Refusal */
/**
 * @typedef {object} Item
 * @property {string} id the key or the token that makes it safe to send again
 * @property {string} kind in kinds.js
 * @property {string} eventToken of the event that it belongs to, and is removed with; '' for none
 * @property {string} [title] of the event, with dateTime and timezone, as lists show it
 * @property {string} [dateTime]
 * @property {string} [timezone]
 * @property {string} [name] of the guest
 * @property {string} [draft] the name of the draft of what was sent
 * @property {import('./saved.js').SavedEvent} [created] by a change that is half done
 * @property {number} [at] when it was added
 * @property {number} [due] when it is sent; until then it can be undone
 * @property {Refusal} [refused] the refusal that has ended it; the item stays until it is dropped
 * @property {boolean} [hidden] whether it is not shown unless it is refused
 */
/**
 * An item as a page shows it.
 * @typedef {Item & { early: boolean, error: APIError | null }} Shown early while it is not yet
 *     sent and can be undone; error says why there is no answer yet, or what the refusal was
 */
/**
 * What happened to an item: it was answered, an attempt got no answer, or it was refused. Empty
 * when it is about to be sent, was dropped, or was changed by another tab.
 * @typedef {{ answer?: any, trouble?: APIError, refusal?: APIError }} News
 */
/** @typedef {(item: any, news: News) => void} Listener the item is null if another tab has removed it */
/** @typedef {{ early: boolean, attempt: number, trouble: APIError | null, notBefore: number, now: () => void }} Run */

const list = 'outbox.';
const longest = 30_000;
const settled = 100; // milliseconds until all tabs read what one of them wrote
const headStart = 5_000; // milliseconds until other tabs send what one of them has added

/** @type {Map<string, Run>} */
const runs = new Map();
/** @type {Set<Listener>} */
const listeners = new Set();
/** Items that this page has added, and sends at once when it is left. @type {Set<string>} */
const own = new Set();

/** @param {string} id @returns {any} */
function read(id) {
  const item = recall(list + id);
  return isUUID(id) && Object.hasOwn(kinds, item?.kind) ? { ...item, id } : null;
}

/** @param {Item} item */
const write = (item) => remember(list + item.id, item);

/** Changes an item that is still there. @param {string} id @param {object} more */
function amend(id, more) {
  const item = read(id);
  if (item) write({ ...item, ...more });
}

/** @param {any} item @param {News} [news] */
function tell(item, news = {}) {
  for (const listener of [...listeners]) listener(item, news);
}

/**
 * The items of an event, or all of them, in the order in which they were added.
 * @param {string} [eventToken]
 * @returns {Shown[]}
 */
export const items = (eventToken) => namesAfter(list).map(read)
  .filter((item) => item && !item.hidden && (!eventToken || item.eventToken === eventToken))
  .sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
  .map((item) => ({
    ...item,
    early: runs.get(item.id)?.early ?? isEarly(item),
    error: item.refused ? new APIError(item.refused.kind, item.refused) : runs.get(item.id)?.trouble ?? null,
  }));

/**
 * Whether an item can still be undone. The time is limited even if the clock was set back.
 * @param {Item | null} item
 */
function isEarly(item) {
  const left = (item?.due ?? 0) - Date.now();
  return left > 0 && left < longest;
}

/** Reports whether an item outlives this page. @param {string} id */
export const isKept = (id) => keeps(list + id);

/**
 * Stores an item, and sends it until it is answered. Reports whether it outlives this page;
 * if it does not, a durable item is not sent.
 * @template {Item} One
 * @param {One} item
 */
export function add(item) {
  write({ ...item, at: Date.now() });
  if (kinds[item.kind].durable && !isKept(item.id)) {
    forgetName(list + item.id);
    return false;
  }
  own.add(item.id);
  // If tabs add the same item at the same moment, the last one is sent.
  pursue(item.id, kinds[item.kind].durable ? settled : 0);
  tell(item);
  return isKept(item.id);
}

/** Removes an item that is not yet sent or was refused. @param {string} id */
export function drop(id) {
  const item = read(id);
  forgetName(list + id);
  runs.get(id)?.now();
  if (item) tell(item);
}

/** Makes the next attempt for every item now. */
export function sendNow() {
  for (const run of runs.values()) if (!run.early) run.now();
}

/** Sends now what this page has added for an event and could still be undone. @param {string} eventToken */
export function endUndo(eventToken) {
  for (const { id } of early(eventToken)) {
    amend(id, { due: 0 });
    runs.get(id)?.now();
  }
}

/** @param {string} [eventToken] */
const early = (eventToken) => items(eventToken).filter((item) => item.early && own.has(item.id));

/** Drops the items of an event that is removed from this device; those that must be sent are hidden. @param {string} eventToken */
export function forgetItems(eventToken) {
  for (const item of items(eventToken)) {
    if (kinds[item.kind].lasts && !item.refused) amend(item.id, { hidden: true });
    else drop(item.id);
  }
}

/** @param {Listener} listener @param {AbortSignal} signal */
export function onOutbox(listener, signal) {
  listeners.add(listener);
  signal.addEventListener('abort', () => listeners.delete(listener));
}

/** @param {Run} run @param {number} time @returns {Promise<void>} */
const pause = (run, time) => new Promise((resolve) => {
  const timer = setTimeout(resolve, time);
  run.now = () => {
    clearTimeout(timer);
    resolve();
  };
});

/**
 * Runs work while no other tab sends the item, or after headStart in any case: a tab that the
 * system has suspended keeps its locks. Pages without HTTPS have no locks.
 * @param {string} id
 * @param {() => Promise<void>} work
 */
async function alone(id, work) {
  let begun = false;
  const begin = () => {
    begun = true;
    return work();
  };
  try {
    await navigator.locks.request(list + id, { signal: AbortSignal.timeout(headStart) }, begin);
  } catch (error) {
    if (begun) throw error;
    await work();
  }
}

/** Sends an item until it is answered, undone or dropped. @param {string} id @param {number} [wait] before the first attempt */
async function pursue(id, wait = 0) {
  if (runs.has(id)) return;
  /** @type {Run} */
  const run = { early: isEarly(read(id)), attempt: 0, trouble: null, notBefore: 0, now() {} };
  runs.set(id, run);
  try {
    if (wait) await pause(run, wait);
    for (let item = read(id); item && !item.refused; item = read(id)) {
      run.early = isEarly(item);
      if (run.early) await pause(run, item.due - Date.now());
      else await attempt(id, run);
    }
  } finally {
    runs.delete(id);
  }
}

/**
 * The wait before the next attempt: exponential backoff with jitter, at least what the answer asks for.
 * @param {Run} run
 */
function waitAfter(run) {
  const asked = (run.trouble?.retryAfter ?? 0) * 1000;
  run.notBefore = Date.now() + asked;
  run.attempt += 1;
  return Math.max(asked, Math.min(longest, 500 * 2 ** run.attempt) * (0.5 + Math.random() / 2));
}

/** @param {string} id @param {Run} run */
async function attempt(id, run) {
  await alone(id, () => send(id, run));
  if (run.trouble && read(id)) await pause(run, waitAfter(run));
}

/** @param {string} id @param {Run} run */
async function send(id, run) {
  const item = read(id);
  if (!item || item.refused || isEarly(item)) return;
  tell(item);
  const keep = (/** @type {object} */ more) => {
    Object.assign(item, more);
    amend(id, more);
  };
  let answer;
  try {
    answer = await kinds[item.kind].send(item, keep);
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    fail(item, run, error);
    return;
  }
  run.trouble = null;
  const known = Boolean(read(id));
  kinds[item.kind].done(item, answer, known);
  forgetName(list + id);
  tell(item, known ? { answer } : {});
}

/** @param {Item} item @param {Run} run @param {APIError} error */
function fail(item, run, error) {
  const kept = read(item.id);
  run.trouble = error.final ? null : error;
  if (!kept) {
    tell(item);
  } else if (error.final) {
    const { kind, status, code, fieldErrors } = error;
    amend(item.id, { refused: { kind, status, code, fieldErrors }, hidden: false });
    tell(item, { refusal: error });
  } else {
    tell(item, { trouble: error });
  }
}

/** Sends all items, at once unless an answer has asked to wait. */
function resume() {
  for (const id of namesAfter(list)) pursue(id);
  for (const run of runs.values()) if (!run.early && run.notBefore <= Date.now()) run.now();
}

/** Starts sending the items of the outbox. */
export function startOutbox() {
  onOtherTabs(list, (id) => {
    const item = read(id);
    runs.get(id)?.now();
    if (item) pursue(id, headStart);
    tell(item);
  });
  addEventListener('online', resume);
  onReturn(resume, new AbortController().signal);
  addEventListener('pagehide', () => {
    for (const item of early()) {
      amend(item.id, { due: 0 });
      // The page may be restored from the back/forward cache: the item can no longer be undone.
      const run = runs.get(item.id);
      if (run) run.early = false;
      kinds[item.kind].send(item, () => {}).catch(() => {});
    }
  });
  resume();
}

/** Converts what earlier versions of the site stored: one entry for all RSVPs, and one for all withdrawals. */
export function takeOver() {
  const [sent, leaving] = ['unanswered', 'leaving'].map((name) => Object.values(recall(name) ?? {}));
  for (const name of ['unanswered', 'leaving']) forgetName(name);
  for (const one of sent) if (isUUID(one?.key)) write({ ...one, id: one.key, kind: 'rsvp' });
  for (const one of leaving) if (one?.rsvp) write({ ...one.rsvp, id: one.rsvp.rsvpToken, kind: 'withdraw' });
}
