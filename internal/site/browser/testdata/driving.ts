// A visitor's acts, and conditions for which tests wait.
import { replace } from './calls';

/** The first element that matches. */
export function find(selector: string, within?: ParentNode): HTMLElement;
export function find<Kind extends Element>(selector: string, within: ParentNode, kind: new () => Kind): Kind;
export function find(selector: string, within: ParentNode = document, kind: new () => Element = HTMLElement) {
  const found = within.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(found ? `${selector} is another element` : `no ${selector}`);
}

export const pause = (time: number) => new Promise<void>((done) => void setTimeout(done, time));

/** Resolves once a condition holds. Evaluates the condition again whenever the page changes. */
export const until = (holds: () => unknown) =>
  new Promise<void>((done, fail) => {
    const events = ['input', 'focusin', 'load'];
    const end = (settle: () => void) => {
      observer.disconnect();
      for (const type of events) document.removeEventListener(type, look, true);
      settle();
    };
    const look = () => {
      try {
        if (holds()) end(done);
      } catch (error) {
        end(() => fail(error));
      }
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    for (const type of events) document.addEventListener(type, look, true);
    look();
  });

/** Resolves once a condition holds that the page does not show, by polling. */
export async function unseen(holds: () => unknown) {
  while (!(await holds())) await pause(50);
}

/** Resolves once the page has been painted. */
export const painted = () =>
  new Promise<void>((done) => void requestAnimationFrame(() => void requestAnimationFrame(() => done())));

let isCounting = false;
let made = 0;
let underWay = 0;

/** Counts the requests that have no complete response yet. */
export function count() {
  if (isCounting) return;
  isCounting = true;
  replace(window, 'fetch', (fetch) => (...request) => {
    made += 1;
    underWay += 1;
    const answer = fetch(...request);
    answer
      .then((one) => one.clone().arrayBuffer())
      .catch(() => {})
      .finally(() => {
        underWay -= 1;
      });
    return answer;
  });
}

export const requestsMade = () => made;

export const requestsUnderWay = () => underWay;

/** Resolves once the page has had all responses, and time to react to them. */
export async function idle() {
  do {
    await unseen(() => !underWay);
    await pause(300);
  } while (underWay);
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Control = Field | (HTMLElement & { labels?: undefined });

/** A text without bidi isolates, and with an ordinary space before each separator. */
export const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '').replaceAll('\u00a0·', ' ·');

const nameOf = (element: Control) =>
  plain(element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent)
    .replace(/ · optional$/, '')
    .trim();

/** The visible control with this name, in the open dialog if there is one. */
export const named = (name: string) =>
  [
    ...(document.querySelector('dialog[open]') ?? document).querySelectorAll<Control>(
      'button, summary, a[href], input, select, textarea',
    ),
  ].find((element) => nameOf(element) === name && element.getClientRects().length);

function field(name: string) {
  const element = named(name);
  if (element && 'value' in element && !(element instanceof HTMLButtonElement)) return element;
  throw new Error(`${name} is no field`);
}

/** Whether the script has taken over the server's HTML. */
export const started = () =>
  document.getElementById('language') &&
  document.querySelector('main h1') &&
  !document.querySelector('[data-organizer], [aria-busy], #rsvp [disabled]');

/** The text of the page. A document has no body yet while the browser begins to read it. */
export const shown = () => plain((document.body as HTMLElement | null)?.innerText ?? '');

export const shows = (texts: string[]) => texts.every((text) => shown().includes(text));

export const matches = (pattern: string) => RegExp(pattern).test(shown());

export const path = () => location.pathname + location.hash;

export const isAt = (address: string) => path() === address;

/** The name of the focused element. */
export const focused = () => nameOf(document.activeElement as Control);

/** Replaces the text of a field, as if a visitor typed. */
export function write(label: string, text: string) {
  const element = field(label);
  element.focus();
  if ('select' in element) element.select();
  return document.execCommand(text ? 'insertText' : 'delete', false, text) || (!element.value && !text);
}

/** Sets a field for which the browser has a picker, and returns its value. */
export async function pick(label: string, value: string) {
  const element = field(label);
  element.focus();
  await Promise.resolve(); // let the page draw the changes that the focus has caused
  element.value = value;
  element.dispatchEvent(new Event('input', { bubbles: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return element.value;
}

export const isFocused = (name: string) => named(name) === document.activeElement;

/** The selected part of a field's text. */
export function selectedIn(label: string) {
  const { value, selectionStart, selectionEnd } = field(label) as HTMLInputElement;
  return value.slice(selectionStart ?? 0, selectionEnd ?? 0);
}

export const pressEnter = (how: KeyboardEventInit) =>
  void document.activeElement?.dispatchEvent(
    new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13, bubbles: true, ...how }),
  );

/** Sets the text of a field that cannot have the focus. */
export function typeInto(selector: string, text: string) {
  const element = find(selector, document, HTMLInputElement);
  element.value = text;
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

export const focus = (label: string) => field(label).focus();

/** Whether a field has this value. */
export function hasValue(label: string, value: string) {
  const element = named(label);
  return element && 'value' in element && element.value === value;
}

const nothingMet = () => true;
let release = nothingMet;
let clicked = false;

/** Whether the last click in this document hit the element that `meet` found. */
export const wasClicked = () => clicked;

/** Lets clicks through again. Reports whether the click hit the element that `meet` found, or left the page. */
export const letGo = () => release();

type Point = [number, number] | [];

/**
 * Resolves to the point at which to click an element, or to an empty array if the element must be looked up again.
 * Until letGo, other clicks are blocked.
 */
const meet = (element: Element | null | undefined) =>
  new Promise<Point>((done, fail) => {
    if (!element) {
      done([]);
      return;
    }
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    // A view transition covers everything until it ends, and an element that has just appeared takes no click.
    if (top === document.documentElement || getComputedStyle(element).pointerEvents === 'none') {
      requestAnimationFrame(() => done([]));
      return;
    }
    if (!element.contains(top)) {
      fail(new Error(`covered by ${top?.outerHTML.slice(0, 100)}`));
      return;
    }
    clicked = false;
    const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
    const look = (event: Event) => {
      const hit = element.contains(event.target as Node);
      if (!hit) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (event.type === 'click') clicked = hit;
    };
    for (const type of types) addEventListener(type, look, true);
    release = () => {
      for (const type of types) removeEventListener(type, look, true);
      release = nothingMet;
      return clicked;
    };
    done([x + width / 2, y + height / 2]);
  });

export const meetNamed = async (name: string) => meet(named(name));

export const meetFirst = async (selector: string) => meet(document.querySelector(selector));

/** Picks a language from the menu. If the language is already chosen, nothing happens, as in a browser. */
export function chooseLanguage(language: string) {
  const menu = find('#language', document, HTMLSelectElement);
  if (menu.value === language) return;
  find('main h1').title = 'in the language before';
  menu.value = language;
  menu.dispatchEvent(new Event('change'));
}

/** Whether the page has been drawn in a language. `footers` are the beginnings that its footer may have. */
export function isIn(lang: string, dir: string, footers: string[]) {
  const { documentElement: html } = document;
  const footer = document.getElementById('bottom')?.textContent ?? '';
  const isDrawn = started() && !document.querySelector('h1[title]') && footers.some((text) => footer.startsWith(text));
  return isDrawn && html.lang === lang && html.dir === dir;
}

/** Goes to another page of the site without loading it. */
export function follow(to: string) {
  const link = document.createElement('a');
  link.href = to;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Clicks, and leaves for another page of the site before the page draws. */
export function clickAndLeave(selector: string, to: string) {
  find(selector).click();
  const home = find('.mark', document, HTMLAnchorElement);
  home.href = to;
  home.click();
}

/** Gives the page another event's colour. */
export function paint(colour: string) {
  document.documentElement.dataset.colour = colour;
}

/** Goes to another URL, as a link to another site does, once the driver has its answer. */
export function goTo(address: string) {
  setTimeout(() => (location.href = address));
}

export function finishAnimations() {
  for (const animation of document.getAnimations()) animation.finish();
}

/** Loads a file, as a part of a page would. */
export async function fetchFile(file: string) {
  await (await fetch(file)).arrayBuffer();
}

let copied: string | null = null;

/** Records the next text for the clipboard. */
export function noteCopy() {
  copied = null;
  const { clipboard } = navigator;
  clipboard.writeText = async (text) => {
    // A browser without a window refuses to copy.
    await Clipboard.prototype.writeText.call(clipboard, text).catch(() => {});
    copied = text;
  };
}

export const copiedText = () => copied;

/** Stops the page's timers of more than 400 ms. */
export function hold() {
  replace(
    window,
    'setTimeout',
    (before) =>
      ((work: TimerHandler, delay?: number, ...rest: unknown[]) =>
        delay && delay > 400 ? 0 : before(work, delay, ...rest)) as typeof setTimeout,
  );
}

const held: { work: () => void; at: number }[] = [];

/** Stops timers of more than a minute, or of another time, until `pass` is called. */
export function holdLong(time = 60_000) {
  replace(
    window,
    'setTimeout',
    (before) =>
      ((work: () => void, wait: number, ...rest: unknown[]) =>
        wait > time ? -held.push({ work, at: Date.now() + wait }) : before(work, wait, ...rest)) as typeof setTimeout,
  );
}

/** Lets time pass, and runs the stopped timers that are due then. */
export function pass(time: number) {
  later(time);
  for (const timer of held.splice(0)) {
    if (timer.at > Date.now()) held.push(timer);
    else timer.work();
  }
}

/** Moves the device's clock, and the time in the service's responses with it. */
export function later(time: number) {
  replace(Date, 'now', (now) => () => now() + time);
  replace(
    Headers.prototype,
    'get',
    (get) =>
      function (this: Headers, name) {
        const value = get.call(this, name);
        return name === 'Date' && value ? new Date(Date.parse(value) + time).toUTCString() : value;
      },
  );
}

/** Comes back to the page after this much time. */
export function comeBack(time: number) {
  later(time);
  look();
}

/** Returns to the page. The page then draws. */
export const look = () => void document.dispatchEvent(new Event('visibilitychange'));

/** Puts the page into the back/forward cache (pagehide), or brings it back (pageshow). */
export const turnPage = (type: 'pagehide' | 'pageshow') =>
  void dispatchEvent(new PageTransitionEvent(type, { persisted: true }));

/** Resolves once all earlier requests for locks have been decided. */
export const lockTurns = () => navigator.locks.request('turn', () => {});
