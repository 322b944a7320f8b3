// Reads the content of the page.
import type { EventDetails } from '../../src/model/event';
import { find, plain } from './driving';
import { loaded } from './measuring';

/**
 * The markup of an event page, with sorted attributes. It leaves out the parts in which the script's markup differs
 * from the server's: the line of the zone, and the calendar.
 */
export function markup() {
  const main = find('main').cloneNode(true) as HTMLElement;
  for (const part of main.querySelectorAll('.small, .tools, noscript, .late')) part.remove();
  for (const part of main.querySelectorAll<HTMLFormElement | HTMLButtonElement>('#rsvp, #rsvp button')) {
    part.removeAttribute('method');
    part.removeAttribute('disabled');
  }
  for (const part of main.querySelectorAll('*')) {
    const attributes = [...part.attributes].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name } of attributes) part.removeAttribute(name);
    for (const { name, value } of attributes) part.setAttribute(name, value);
  }
  return main.innerHTML;
}

/** The names of guests on an event page whose RSVPs can be withdrawn. */
export const withdrawable = () =>
  [...document.querySelectorAll('#yours li > button')].map((button) =>
    (button.getAttribute('aria-label') ?? '').replace(/.*\u2068|\u2069/g, ''),
  );

/** The text about this device's guests in an event's entry on home. */
export const guestsAtHome = (eventToken: string) =>
  document.querySelector(`#entry-${CSS.escape(eventToken)} > p.user`)?.textContent ?? '';

export const texts = (selector: string) => [...document.querySelectorAll(selector)].map((part) => part.textContent);

export const visibleTexts = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((part) => part.checkVisibility())
    .map(({ innerText }) => innerText);

export const text = (selector: string) => document.querySelector(selector)?.textContent;

export const isThere = (selector: string) => Boolean(document.querySelector(selector));

/**
 * Whether an element has this text without the surrounding space. `says`: whether the element's text contains this
 * part.
 */
export const hasText = (selector: string, whole: string) => text(selector)?.trim() === whole;

export const says = (selector: string, part: string) => text(selector)?.includes(part);

export const begins = (selector: string, start: string) => text(selector)?.startsWith(start);

export const isSelected = (whole: string) => String(getSelection()) === whole;

/** The URLs of links. */
export const addresses = (selector: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>(selector)].map(({ href }) => href);

export const leadsTo = (selector: string, address: string) =>
  addresses(selector)[0] === new URL(address, location.href).href;

/** The URLs in attributes and of loaded files that contain a text. */
export const addressesWith = (part: string) =>
  [...document.querySelectorAll('*')]
    .flatMap((element) => [...element.attributes].map(({ value }) => value))
    .concat(loaded(''))
    .filter((value) => /^[a-z]+:/.test(value) && value.includes(part));

/** The names and queries of the visible links to calendar entries. */
export const offeredEntries = () =>
  [...document.querySelectorAll<HTMLAnchorElement>('a[href*="/event.ics"]')]
    .filter((link) => link.checkVisibility())
    .map((link) => link.textContent + link.search)
    .join('|');

/**
 * The parts of an organizer's page down to the private link: the main button's name, and the kinds of the other parts.
 */
export function organizersParts() {
  const parts = '.tally, .hint, .large, .said, .guests';
  return [
    ...document.querySelectorAll<HTMLElement>(`#guests-title, .guest-section > :is(${parts}), #backup, #private`),
  ].map(({ id, className, innerText }) => (className === 'primary large' ? innerText.trim() : id || className));
}

/** The fields and chips that accept input. */
export const openFields = (form: string) =>
  [...find(form).querySelectorAll<HTMLInputElement>(':is(input, textarea, select, .chips button)')]
    .filter((field) => !field.readOnly && field.ariaDisabled !== 'true')
    .map(({ outerHTML }) => outerHTML);

export const hasFocus = (selector: string) => document.activeElement?.matches(selector);

/** The value of a property of an element's computed style. */
export const styleOf = (selector: string, property: 'backgroundColor' | 'color' | 'stroke' | 'strokeDasharray') =>
  getComputedStyle(find(selector, document, Element))[property];

type Findings = { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[];
declare const axe: {
  run: (on: Document, options: object) => Promise<{ passes: unknown[]; violations: Findings; incomplete: Findings }>;
};

/** Returns axe-core's findings, by all rules or by one rule, with undecided findings. */
export async function axeFindings(rule: string) {
  const rules = { 'target-size': { enabled: true } };
  const report = await axe.run(document, rule ? { rules, runOnly: [rule] } : { rules });
  return {
    passes: report.passes.length,
    problems: [...report.violations, ...report.incomplete].map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    })),
  };
}

/** Clicks each element that matches, and returns how many there are. */
export function clickAll(selector: string) {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  for (const element of all) element.click();
  return all.length;
}

/** The values of a form. */
export const valuesIn = (form: string) =>
  [...new FormData(find(form, document, HTMLFormElement)).values()].map((value) => String(value).replaceAll('\r', ''));

/** The guests of the check-in as a screen reader reads them. */
export const rows = () =>
  [...document.querySelectorAll<HTMLElement>('.guests li')].map((row) => row.innerText.replace(/\s+/g, ' ').trim());

/** For each entry on home: whether it contains an element that matches the selector `part`. */
export const entriesWith = (part: string) =>
  [...document.querySelectorAll('.entries > li')].map((entry) => Boolean(entry.querySelector(part)));

export const cardsOfToday = () =>
  [...document.querySelectorAll('.leading')].map((card) => ({
    title: card.querySelector('a')?.textContent,
    action: card.querySelector('.primary')?.textContent,
    own: card.querySelectorAll('.own').length,
  }));

/** The text that the browser's own print command prints. */
export function onPaper() {
  dispatchEvent(new Event('beforeprint'));
  return plain(text('.paper') ?? '');
}

/** Reads an event from the service. */
export async function readEvent(eventToken: string) {
  const answer = await fetch(`/api/events/${eventToken}`);
  return (await answer.json()) as EventDetails;
}

/** The title, the page's instructions for search engines, and whether the page names the manifest. */
export const titleAndRobots = () =>
  [
    document.title,
    document.querySelector<HTMLMetaElement>('meta[name=robots]')?.content ?? 'index',
    document.querySelector('link[rel=manifest]') ? 'app' : 'no app',
  ].join(' | ');

export const isStruck = (selector: string) =>
  [...document.querySelectorAll(selector)].some((part) =>
    getComputedStyle(part).textDecorationLine.includes('line-through'),
  );

export const addressesAndRel = (selector: string) =>
  [...document.querySelectorAll<HTMLAnchorElement>(selector)].map(({ href, rel }) => `${href} ${rel}`);

/**
 * The days (date) or times (time) that the form offers. The chosen day or time has the value of the field beside it.
 */
export const near = (kind: 'date' | 'time') =>
  [...document.querySelectorAll(`#near-${kind} button`)]
    .map((chip) => (chip.ariaPressed === 'true' ? `${chip.textContent} = ${valueOf(kind)}` : chip.textContent))
    .join(', ')
    .replaceAll('\u202f', ' ');

const valueOf = (id: string) => find(`#${id}`, document, HTMLInputElement).value;

export const hasNear = (kind: 'date' | 'time', all: string) => near(kind) === all;

/** The number of different backgrounds of the chips. */
export const coloursOfChips = () =>
  new Set([...document.querySelectorAll('.chips button')].map((chip) => getComputedStyle(chip).backgroundColor)).size;

/** The number of guests that the strokes show. */
export const strokes = () => document.querySelectorAll('.who path:not(.halo)').length + Number(text('.who b') ?? 0);

const head = () => styleOf('#top', 'backgroundColor');

export const barColours = () =>
  [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].map(({ content }) => content);

/** Whether the browser's bars have the colour of the head. */
export const barsFollow = () => barColours()[0] === head();

/** Whether an element has this event colour, and the browser's bars have the head's colour. */
export const hasColour = (selector: string, colour: number) =>
  document.querySelector<HTMLElement>(selector)?.dataset.colour === String(colour) && barsFollow();

/** Whether the head has the colour of a cancelled event. */
export const isGrey = () => head().includes(' 0.018 ');

const isShown = (element: Element) => element.getClientRects().length > 0;

/** The names of the visible main buttons, each a black bar. */
export const filledBars = () =>
  [...document.querySelectorAll<HTMLElement>('.primary')]
    .filter((bar) => bar.checkVisibility() && getComputedStyle(bar).backgroundColor !== 'rgba(0, 0, 0, 0)')
    .map(({ innerText }) => innerText.trim());

/** The visible controls. */
export const shownControls = () =>
  [...document.querySelectorAll('button, input, select, textarea, a.primary, summary')]
    .filter(isShown)
    .map(({ outerHTML }) => outerHTML);

export const emptyCards = () =>
  [...document.querySelectorAll<HTMLElement>('.card')]
    .filter((card) => isShown(card) && !card.innerText.trim())
    .map(({ outerHTML }) => outerHTML);

/** Makes the next click a double click. */
export const doubleClick = () =>
  addEventListener('click', ({ target }) => (target as HTMLElement).click(), { once: true });

/** Makes the names in a printed file readable aloud. Screen readers do not read the printed page on the screen. */
export const readPaperAloud = () =>
  addEventListener('beforeprint', () => document.querySelector('.paper')?.removeAttribute('aria-hidden'));

const palette = ['--poster', '--on-poster', '--paper', '--sheet', '--ink', '--soft', '--line', '--own'];

/**
 * The content of the first screen: texts, and styles that depend neither on this machine's fonts nor on the browser.
 */
export function seen() {
  const { documentElement: html } = document;
  const parts = '#top, .poster, #announce, #guests-title, .guest-section > .tally, #first, .guests li:first-child';
  const elements = [...document.querySelectorAll(`:is(${parts}), :is(${parts}) *`)];
  return [
    ...palette.map((name) => getComputedStyle(html).getPropertyValue(name)),
    ...elements
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { display, fontWeight, fontSize, paddingTop, borderTopWidth, borderTopLeftRadius } =
          getComputedStyle(element);
        const sizes = [fontSize, paddingTop, borderTopWidth, borderTopLeftRadius].map((size) =>
          Math.round(parseFloat(size)),
        );
        const own = [...element.childNodes].map((node) => (node instanceof Text ? node.data : '')).join('');
        return [element.localName, element.getAttribute('class'), own, display, fontWeight, ...sizes].join(' ');
      }),
  ];
}
