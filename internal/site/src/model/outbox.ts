// The outbox holds requests, called items. Any open page repeats an item until the service has accepted or refused it.
// Two tabs may send the same item, which is safe because of a key or an idempotent request. Locks only save requests.
//
// Each verb for removal has one meaning:
// remove (lib/storage.ts): a value leaves storage.
// forget (saved.ts, events.ts): an entry of the list, or the stored data about an event, leaves this device.
// drop: an item leaves the outbox, and no page sends it any more.
// takeBack: a guest's yes no longer holds. A refused RSVP is dropped. Any other RSVP is withdrawn after its response.
// abandon: the event of an item was forgotten. A yes of this device is taken back. Any other item is sent unseen.
// withdraw (undo.ts): this device asks the service to cancel an RSVP.
import { APIError, createRSVP } from './api';
import { Channel, onReturn } from '../lib/dom';
import { handlers, type Answer } from './handlers';
import { amendItem, list, readItem, removeItem, writeItem, isUnwanted, type Item } from './items';
import { takeLock } from '../lib/lock';
import { keeps, namesAfter, onOtherTabs } from '../lib/storage';

/** `early` says whether the item can be undone. `error` is the latest failure or the refusal. */
export type Shown = Item & { early: boolean; error: APIError | null };
/** The outcome of an attempt. It is empty if an item was added, dropped or changed. */
export type News = { answer?: Answer; trouble?: APIError; refusal?: APIError };

// milliseconds
const longest = 30_000; // limit of the backoff and of the time to undo
const pace = 1_000; // the pause between attempts that the network or the visitor triggers
const patience = 4_000; // the time after which a response counts as late

/** The items that this page sends, each with a function that ends its pause. */
const sending: Map<string, () => void> = new Map();
/** Tells listeners about an item. The item is null if another tab has removed it. */
const news = new Channel<[item: Item | null, news: News]>();
/** The RSVPs whose response is late. */
const late: Set<string> = new Set();
let looked = 0; // when the page last became visible, or the network came back
let asked = 0; // when "Try now" was last clicked

/** A random Idempotency-Key, a UUID of version 4. crypto.randomUUID exists in secure contexts only. */
export const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');

const notify = (item: Item | null, what: News = {}) => news.send(item, what);

export const onOutbox = news.listen;

/** The items of an event, or all of them, in the order of their addition. */
export const unsent = (eventToken?: string) =>
  namesAfter(list)
    .map(readItem)
    .filter((item) => item !== null)
    .filter((item) => !item.hidden && (!eventToken || item.eventToken === eventToken))
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0))
    .map((item) => {
      const failure = item.refused ?? item.retry;
      const error = failure ? new APIError(failure.kind, failure) : late.has(item.id) ? new APIError('lost') : null;
      return { ...item, early: undoable(item) > 0, error };
    });

/** For how many more milliseconds a withdrawal can be undone. The result is bounded even if the clock was set back. */
function undoable(item: Item) {
  const left = item.kind === 'withdraw' && item.due ? item.due - Date.now() : 0;
  return left < longest ? Math.max(0, left) : 0;
}

/** Whether the response asks for a pause. */
const isHeld = ({ status }: Pick<APIError, 'status'>) => status === 429 || status >= 500;

function waitOf(item: Item) {
  const now = Date.now();
  const { retry } = item;
  if (undoable(item)) return undoable(item);
  if (!retry || now < retry.from) return 0; // the clock was set back
  const isSince = (time: number) => time > retry.from && time <= now;
  if (isSince(asked)) return 0;
  const until = isSince(looked) && !isHeld(retry) ? Math.min(retry.until, retry.from + pace) : retry.until;
  return Math.max(0, until - now);
}

/** Exponential backoff with jitter, never shorter than Retry-After. */
function retryAfter({ retry }: Item, { kind, status, retryAfter: seconds }: APIError) {
  const count = (retry?.count ?? 0) + 1;
  const from = Date.now();
  const backoff = Math.min(longest, 500 * 2 ** count) * (0.5 + Math.random() / 2);
  return { kind, status, count, from, until: from + Math.max(seconds * 1000, backoff) };
}

export const isKept = (id: string) => keeps(list + id);

/** Stores and sends items. A change is sent only if storage has accepted it. */
export function add(...all: Item[]) {
  all.forEach((item, index) => writeItem({ ...item, at: Date.now() + index / 1000 }));
  for (const item of all) {
    if (item.kind === 'change' && !isKept(item.id)) removeItem(item.id);
    else {
      void deliver(item.id);
      notify(item);
    }
  }
}

export function drop(id: string) {
  const item = readItem(id);
  removeItem(id);
  sending.get(id)?.();
  if (item) notify(item);
}

const deliverAll = () => namesAfter(list).forEach((id) => void deliver(id));

export function sendNow() {
  asked = Date.now();
  deliverAll();
}

/**
 * Ends the time to undo a withdrawal. The request begins at once, without a lock, because a page that is being hidden
 * may be frozen next.
 */
export function sendEarly(id: string) {
  amendItem(id, { due: 0 });
  notify(readItem(id));
  void send(id).finally(() => void deliver(id));
}

export function takeBack({ id, refused }: Item) {
  if (refused) drop(id);
  else amendItem(id, { unwanted: true, hidden: true });
}

export function abandon(item: Item) {
  if (item.refused || (item.kind === 'rsvp' && !item.nth)) takeBack(item);
  else amendItem(item.id, { hidden: true });
}

const pause = (id: string, time: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, time);
    sending.set(id, resolve);
  });

/** Sends an item until it is accepted, refused or dropped. A call during a pause ends the pause. */
async function deliver(id: string) {
  const wake = sending.get(id);
  if (wake) return wake();
  sending.set(id, () => {});
  try {
    for (let item = readItem(id); item && !item.refused; item = readItem(id)) {
      const wait = waitOf(item);
      if (wait) {
        await pause(id, wait);
        continue;
      }
      const free = await takeLock(list + id);
      await pause(id, 0); // a browser grants hundreds of locks in one task
      await send(id).finally(free);
    }
  } finally {
    sending.delete(id);
  }
}

async function send(id: string) {
  const item = readItem(id);
  // Another tab may have sent the item while this tab waited for the lock.
  if (!item || item.refused || waitOf(item)) return;
  if (item.kind === 'withdraw' && item.due) {
    amendItem(id, { due: 0 }); // the visitor can no longer undo the withdrawal
    notify(item);
  }
  const isCurrent = () => {
    const current = readItem(id);
    return current && isUnwanted(current) === isUnwanted(item);
  };
  const timer = setTimeout(() => {
    if (item.kind !== 'rsvp') return;
    late.add(id);
    notify(item, { trouble: new APIError('lost') });
  }, patience);
  try {
    const answer = await handlers[item.kind](item as never).finally(() => {
      clearTimeout(timer);
      late.delete(id);
    });
    const is = isCurrent();
    if (is) removeItem(id);
    notify(item, is ? { answer: answer ?? {} } : {});
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    const is = isCurrent();
    // Store the retry before the lock is free, so that another tab keeps the pause.
    if (!error.final) amendItem(id, { retry: retryAfter(item, error) });
    else if (is) amendItem(id, { refused: error, hidden: false });
    notify(item, !is ? {} : error.final ? { refusal: error } : { trouble: error });
  }
}

function resume() {
  looked = Date.now();
  deliverAll();
}

export function startOutbox() {
  onOtherTabs(list, (id) => {
    sending.get(id)?.();
    // Wait, so that the tab that added the item gets the lock first and shows the response.
    setTimeout(deliver, pace, id);
    notify(readItem(id));
  });
  onReturn(resume, null); // null stands for all pages of this visit
  addEventListener('pagehide', () => {
    for (const item of unsent()) {
      if (item.kind === 'rsvp' && !item.refused && item.retry && !isHeld(item.retry))
        createRSVP(item.eventToken, item.name, item.id).catch(() => {});
    }
  });
  resume();
}
