// Faults of the page's environment.
import type { Item } from '../../src/model/items';
import { replace } from './calls';
import { find, later, pause, requestsMade } from './driving';
import { changeOf, kept, store, storedUnder } from './storage';

/** What a request gets in place of the service's answer; a type of Go's, with the same members. */
type Answer = {
  /** of a reply, which is the problem of a code, or has a body */
  status?: number;
  code?: string;
  fields?: string[];
  body?: string;
  /** nothing: before or after the service has done its work */
  lost?: 'after' | 'before';
  /** the service's reply */
  real?: boolean;
  headers?: Record<string, string>;
  /** until letAnswersGo */
  held?: boolean;
  /** a part of the address */
  path?: string;
  skip?: number;
  times?: number;
};

const answers: Map<string, Answer> = new Map();
let isAnswering = false;
let timesAnswered = 0;
let held: (() => void)[] = [];

/** Answers the requests of a method in another way; without one, as the service does. */
export function instead(method: string, other: Answer | null) {
  if (other) answers.set(method, other);
  else answers.delete(method);
  if (isAnswering) return;
  isAnswering = true;
  replace(window, 'fetch', (fetch) => async (address, options) => {
    const real = () => fetch(address, options);
    const answer = answers.get(options?.method ?? '');
    return answer && isFor(answer, String(address)) ? reply(answer, real) : real();
  });
}

function isFor(answer: Answer, address: string) {
  const { path = '', skip = 0, times = Infinity } = answer;
  if (!address.includes(path)) return false;
  if (skip) answer.skip = skip - 1;
  else if (times) answer.times = times - 1;
  return !skip && times > 0;
}

async function reply(
  { status = 200, code, fields, body, lost, headers, ...how }: Answer,
  real: () => Promise<Response>,
) {
  timesAnswered += 1;
  if (how.held) await new Promise<void>((go) => held.push(go));
  if (lost === 'after') await real();
  if (lost) throw new TypeError('lost');
  const served = how.real ? await real() : null;
  if (served && !headers) return served;
  const fieldErrors = fields?.map((field) => ({ field, message: 'must be other' }));
  const problem = code && JSON.stringify({ type: `urn:turnout:problem:${code}`, fieldErrors });
  const text = served ? await served.text() : (problem ?? body ?? '');
  return new Response(status === 204 ? null : text, { status, headers: headers ?? {} });
}

/** How many requests were not answered by the service. */
export const answeredInstead = () => timesAnswered;

export const holdsAnswers = () => held.length > 0;

export function letAnswersGo() {
  for (const go of held) go();
  held = [];
}

let itemsAtFirst = -1;

/** Notes how many items are stored when the first request of a method is made. */
export function noteItems(method: string) {
  replace(window, 'fetch', (fetch) => (address, options) => {
    if (options?.method === method && itemsAtFirst < 0) itemsAtFirst = storedUnder('outbox.').length;
    return fetch(address, options);
  });
}

export const notedItems = () => itemsAtFirst;

/** Records the Idempotency-Key of each write on this device. */
export function noteKeys() {
  replace(window, 'fetch', (fetch) => (address, options) => {
    const key = new Headers(options?.headers).get('Idempotency-Key');
    if (key) localStorage.setItem(`key ${options?.method} ${key}`, '');
    return fetch(address, options);
  });
}

/** Each as the method and the key. */
export const notedKeys = () =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith('key '))
    .map((name) => name.replace('key ', ''))
    .sort();

export const notedMethods = () => notedKeys().map((noted) => noted.replace(/ .*/, ''));

/** Holds the lock of each item, as a suspended tab does. */
export function keepLocks() {
  replace(LockManager.prototype, 'request', (before) => {
    const request = (locks: LockManager, ...rest: unknown[]) => Reflect.apply(before, locks, rest) as Promise<unknown>;
    return function (this: LockManager, name: string, ...rest: unknown[]) {
      if (name.startsWith('outbox.')) void request(this, name, () => new Promise(() => {}));
      return request(this, name, ...rest);
    };
  });
}

/** Overwrites the first item that is stored, as another tab would, with another key. */
export function overwriteItem(createKey: string) {
  const { prototype } = Storage;
  replace(
    prototype,
    'setItem',
    (setItem) =>
      function (this: Storage, name, value) {
        setItem.call(this, name, value);
        if (!name.startsWith('turnout.outbox.')) return;
        prototype.setItem = setItem;
        queueMicrotask(() => setItem.call(this, name, JSON.stringify({ ...JSON.parse(value), createKey })));
      },
  );
}

let installing: string = '';

/** Notes the state of a service worker that is being installed. */
export function noteInstall() {
  replace(
    ServiceWorkerContainer.prototype,
    'register',
    (register) =>
      async function (this: ServiceWorkerContainer, ...how) {
        const registration = await register.apply(this, how);
        const worker = registration.installing;
        const note = () => {
          installing = worker?.state ?? 'redundant';
        };
        worker?.addEventListener('statechange', note);
        note();
        return registration;
      },
  );
}

let isRefused = false;

export function refuseWorkers() {
  ServiceWorkerContainer.prototype.register = async () => {
    isRefused = true;
    throw new Error('full');
  };
}

export const refusedWorker = () => isRefused;

let claimed = false;

/** Notes that another service worker takes over the page. */
export const noteClaim = () =>
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    claimed = true;
  });

export const isClaimed = () => claimed;

/** Whether there is no service worker, nor anything that one has kept. */
export async function isWithoutWorker() {
  const [names, workers] = await Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()]);
  return names.length + workers.length === 0;
}

export const installState = () => installing;

type Moment = { EventToken: string; Title: string; DateTime: string; Timezone: string };

/**
 * Stores an unsent RSVP and an unsent withdrawal. A third item can be undone until a time far ahead, as if the clock
 * had been set back; a fourth was refused.
 */
export function leaveItems(event: Moment, rsvpToken: string, undone: string) {
  const [unsent, refused] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
  const of = { eventToken: event.EventToken, title: event.Title, dateTime: event.DateTime, timezone: event.Timezone };
  const answer: Item['refused'] = { kind: 'answer', status: 409, code: '', fieldErrors: [] };
  store('outbox.', unsent, { ...of, id: unsent, kind: 'rsvp', name: 'Anna' });
  store('outbox.', rsvpToken, { ...of, id: rsvpToken, kind: 'withdraw', name: 'Cleo', due: 0 });
  store('outbox.', undone, { ...of, id: undone, kind: 'withdraw', name: 'Emil', due: Date.now() + 60 * 864e5 });
  store('outbox.', refused, { ...of, id: refused, kind: 'rsvp', name: 'Dora', refused: answer });
}

/** Damages stored values: the saved event keeps its title and its links, and gets a date that no calendar has. */
export function damage() {
  const name = Object.keys(localStorage).find((one) => one.startsWith('turnout.organizer.')) ?? '';
  const [event] = storedUnder('organizer.');
  if (!event) throw new Error('no event is saved');
  const dateless = { ...event, eventToken: event.organizerToken, title: 'Dateless', dateTime: 'soon' };
  const damaged = {
    [name]: JSON.stringify({ ...event, dateTime: '+275760-09-13T00:00:00Z', timezone: 'Nowhere/Else' }),
    'turnout.organizer.0': JSON.stringify(dateless),
    'turnout.organizer.1': '{"eventToken"',
    'turnout.rsvp.1.2': '[null]',
    'turnout.rsvp.1.3': `{"eventToken":"${event.organizerToken}"}`,
    'turnout.drafts': '{"event": {"title"',
    'turnout.outbox.1': '{"kind"',
    [`turnout.outbox.${event.eventToken}`]: '{"kind": "toString"}',
  };
  for (const [one, text] of Object.entries(damaged)) localStorage.setItem(one, text);
}

/** Leaves no room for anything in storage, in any tab. */
export function fillStorage() {
  let filling = '';
  for (let size = 2 ** 23; size >= 1; size /= 2) {
    try {
      localStorage.setItem('filling', filling + 'x'.repeat(size));
      filling += 'x'.repeat(size);
    } catch {
      // less fits
    }
  }
}

/** Lets storage refuse what is stored under names with this beginning. */
export function refuseToStore(beginning: string) {
  replace(
    Storage.prototype,
    'setItem',
    (setItem) =>
      function (this: Storage, name, value) {
        if (name.startsWith(beginning)) throw new DOMException('', 'QuotaExceededError');
        setItem.call(this, name, value);
      },
  );
}

/** The same, with nothing left in it, on a device that has a name. */
export function loseStorage(name: string) {
  if (!localStorage.getItem(name)) return;
  localStorage.clear();
  refuseToStore('');
}

/** Lets storage take everything and store nothing. */
export const storeNothing = () => replace(Storage.prototype, 'setItem', () => () => {});

export function block(storage: 'localStorage' | 'sessionStorage') {
  Object.defineProperty(window, storage, {
    get() {
      throw new DOMException('', 'SecurityError');
    },
  });
}

/** Hides the storage events of other tabs from the page. */
export const ignoreOtherTabs = () => addEventListener('storage', (event) => event.stopImmediatePropagation());

const intervals: Map<number, { work: () => void; wait: number | undefined }> = new Map();

/** Keeps intervals of the page from passing, until tick. */
export function holdIntervals() {
  replace(
    window,
    'setInterval',
    () =>
      ((work: () => void, wait?: number) => {
        intervals.set(intervals.size + 1, { work, wait });
        return intervals.size;
      }) as typeof setInterval,
  );
  replace(window, 'clearInterval', () => (id) => void intervals.delete(Number(id)));
}

export const heldIntervals = () => [...intervals.values()].map(({ wait }) => wait);

/** Lets each interval pass once, and returns how many requests follow at once. */
export function tick() {
  const before = requestsMade();
  for (const { work } of intervals.values()) work();
  return requestsMade() - before;
}

export const hide = (is: boolean) =>
  void Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });

let askForNext = () => {};

/** Answers the list of guests in pages of eight names, each of which waits for letPageGo. */
export function paginate() {
  replace(window, 'fetch', (fetch) => async (address, options) => {
    const { pathname, searchParams } = new URL(String(address), location.href);
    const from = Number(searchParams.get('cursor'));
    if (!pathname.endsWith('/attendees')) return fetch(address, options);
    if (from) await new Promise<void>((done) => void (askForNext = done));
    searchParams.delete('cursor');
    const answer = await fetch(`${pathname}?${searchParams}`, options);
    const { attendees } = (await answer.json()) as { attendees: unknown[] };
    const link = `<?${searchParams}&cursor=${from + 8}>; rel="next"`;
    return new Response(JSON.stringify({ attendees: attendees.slice(from, from + 8) }), {
      headers: from + 8 < attendees.length ? { Link: link } : {},
    });
  });
}

export const letPageGo = () => askForNext();

/** Sets the device's clock ahead, and not what the service says. */
export const setClockAhead = (time: number) => replace(Date, 'now', (now) => () => now() + time);

/** Stops the device's clock. */
export function stopClock(at: number) {
  Date.now = () => at;
}

export const stopClockAt = (moment: string) => stopClock(Date.parse(moment));

/** Sets the clocks of the device and the service to a moment. */
export const pretendItIs = (moment: string) => later(Date.parse(moment) - Date.now());

/** A device that does not know its zone. */
export function forgetZone() {
  replace(
    Intl.DateTimeFormat.prototype,
    'resolvedOptions',
    (before) =>
      function (this: Intl.DateTimeFormat) {
        return { ...before.call(this), timeZone: 'Etc/Unknown' };
      },
  );
}

/** Lets a change that is half done have a wrong secret of its old event. */
export function spoilSecret(eventToken: string) {
  store('outbox.', eventToken, { ...changeOf(eventToken), organizerToken: eventToken });
}

let stamp = 0;

const setStamps = (get: () => number) =>
  Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get });

/** Lets all events happen at a time. */
export function stampEvents(at: number) {
  stamp = at;
  setStamps(() => stamp);
}

/** Lets each look at the time of an event be so much later than the one before. */
export const spreadEvents = (by: number) => void setStamps(() => (stamp += by));

let stoppedAt: number | null = null;

/** The network returns a while after the clock was stopped: how many requests were not answered until then. */
export async function returnsOnline(passed: number) {
  const start = (stoppedAt ??= Date.now());
  stopClock(start + passed);
  dispatchEvent(new Event('online'));
  await pause(30);
  return timesAnswered;
}

let letLocks = () => {};

/** Delays all locks until letLocksGo. */
export function delayLocks() {
  const open = new Promise<void>((done) => void (letLocks = done));
  replace(
    LockManager.prototype,
    'request',
    (request) =>
      async function (this: LockManager, ...how: unknown[]) {
        await open;
        return Reflect.apply(request, this, how) as Promise<never>;
      },
  );
}

export const letLocksGo = () => letLocks();

/** Makes what the page does about the focus fail, without a complaint. */
export function failToFocus() {
  addEventListener('error', (event) => event.preventDefault());
  addEventListener('unhandledrejection', (event) => event.preventDefault());
  HTMLElement.prototype.focus = () => {
    throw new Error('focus');
  };
}

/** Takes all connections that browsers open to a server. */
export function requestSix(path: string) {
  for (let n = 0; n < 6; n += 1) void fetch(`${path}?${n}`, { credentials: 'omit' });
}

const texts: ((is: boolean) => void)[] = [];

/** Holds the texts of languages until letTextsGo. */
export const holdTexts = () =>
  replace(window, 'fetch', (fetch) => async (...request) => {
    const isThere = !String(request[0]).endsWith('.json') || (await new Promise<boolean>((go) => texts.push(go)));
    if (!isThere) throw new TypeError('lost');
    return fetch(...request);
  });

/** Lets the texts that were asked for the nth time arrive, or fail. */
export const letTextsGo = (nth: number, is: boolean) => texts[nth]?.(is);

/** Fails each request at the first change of the page. */
export function answerOnceDrawn() {
  window.fetch = () =>
    new Promise((done) => {
      const observer = new MutationObserver(() => done(new Response('{}', { status: 503 })));
      observer.observe(find('#main'), { childList: true });
    });
}

let given: ShareData | null = null;

/** A share sheet, and a finger or a mouse to use it with. */
export function haveShareSheet(finger: boolean) {
  navigator.share = async (data) => {
    given = data ?? null;
  };
  replace(
    window,
    'matchMedia',
    (before) => (query) =>
      query === '(pointer: coarse)' ? ({ matches: finger } as MediaQueryList) : before.call(window, query),
  );
}

export const shared = () => given;

export function refuseToShare(error: string) {
  navigator.share = () => Promise.reject(new DOMException('', error));
}

export function refuseToCopy() {
  navigator.clipboard.writeText = () => Promise.reject(new Error());
}

/** What the browser refuses to pages. */
export async function forbidden() {
  const isGranted = await navigator.locks.request('x', () => true).catch(() => false);
  const storages = (['localStorage', 'sessionStorage'] as const).filter((name) => {
    try {
      return !window[name];
    } catch {
      return true;
    }
  });
  return isGranted ? storages : ['locks', ...storages];
}

/** Makes the browser prefer these languages. */
export const prefer = (languages: string[]) => void Object.defineProperty(navigator, 'languages', { value: languages });

/** Stores entries of each kind, one with a text that is too long for the service, and an event with valid ones. */
export function storeBeyondBounds(eventToken: string, organizerToken: string) {
  const token = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const long = 'A'.repeat(200_000);
  const listed = {
    eventToken,
    title: 'Rooftop supper',
    dateTime: '2099-12-12T19:30:00+01:00',
    timezone: 'Europe/Berlin',
  };
  store('organizer.', eventToken, { ...listed, organizerToken });
  store('rsvp.', `${eventToken}.${token(1)}`, { ...listed, rsvpToken: token(1), name: long, byLink: true, gone: true });
  store('rsvp.', `${eventToken}.${token(2)}`, {
    ...listed,
    rsvpToken: token(2),
    name: 'AAAA',
    byLink: true,
    gone: true,
  });
  store('outbox.', token(3), { ...listed, id: token(3), kind: 'withdraw', name: long });
  const details = { ...listed, attendeeCount: 0, cancelled: false };
  for (const [index, name] of (
    ['title', 'dateTime', 'timezone', 'location', 'description', 'host'] as const
  ).entries()) {
    const other = { ...details, eventToken: token(index), [name]: long };
    store('event.', other.eventToken, { at: 1, event: other });
    store('organizer.', other.eventToken, { ...other, organizerToken });
  }
  store('event.', eventToken, { at: 1, event: { ...details, location: long, cancellationReason: long } });
}

/** Stores an RSVP that is yet to be sent. */
export function leaveRSVP(event: Moment, id: string, name: string) {
  const of = { eventToken: event.EventToken, title: event.Title, dateTime: event.DateTime, timezone: event.Timezone };
  store('outbox.', id, { ...of, id, kind: 'rsvp', name });
}

/**
 * Whether the service worker has cached this script and no other release's. It requests nothing, because each request
 * to a worker postpones the browser's check for a newer worker.
 */
export const keepsOneScript = async (path: string) =>
  (await kept()).filter((each) => /\/app-\w+\.js$/.test(each)).join() === path;

/** Whether the service worker has cached the files that the server has, and no others. */
export async function keepsWhatIsServed() {
  for (const path of await kept()) {
    const cached = await caches.match(path);
    const served = await fetch(path, { cache: 'reload' }).catch(() => null);
    if ((await cached?.text()) !== (await served?.text())) return false;
  }
  return true;
}

export const installsNothing = async () => !(await navigator.serviceWorker.getRegistration())?.installing;
