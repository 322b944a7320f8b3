// The only store of events. It merges responses of the API, the page's HTML, this device's copies and other tabs' news.
// Pages draw from `known` and listen with `onEvents`.
import { APIError, getEvent } from './api';
import { notBefore, now, serviceTime } from '../lib/clock';
import { byId, Channel } from '../lib/dom';
import { closesAt, cut, dated, isDetails, isKept, phase, type EventDetails } from './event';
import { has, isNumber } from '../lib/guards';
import { isOfGuest, isUnwanted, isWalkIn, type OfKind } from './items';
import { drop, onOutbox, unsent } from './outbox';
import { listedTokens, onOtherTabsSaved } from './saved';
import { blank, texts } from '../lib/text';
import { namesAfter, onOtherTabs, recall, remember, remove, removeTimed } from '../lib/storage';

/** `at` is when the details were read, by the service's clock. `error` says why there are no newer details. */
export type AsOf = { at: number; error: APIError };
export type Known = NonNullable<ReturnType<typeof known>>;
/** An event or some of its members. `at` is when its guest count was requested. */
type Part = { event: Partial<EventDetails> | null; at: number };
type Entry = ReturnType<typeof newEntry>;

const copies = 'event.';
const isCopy = has({ at: isNumber, event: isKept });
const mostMoves = 3;
// milliseconds
const fresh = 20_000; // the time for which an event is not read again
const patience = 4000; // the time after which a response counts as late
const followed = 1000; // the time for which a moved event waits for its successors
const recent = 10_000; // the time for which a page's HTML counts as current

// Times are by this device's clock, except `at`.
const newEntry = () => ({
  event: null as EventDetails | null,
  at: 0, // when the count was requested, by the service's clock
  due: false, // whether to read the count again, because the HTML or a guest's own request has changed it
  sure: 0, // when the event was last known to be current
  gone: false, // whether the service does not have the event
  error: null as APIError | null, // why the last request failed or is late
  failures: 0, // the number of consecutive failed requests
  pause: { from: 0, until: 0 }, // the pause that Retry-After demands
  asking: null as Promise<APIError | null> | null,
});

const entries: Map<string, Entry> = new Map();
const news = new Channel<[eventToken: string]>();

function entryOf(eventToken: string) {
  const found = entries.get(eventToken);
  if (found) return found;
  const entry = newEntry();
  entries.set(eventToken, entry);
  addCopy(entry, eventToken);
  return entry;
}

/** Merges two responses. The count is from the later request, and a cancelled event stays cancelled. */
function merge(a: Part | null, b: Part) {
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
      words: b.event.words ?? a.event.words,
    },
  };
}

const addCopy = (entry: Entry, eventToken: string) =>
  Object.assign(entry, merge(recall(copies + eventToken, isCopy), entry));

/** Calls a listener when an event, or this device's list of it, has changed. The token '' means all events. */
export const onEvents = news.listen;

const nextOf = (eventToken: string) => entryOf(eventToken).event?.movedTo;

/** The known tokens of a cancelled event's successors. Their number is bounded because moves may form a circle. */
function wayOf(eventToken: string) {
  const way: string[] = [];
  for (let next = nextOf(eventToken); next && way.length < mostMoves; next = nextOf(next)) way.push(next);
  return way;
}

export const targetOf = (eventToken: string) => wayOf(eventToken).at(-1);

/** Adds the target of the move to a moved event, unless that target is known not to accept RSVPs. */
function withMove(event: EventDetails) {
  const target = targetOf(event.eventToken);
  if (!target || isMissing(target)) return event;
  const to = entryOf(target).event ?? { ...event, eventToken: target, attendeeCount: 0, unread: true };
  return ['cancelled', 'closed'].includes(phase(to)) ? event : { ...event, to: withoutBlanks(to) };
}

/** Removes blank texts from the details, because a page would show an empty line for each. */
function withoutBlanks(event: EventDetails) {
  const shown = { ...event };
  for (const name of [...texts, 'cancellationReason'] as const)
    if (name !== 'title' && blank(shown[name] ?? '')) delete shown[name];
  return shown;
}

/**
 * The newest details of an event. The details have an age once a request has failed or is late. If the details were
 * current after `opened`, they get an age only after a second failure.
 */
export function known(eventToken: string, opened: number = 0) {
  const { event, at, sure, error, failures } = entryOf(eventToken);
  return (
    event && {
      event: withMove(withoutBlanks(event)),
      at,
      asOf: error && (sure < opened || failures > 1) ? { at, error } : null,
    }
  );
}

/** When this device may delete data about an event. */
export const endOf = (eventToken: string) => closesAt(entryOf(eventToken).event ?? { dateTime: '' });

export const isMissing = (eventToken: string) => entryOf(eventToken).gone;

/** Adds an event or some of its members. `at` is the stamp of its count. */
export function update(eventToken: string, event: Partial<EventDetails>, at: number = 0) {
  const entry = entryOf(eventToken);
  if (entry.event || event.title) Object.assign(entry, merge(entry, { event, at }));
  if (event.attendeeCount !== undefined) Object.assign(entry, { due: false, sure: Date.now() });
  keep(eventToken);
  news.send(eventToken);
}

/** Counts a guest who signed up or withdrew, unless an earlier read has counted the guest. */
function count(entry: Entry, { kind, eventToken, before }: OfKind<'rsvp' | 'withdraw'>) {
  if (!entry.event) return;
  const n = entry.event.attendeeCount;
  const attendeeCount = kind === 'rsvp' ? Math.max(n, (before ?? n) + 1) : Math.max(0, Math.min(n, (before ?? n) - 1));
  Object.assign(entry, merge(entry, { event: { attendeeCount }, at: stamp(eventToken)() }), { due: true });
  news.send(eventToken);
}

function inHTML(id: string) {
  const element = byId(id);
  element?.remove();
  return JSON.parse(`[${element?.textContent ?? ''}]`) as unknown[];
}

/** Reads an event and its successors from the page's HTML. Reports whether the HTML had the event. */
export function takeHTML(eventToken: string) {
  const at = Number(byId('event')?.dataset.at);
  const words = inHTML('words').flat();
  const parts = [...inHTML('event'), ...inHTML('way').flat()].map((part, index) =>
    Object.assign({}, part, { words: words[index] }),
  );
  const [event] = parts;
  if (!isDetails(event) || event.eventToken !== eventToken) return false;
  notBefore(at);
  let next: string | undefined;
  for (const part of parts) {
    if (isDetails(part)) {
      update(part.eventToken, dated(part), at);
      const entry = entryOf(part.eventToken); // this device's copy may be newer than the HTML
      const isCurrent = entry.at === at && Math.abs(Date.now() - at) < recent;
      Object.assign(entry, { due: true, sure: isCurrent ? Date.now() : 0 });
      next = part.movedTo;
    } else if (next) {
      entryOf(next).gone = true;
    }
  }
  return true;
}

/** Runs a request about an event, and resolves to the request's error, if any. */
export async function attempt(eventToken: string, request: () => Promise<unknown>) {
  const entry = entryOf(eventToken);
  const failed = entry.failures;
  const fail = (error: APIError) => {
    if (entry.failures < failed) return; // a later request has succeeded
    Object.assign(entry, { error, failures: failed + 1 });
    news.send(eventToken);
  };
  const late = setTimeout(fail, patience, new APIError('lost'));
  try {
    await request();
    const hadError = entry.error !== null;
    Object.assign(entry, { gone: false, error: null, failures: 0, pause: { from: 0, until: 0 } });
    if (hadError) news.send(eventToken);
    return null;
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    const from = Date.now();
    entry.pause = { from, until: from + error.retryAfter * 1000 };
    // The copy stays, because another server may have sent the 404.
    if (error.kind === 'missing') Object.assign(entry, { event: null, gone: true });
    fail(error);
    return error;
  } finally {
    clearTimeout(late);
  }
}

/**
 * Returns a function that says when this request was made. Call the function after the response has corrected the
 * clock.
 */
export function stamp(eventToken: string) {
  const { at } = entryOf(eventToken);
  const asked = Date.now();
  // Two pages may measure different skews: the stamp is always later than the known count.
  return () => Math.max(at + 1, serviceTime(asked));
}

/** Reads an event unless it was read just now. With `follows`, also reads the target of its move. */
export async function read(eventToken: string, within: number = fresh, follows: boolean = true) {
  const { due, sure } = entryOf(eventToken);
  if (!due && Math.abs(Date.now() - sure) < within) return;
  const at = stamp(eventToken);
  const event = await getEvent(eventToken);
  // Without this wait, pages would first call a moved event cancelled.
  if (follows) await Promise.race([follow(event, within), new Promise((done) => setTimeout(done, followed))]);
  update(eventToken, event, at());
}

async function follow({ movedTo }: EventDetails, within: number) {
  let next = movedTo;
  for (let moves = mostMoves; next && moves--; next = nextOf(next)) await ask(next, within, false);
}

/** Whether Retry-After forbids a request now. If the clock was set back since, Retry-After no longer counts. */
export function mustWait(eventToken: string) {
  const { from, until } = entryOf(eventToken).pause;
  return from <= Date.now() && Date.now() < until;
}

/**
 * Reads an event, and resolves to the request's error, if any.
 * @param within milliseconds for which an earlier response is enough; 0 sends a request even if another is under way
 */
export function ask(eventToken: string, within: number = fresh, follows: boolean = true) {
  const entry = entryOf(eventToken);
  if (within && entry.asking) return entry.asking;
  const asking = attempt(eventToken, () => read(eventToken, within, follows)).finally(() => {
    if (entry.asking === asking) entry.asking = null;
  });
  entry.asking = asking;
  return asking;
}

/** Returns until when this device needs copies, by token: of each listed event and of its successors. */
function needed() {
  const until = new Map<string, number>();
  const items = unsent().filter((item) => item.eventToken && !isWalkIn(item));
  for (const one of new Set([...listedTokens(), ...items.map(({ eventToken }) => eventToken)]))
    for (const eventToken of [one, ...wayOf(one)])
      until.set(eventToken, Math.max(until.get(eventToken) ?? 0, endOf(one)));
  return until;
}

/** Stores copies of an event and its successors, or removes copies that this device does not need. */
export function keep(eventToken: string) {
  const until = needed();
  for (const one of [eventToken, ...wayOf(eventToken)]) {
    const entry = entryOf(one);
    if (!until.has(one)) forgetCopy(one);
    else if (entry.event) {
      addCopy(entry, one); // another tab may have stored a newer copy
      const copy = { at: entry.at, event: cut(entry.event) };
      if (isCopy(copy)) remember(copies + one, copy, until.get(one));
    }
  }
}

const forgetCopy = (eventToken: string) => remove(copies + eventToken);

// In storage, all data about an event except its links has an expiry: drafts, ticks, walk-ins, the check-in's names,
// the number of guests seen, details. This data is deleted when the event leaves the list, or a week after its start.
export const forgetAbout = (eventToken: string) => removeTimed((_, name) => name.includes(eventToken));

/** Deletes unneeded copies, and data that has expired by this device's clock and by the service's clock. */
export function prune() {
  const time = Math.min(Date.now(), now());
  const until = needed();
  for (const eventToken of namesAfter(copies)) if (!until.has(eventToken)) forgetCopy(eventToken);
  removeTimed((end) => end <= time);
  // An item without a response is still sent, because the service decides what has expired.
  for (const item of unsent()) if (item.refused && 'dateTime' in item && closesAt(item) < time) drop(item.id);
}

onOtherTabs(copies, (eventToken) => {
  addCopy(entryOf(eventToken), eventToken);
  news.send(eventToken);
});
onOtherTabsSaved(news.send);
onOutbox((item, { answer, trouble, refusal }) => {
  if (!item?.eventToken) return;
  const { eventToken } = item;
  if (answer && isOfGuest(item) && !isUnwanted(item)) count(entryOf(eventToken), item);
  if (answer?.cancelled) update(eventToken, { ...answer.cancelled, cancelled: true });
  // Read the event: it may be cancelled because it has moved.
  if (refusal?.code === 'event-cancelled')
    void ask(eventToken, 0).then((error) => error && update(eventToken, { cancelled: true }));
  if (!trouble && !isWalkIn(item)) keep(eventToken);
});
