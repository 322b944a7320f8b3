// Notes changes on the page from some instant on.
import { replace } from './calls';
import { find } from './driving';
import { text } from './reading';

let pushed: unknown[] | null = null;

/** The URLs pushed since the first call, and the elements with a URL, that contain a text. */
export function mentions(part: string) {
  if (!pushed) {
    const addresses: unknown[] = (pushed = []);
    replace(history, 'pushState', (before) => (state, title, url) => {
      addresses.push(url);
      before.call(history, state, title, url);
    });
  }
  const elements = [...document.querySelectorAll('[href], [src], [action]')].map((element) => element.outerHTML);
  return [...pushed, ...elements].filter((address) => String(address).includes(part));
}

let marked: Element | null = null;

/** Remembers the focused element, to distinguish it from a new element. */
export function markFocused() {
  marked = document.activeElement;
}

export const isMarkedFocused = () => document.activeElement === marked;

let labels: string[] = [];

/** Clicks a button. Notes its text before the click, and each change of the text. Drawing keeps the element. */
export function clickAndNoteLabels(selector: string) {
  navigator.clipboard.writeText = async () => {};
  const button = find(selector);
  const note = () => labels.push(button.textContent);
  labels = [button.textContent];
  new MutationObserver(note).observe(button, { childList: true, characterData: true, subtree: true });
  button.click();
}

export const notedLabels = () => labels;

export const hasLabelAgain = () => labels.length > 2 && labels.at(-1) === labels[0];

let made = 0;

/** Counts the new elements for users' names. A drawing that keeps an element does not count. */
export function countNewNames() {
  made = 0;
  const create = document.createElement.bind(document);
  document.createElement = (tag: string) => {
    made += Number(tag === 'bdi');
    return create(tag);
  };
}

export const newNames = () => made;

/** Counts the taps of a visitor, on all pages. */
export const countTaps = () =>
  addEventListener(
    'click',
    ({ isTrusted }) => sessionStorage.setItem('taps', String(taps() + Number(isTrusted))),
    true,
  );

const taps = () => Number(sessionStorage.getItem('taps'));

/** The number of taps since the last call. */
export function takeTaps() {
  const last = taps();
  sessionStorage.setItem('taps', '0');
  return last;
}

const noted: Set<string> = new Set();

/** Notes each text that an element has from now on. */
export function noteTexts(selector: string) {
  const observer = new MutationObserver(() => noted.add(text(selector) ?? ''));
  observer.observe(document, { subtree: true, childList: true, characterData: true });
}

export const wasNoted = (whole: string) => noted.has(whole);

let changed = 0;

/** Counts the changes in an element. */
export function countChanges(selector: string) {
  const observer = new MutationObserver(({ length }) => {
    changed += length;
  });
  observer.observe(find(selector), { subtree: true, childList: true, characterData: true });
}

export const changes = () => changed;

let drawn = 0;

export const countDrawings = () =>
  find('#main').addEventListener('drawn', () => {
    drawn += 1;
  });

export const drawings = () => drawn;

let mostInATask = 0;

/** Counts the requests that each task begins. */
export function countRequestsByTask() {
  let begun = 0;
  replace(window, 'fetch', (fetch) => (address, options) => {
    begun += 1;
    mostInATask = Math.max(mostInATask, begun);
    void scheduler.postTask(
      () => {
        begun = 0;
      },
      { priority: 'user-blocking' }, // before the tasks that wait
    );
    return fetch(address, options);
  });
}

export const mostRequestsInATask = () => mostInATask;

const cardsByDrawing: number[] = [];

/** Counts the cards on home after each drawing. */
export const countCards = () =>
  document.addEventListener('drawn', () => void cardsByDrawing.push(document.querySelectorAll('.entry').length), true);

export const cards = () => cardsByDrawing;

let elements = 0;

/** Counts the elements that are drawn, or drawn again. */
export const countElements = () =>
  replace(
    Element.prototype,
    'getAttributeNames',
    (names) =>
      function (this: Element) {
        elements += 1;
        return names.call(this);
      },
  );

export const elementsDrawn = () => elements;

let atLastDrawing = 0;
let mostInADrawing = 0;

/** Notes the number of elements of each drawing. Call countElements first. */
export const noteDrawings = () =>
  document.addEventListener(
    'drawn',
    () => {
      mostInADrawing = Math.max(mostInADrawing, elements - atLastDrawing);
      atLastDrawing = elements;
    },
    true,
  );

/** The most elements in a drawing since the last call. */
export function takeMostInADrawing() {
  const most = mostInADrawing;
  mostInADrawing = 0;
  return most;
}

let wasAsked: boolean | undefined;

/** Notes whether the page first invites its reader. */
export const noteInvitation = () =>
  document.addEventListener(
    'readystatechange',
    () => {
      wasAsked ??= document.querySelector('.kicker > :last-child')?.checkVisibility();
    },
    true,
  );

export const wasInvited = () => wasAsked;

const numbers: Set<number> = new Set();
let ownStrokes = 0;

/** Notes the numbers of strokes, and how often this guest's stroke is animated. */
export function noteStrokes() {
  addEventListener('animationstart', ({ target }) => {
    ownStrokes += Number((target as Element).matches('.own'));
  });
  const observer = new MutationObserver(() => numbers.add(document.querySelectorAll('.who path').length));
  observer.observe(find('.who'), { attributes: true, subtree: true });
}

export const drawnStrokes = () => ownStrokes;

export const numbersOfStrokes = () => numbers.size;

let papers = 0;

/** Counts the printed pages. */
export function havePrinter() {
  papers = 0;
  window.print = () => {
    dispatchEvent(new Event('beforeprint'));
    papers += 1;
  };
}

export const printed = () => papers;

let codes = 0;

/** Counts the QR codes on the next printed page. */
export const countCodes = () =>
  addEventListener('beforeprint', () => {
    codes = document.querySelectorAll('.paper img').length;
  });

export const printedCodes = () => codes;
