// Faults of the page's environment.
import type { Item } from '../../src/model/items';
import { replace } from './calls';
import { find, later, pause, requestsMade } from './driving';
import { changeOf, kept, store, storedUnder } from './storage';

/** A response in place of the service's. The type `answer` in outbox_test.go has the same members. */
type Answer = {
  /** the status of a response, which is the problem of `code` or has a body */
  status?: number;
  code?: string;
  fields?: string[];
  body?: string;
  /** sends no response; the request is lost before or after the service has done its work */
  lost?: 'after' | 'before';
  /** sends the service's own response */
  real?: boolean;
  headers?: Record<string, string>;
  /** holds the response until letAnswersGo is called */
  held?: boolean;
  /** a part of the URL */
  path?: string;
  skip?: number;
  times?: number;
};

const answers: Map<string, Answer> = new Map();
let isAnswering = false;
let timesAnswered = 0;
let held: (() => void)[] = [];

/** Gives requests with a method another response. With null, the service responds again. */
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

/** The number of requests to which the service did not respond. */
export const answeredInstead = () => timesAnswered;

export const holdsAnswers = () => held.length > 0;

export const answersHeld = () => held.length;

export function letAnswersGo() {
  for (const go of held) go();
  held = [];
}

/** Lets each held answer go in a task of its own, as a network does. */
export function letAnswersGoOneByOne() {
  for (const go of held) setTimeout(go);
  held = [];
}

let itemsAtFirst = -1;

/** Notes the number of stored items at the first request with a method. */
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

/** The recorded keys, each after its method. */
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

/** Grants no lock, and never responds, as Firefox does to a page from the back/forward cache. */
export function grantNoLock() {
  LockManager.prototype.request = () => new Promise(() => {});
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

/** Whether there is no service worker, and none of its cached files. */
export async function isWithoutWorker() {
  const [names, workers] = await Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()]);
  return names.length + workers.length === 0;
}

export const installState = () => installing;

type Moment = { EventToken: string; Title: string; DateTime: string; Timezone: string };

/**
 * Stores an unsent RSVP and an unsent withdrawal. Undo of a third item is possible until a time far ahead, as if the
 * clock had been set back. A fourth item was refused.
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

/** Damages stored values. The saved event keeps its title and its links, and gets a date that no calendar has. */
export function damage() {
  const name = Object.keys(localStorage).find((one) => one.startsWith('turnout.organizer.')) ?? '';
  const [event] = storedUnder('organizer.');
  if (!event) throw new Error('no event is saved');
  const dateless = { ...event, eventToken: event.organizerToken, title: 'Dateless', dateTime: 'soon', endDateTime: '' };
  const damaged = {
    [name]: JSON.stringify({ ...event, dateTime: '+275760-09-13T00:00:00Z', endDateTime: 'soon', timezone: 'Nowhere' }),
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

/** Fills storage, for all tabs. */
export function fillStorage() {
  let filling = '';
  for (let size = 2 ** 23; size >= 1; size /= 2) {
    try {
      localStorage.setItem('filling', filling + 'x'.repeat(size));
      filling += 'x'.repeat(size);
    } catch {
      // a smaller value may fit
    }
  }
}

/** Makes storage refuse values under names with this beginning. */
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

/** If storage has a value under this name: clears storage, and makes it refuse all values from then on. */
export function loseStorage(name: string) {
  if (!localStorage.getItem(name)) return;
  localStorage.clear();
  refuseToStore('');
}

/** Makes storage accept values without storing them. */
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

/** Stops the page's intervals, until `tick` is called. */
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

/** Runs each interval once, and returns the number of requests that follow at once. */
export function tick() {
  const before = requestsMade();
  for (const { work } of intervals.values()) work();
  return requestsMade() - before;
}

export const hide = (is: boolean) =>
  void Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });

/** Sets the device's clock ahead, but not the time in the service's responses. */
export const setClockAhead = (time: number) => replace(Date, 'now', (now) => () => now() + time);

/** Stops the device's clock. */
export function stopClock(at: number) {
  Date.now = () => at;
}

export const stopClockAt = (moment: string) => stopClock(Date.parse(moment));

/** Sets the clocks of the device and the service to an instant. */
export const pretendItIs = (moment: string) => later(Date.parse(moment) - Date.now());

/** Makes the device forget its time zone. */
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

/** Gives an unfinished change a wrong secret of its old event. */
export function spoilSecret(eventToken: string) {
  store('outbox.', eventToken, { ...changeOf(eventToken), organizerToken: eventToken });
}

let stamp = 0;

const setStamps = (get: () => number) =>
  Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get });

/** Gives all events of the page the same time. */
export function stampEvents(at: number) {
  stamp = at;
  setStamps(() => stamp);
}

/** Makes each reading of an event's time later than the last reading, by this many milliseconds. */
export const spreadEvents = (by: number) => void setStamps(() => (stamp += by));

let stoppedAt: number | null = null;

/**
 * Stops the clock, moves it, and reports that the network is back. Returns the number of requests without the service's
 * response until then.
 */
export async function returnsOnline(passed: number) {
  const start = (stoppedAt ??= Date.now());
  stopClock(start + passed);
  dispatchEvent(new Event('online'));
  await pause(30);
  return timesAnswered;
}

let letLocks = () => {};

/** Delays all locks until letLocksGo is called. */
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

const frames: FrameRequestCallback[] = [];

/** Draws no frame until letFramesGo is called, like a hidden page. */
export function delayFrames() {
  window.requestAnimationFrame = (work) => frames.push(work);
}

export const letFramesGo = () => frames.splice(0).forEach((work) => work(performance.now()));

/** Makes the page's functions for the focus fail, without reporting the error. */
export function failToFocus() {
  addEventListener('error', (event) => event.preventDefault());
  addEventListener('unhandledrejection', (event) => event.preventDefault());
  HTMLElement.prototype.focus = () => {
    throw new Error('focus');
  };
}

/** Takes all connections that a browser opens to a server. */
export function requestSix(path: string) {
  for (let n = 0; n < 6; n += 1) void fetch(`${path}?${n}`);
}

const texts: ((is: boolean) => void)[] = [];

/** Holds the texts of languages until letTextsGo is called. */
export const holdTexts = () =>
  replace(window, 'fetch', (fetch) => async (...request) => {
    const isThere = !String(request[0]).endsWith('.json') || (await new Promise<boolean>((go) => texts.push(go)));
    if (!isThere) throw new TypeError('lost');
    return fetch(...request);
  });

/** Makes the nth request for texts succeed or fail. */
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

/** Provides a share sheet, on a touch screen or with a mouse. */
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

/** The features that the browser refuses to pages. */
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

/**
 * Stores an entry of each kind. Each has a text that is too long for the service. Also stores an event with valid
 * texts.
 */
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

/** Stores an unsent RSVP, of a walk-in if it has a number. */
export function leaveRSVP(event: Moment, id: string, name: string, nth = 0) {
  const of = { eventToken: event.EventToken, title: event.Title, dateTime: event.DateTime, timezone: event.Timezone };
  store('outbox.', id, { ...of, id, kind: 'rsvp', name, ...(nth && { nth }) });
}

/** Stores so many unsent RSVPs. */
export function leaveRSVPs(event: Moment, count: number, nth = 0) {
  for (let n = 1; n <= count; n += 1) {
    leaveRSVP(event, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, `Guest ${n}`, nth);
  }
}

/**
 * Whether the service worker has cached this script and no other release's script. The function sends no request,
 * because each request to a worker postpones the browser's check for a newer worker.
 */
export const keepsOneScript = async (path: string) =>
  (await kept()).filter((each) => /\/app-\w+\.js$/.test(each)).join() === path;

/** Whether the service worker has cached the server's present files and no others. */
export async function keepsWhatIsServed() {
  for (const path of await kept()) {
    const cached = await caches.match(path);
    const served = await fetch(path, { cache: 'reload' }).catch(() => null);
    if ((await cached?.text()) !== (await served?.text())) return false;
  }
  return true;
}

export const installsNothing = async () => !(await navigator.serviceWorker.getRegistration())?.installing;
