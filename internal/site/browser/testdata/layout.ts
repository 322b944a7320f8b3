// Measures the layout of the page.
import { find } from './driving';

const rectangle = (element: Element) => element.getBoundingClientRect();

/** The content of a node, or a part of a text. */
function rangeOf(node: Node, [start, end]: [number?, number?] = []) {
  const range = document.createRange();
  range.selectNodeContents(node);
  if (start !== undefined) range.setStart(node, start);
  if (end !== undefined) range.setEnd(node, end);
  return range;
}

/** The texts in an element. */
function textsIn(element: Element) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}

/** The positions of elements in the window. */
export const boxes = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => rectangle(element).toJSON() as DOMRect);

export const boxOf = (selector: string) => rectangle(find(selector, document, Element)).toJSON() as DOMRect;

export function centreOf(selector: string) {
  const { x, y, width, height } = boxOf(selector);
  return [x + width / 2, y + height / 2];
}

export const isVisible = (selector: string) => find(selector).checkVisibility();

export const isHidden = (selector: string) => !find(selector).getClientRects().length;

export const isAbove = (upper: string, lower: string) => boxOf(upper).bottom <= boxOf(lower).top;

/** Whether the bar covers no part of the end of the page. */
export function endIsAboveBar() {
  const before = scrollY;
  scrollTo(0, 1e6);
  const is = isAbove('footer p', '#bar');
  scrollTo(0, before);
  return is;
}

const htmlOf = (element: Element, length: number) => element.outerHTML.slice(0, length);

const place = () => `${location.pathname} in ${document.documentElement.lang}`;

export const isLeftOf = (left: string, right: string) => boxOf(left).right < boxOf(right).left;

/** The position on the page at which an element ends. */
export const endOf = (selector: string) => boxOf(selector).bottom + scrollY;

/** Like endOf, but 1e6 if the element is hidden or begins above the window. */
export function endOnScreen(selector: string) {
  const [first] = boxes(selector);
  return first && first.height > 0 && first.top >= 0 ? first.bottom + scrollY : 1e6;
}

export function linesOf(selector: string) {
  const prose = find(selector);
  return Math.round(prose.clientHeight / parseFloat(getComputedStyle(prose).lineHeight));
}

/** The positions of the parts below the title, and of the strokes. A guest's yes must not move them. */
export const placesOfParts = () =>
  boxes('h1, .facts > *, .who svg, #panel')
    .map(({ x, y }) => [Math.round(x), Math.round(y - boxOf('h1').y)].join())
    .concat(String(document.querySelectorAll('.who path').length))
    .join();

/** Whether the long titles of the preview and of entries take at most three lines. */
export const titlesAreCut = () =>
  [...document.querySelectorAll('.sketch-title, .entries a .user')].every(
    (title) => title.clientHeight < 3.5 * parseFloat(getComputedStyle(title).lineHeight),
  );

/** The elements that scroll sideways with text of this size, and the element that reaches farthest. */
export function scrollsSideways(size: string) {
  const { style } = document.documentElement;
  style.fontSize = size;
  const found = [...document.querySelectorAll('html, dialog')]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => {
      const last = [...box.querySelectorAll('*')].reduce((a, b) => (rectangle(b).right > rectangle(a).right ? b : a));
      const widths = `${box.clientWidth} to ${box.scrollWidth} px`;
      return `${place()}: ${box.nodeName} scrolls from ${widths}: ${htmlOf(last, 100)}`;
    });
  style.removeProperty('font-size');
  return found;
}

/**
 * The texts that their boxes cut off, in twice the usual size and in the usual size. A long value in a field is not cut
 * off, and neither is a user's text in a box that wraps the text. Also the texts with a separator at the beginning of a
 * line, in the usual size.
 */
export function cutOff() {
  const { style } = document.documentElement;
  const found = ['200%', ''].flatMap((size) => {
    style.fontSize = size;
    return [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((box) => box.getClientRects().length && !box.closest('.unseen'))
      .filter((box) => getComputedStyle(box).visibility !== 'hidden')
      .filter((box) => !size || !box.matches('#timezone')) // a menu does not wrap, and some zones have long names
      .flatMap((box) => cutOffBy(box).map((text) => ({ box, text })));
  });
  const lines = found.map(({ box, text }) => `${place()}: ${htmlOf(box, 80)} cuts off ${text}`);
  lines.push(...leadingDots().map((text) => `${place()}: a line begins with a separator: ${text}`));
  const ways = [...document.querySelectorAll('.calendar a')].map((way) => Math.round(rectangle(way).top));
  if (![1, ways.length].includes(new Set(ways).size)) lines.push(`a way into a calendar is left alone: ${ways.join()}`);
  return lines;
}

/** The texts with a separator at the beginning of a line, on small phones. A separator belongs to the end of a line. */
function leadingDots() {
  type Letter = [text: Text, index: number];
  const dots: { dot: Letter; before: Letter }[] = [];
  let before: Letter | undefined;
  for (const text of textsIn(document.body)) {
    const box = text.parentElement;
    if (!box?.checkVisibility({ visibilityProperty: true }) || box.closest('.unseen')) continue;
    for (const { 0: sign, index } of text.data.matchAll(/\S/g)) {
      if (sign === '·' && before) dots.push({ dot: [text, index], before });
      before = [text, index];
    }
  }
  const bottomOf = ([text, index]: Letter) => rangeOf(text, [index, index + 1]).getBoundingClientRect().bottom;
  const { style } = document.body;
  const found = [280, 290, 300, 310, 320, 330, 340, 350, 360].flatMap((width) => {
    style.width = `${width}px`;
    return dots.filter((one) => bottomOf(one.before) < bottomOf(one.dot) - 4);
  });
  style.removeProperty('width');
  return found.map(({ dot: [text] }) => text.parentElement?.parentElement?.innerText);
}

function cutOffBy(box: HTMLElement) {
  const found: string[] = [];
  const style = getComputedStyle(box);
  const mark = getComputedStyle(box, '::after');
  if (box.matches('.fold > summary') && mark.width !== mark.height) found.push('its arrow');
  if (box.matches('[type=date], [type=time]')) {
    const { width } = rectangle(box);
    box.style.cssText = 'position: absolute; width: max-content; max-width: none; flex: none';
    if (rectangle(box).width > width) found.push('its value');
    box.style.cssText = '';
  }
  const text = textIn(box);
  if (text && widthOf(text, style) > roomIn(box, style)) found.push(text);
  // A field with the direction rtl shows only the end of a long URL.
  if (box.matches('input[readonly]') && style.direction !== 'ltr') found.push('the beginning of its address');
  const { left, right } = rectangle(box);
  if (left < -1 || right > innerWidth + 1) found.push(box.textContent);
  const mayCutOff = box.matches('input, select, textarea, .user, .user *') || style.overflowX === 'visible';
  if (!mayCutOff && box.scrollWidth > box.clientWidth + 1) found.push(box.textContent);
  return found;
}

/** The text in a field that the visitor has not typed. */
function textIn(box: HTMLElement) {
  if (box instanceof HTMLSelectElement) return box.selectedOptions[0]?.text;
  return box instanceof HTMLInputElement ? box.placeholder : '';
}

function roomIn(box: HTMLElement, style: CSSStyleDeclaration) {
  const arrow = box.matches('select') && style.appearance !== 'none' ? 19 : 0;
  return box.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd) - arrow;
}

function widthOf(text: string, { font, letterSpacing }: CSSStyleDeclaration) {
  const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  pen.font = font;
  pen.letterSpacing = letterSpacing === 'normal' ? '0px' : letterSpacing;
  return pen.measureText(text).width;
}

const linesIn = (range: Range) => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;

/** Shows the form on these days of each month, at nine o'clock. On each day the form offers other dates. */
async function onDays(days: number[], look: () => void) {
  const { now } = Date;
  for (let month = 0; month < 12; month += 1)
    for (const day of days) {
      Date.now = () => Date.UTC(2027, month, day, 9);
      find('#title').dispatchEvent(new Event('input', { bubbles: true }));
      await new Promise((drawn) => setTimeout(drawn));
      look();
    }
  Date.now = now;
}

/** The most pixels by which one element covers another, on the days of the year on which most dates are offered. */
export async function mostCovered(above: string, below: string) {
  let most = -Infinity;
  await onDays([5, 20, 25], () => (most = Math.max(most, boxOf(below).bottom - boxOf(above).top)));
  return most;
}

/** The rows of offered days that are not one row, or that are too wide. */
export async function brokenRows() {
  const found: string[] = [];
  await onDays([5, 18, 22, 24, 29], () => {
    const row = find('#near-date');
    const days = [...row.querySelectorAll('button')];
    const inRow = new Set(days.map((day) => rectangle(day).top)).size === 1;
    const fits = row.scrollWidth <= row.clientWidth && days.every((day) => day.scrollWidth <= day.clientWidth);
    const isOneLine = days.every((day) => [...day.childNodes].every((text) => linesIn(rangeOf(text)) === 1));
    if (days.length < 4 || !inRow || !fits || !isOneLine) found.push(row.innerText);
  });
  return found;
}

/** The right edges of texts, which may be narrower than their elements. */
export const rightEdges = (selector: string) =>
  [...document.querySelectorAll(selector)].map((element) => Math.round(rangeOf(element).getBoundingClientRect().right));

/** The lines that the date of the first event on home takes. */
export function linesOfDate() {
  const parts = [...find('.entry > p').childNodes].filter(
    (part) => !(part instanceof Element && part.matches('.soon')),
  );
  const tops = parts.flatMap((part) => [...rangeOf(part).getClientRects()].map(({ top }) => Math.round(top / 8)));
  return new Set(tops).size;
}

/** Whether one part of a text is to the left of another. */
export function isBefore(selector: string, first: string, second: string) {
  const text = document.querySelector(selector)?.firstChild;
  if (!(text instanceof Text)) throw new Error(`${selector} has no text`);
  const [a, b] = [first, second].map((part) => {
    const start = text.data.indexOf(part);
    return rangeOf(text, [start, start + part.length]).getBoundingClientRect();
  }) as [DOMRect, DOMRect];
  return a.top < b.top - 2 || (Math.abs(a.top - b.top) <= 2 && a.left < b.left);
}

const controlsInMain = () =>
  new Map(
    [...document.querySelectorAll<HTMLElement>('main :is(a, button, summary)')]
      .filter((control) => control.checkVisibility())
      .map((control) => [control.innerText.trim(), control]),
  );

/** The positions of the page's controls, by their texts. */
export const controls = () =>
  Object.fromEntries([...controlsInMain()].map(([text, control]) => [text, rectangle(control).toJSON() as DOMRect]));

export const focusControl = (text: string) => controlsInMain().get(text)?.focus({ preventScroll: true });

export const focusedControl = () => (document.activeElement as HTMLElement).innerText.trim();

/** Whether a control takes a tap anywhere in a square of this size around its centre. */
export function isHit(selector: string, size: number) {
  const control = find(selector);
  control.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = rectangle(control);
  return [-1, 1].every((side) =>
    control.contains(document.elementFromPoint(x + width / 2, y + height / 2 + (side * size) / 2)),
  );
}

/** The text of the focused control, if an element covers it completely. */
export function focusedBelow(selector: string) {
  const above = document.querySelector(selector);
  const focused = document.activeElement as HTMLElement;
  if (!above || above.contains(focused) || focused === document.body) return '';
  return rectangle(focused).top >= rectangle(above).top ? focused.innerText : '';
}

/** The fewest pixels between a guest's number and the name. */
export const roomAfterNumbers = () =>
  Math.min(
    ...[...document.querySelectorAll<HTMLLIElement>('.guests li')].map((row) => {
      const name = find('.user', row);
      return rectangle(name).left - rectangle(row).left - widthOf(String(row.value), getComputedStyle(row));
    }),
  );

/** The texts below a selector that end outside it. */
export function spilled(selector: string) {
  const all = document.querySelectorAll(selector);
  return [...all].flatMap((box) => {
    const { bottom, right } = box.getBoundingClientRect();
    const parts = [...box.querySelectorAll('.at, .headline')].filter((part) => {
      const text = rangeOf(part).getBoundingClientRect();
      return text.bottom > bottom + 1 || text.right > right + 1;
    });
    return parts.map((part) => part.textContent);
  });
}

/** The words that stand on more than one line. */
export const divided = (selector: string) =>
  [...document.querySelectorAll(selector)]
    .flatMap(textsIn)
    .flatMap((text) =>
      [...text.data.matchAll(/[^\s-]+/g)]
        .filter(({ 0: word, index }) => linesIn(rangeOf(text, [index, index + word.length])) > 1)
        .map(([word]) => word),
    );
