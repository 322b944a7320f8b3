import type { English } from '../locales/en';
import { recall, remember } from './storage';

/** The names of the languages, by language. */
export const languages = JSON.parse(document.documentElement.dataset.languages ?? '{}') as Record<string, string>;

/** A text, or the forms of a text by the categories of Intl.PluralRules. */
type Text = string | { other: string; [category: string]: string };

type Names<Words> = Words extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** The values for a text: one for each name in braces, and the number that chooses a form. */
type Values<Words> = Words extends string
  ? { [Name in Names<Words>]: string | number }
  : { n: number } & { [Name in Names<Words[keyof Words]>]: string | number };

/** The kinds of pages. Each has a file of texts in each language. */
const kinds = ['event', 'home', 'organize'] as const;
export type Kind = (typeof kinds)[number];
const opened = new Set<Kind>();

/** The files by name. A file has "" in place of texts that its kind of page does not need. */
const files = new Map<string, Text[]>();

/** The texts by key, which bundle.go replaces with an index. */
let texts: Record<string, Text> = {};
let plurals: Intl.PluralRules;
export let relative: Intl.RelativeTimeFormat;
export let language: string;
let choice = ''; // the language chosen in the menu, whose texts may still be loading
/** The visitor's own variant of the language (en-GB, de-CH, …), for dates and numbers. */
export let locale: string;

/** The digits and the calendar of the server's dates, for every variant. */
export const pinned = { numberingSystem: 'latn', calendar: 'gregory' } as const;

export const languageOf = (tag: unknown) => String(tag).replace(/-.*/s, '').toLowerCase();

// Keep language, script and region only: some systems add parts that Intl does not accept, such as in en-US@posix.
const parts = /^([a-z]+(?:-[a-z]{4})?(?:-[a-z]{2}|-\d{3})?)\b.*/is;

/** The visitor's language tags: the server's choice for an event page, then the browser's tags. */
const tags = () =>
  [document.documentElement.dataset.tag ?? '', ...navigator.languages]
    .filter((tag) => Object.hasOwn(languages, languageOf(tag)))
    .map((tag) => tag.replace(parts, '$1'));

/** The visitor's own language tag, whatever the menu's choice. */
export const readerTag = () => tags()[0] ?? 'en';

export const wanted = (chosen: unknown = recall('language')) =>
  Object.hasOwn(languages, languageOf(chosen)) ? languageOf(chosen) : languageOf(readerTag());

/** A language's value of the attribute lang: the site's Portuguese is Brazilian. */
export const htmlLang = (tag: string) => (tag === 'pt' ? 'pt-BR' : tag);

const fileName = (tag: string, kind: Kind) => `${tag}-${kind}`;
const urlOf = (name: string) => `${document.documentElement.dataset.files?.replace('*', name)}.json`;

async function request(tag: string, kind: Kind) {
  const name = fileName(tag, kind);
  if (files.has(name)) return;
  const response = await fetch(urlOf(name));
  if (!response.ok) throw new Error(`no texts: ${response.status}`);
  files.set(name, (await response.json()) as Text[]);
}

function gather() {
  texts = {};
  for (const kind of opened)
    for (const [key, text] of Object.entries(files.get(fileName(language, kind)) ?? [])) if (text) texts[key] = text;
}

/** Loads the texts of another kind of page. The language may change meanwhile. */
export async function loadTexts(kind: Kind) {
  opened.add(kind);
  while (!files.has(fileName(language, kind))) await request(language, kind);
  gather();
}

/** Requests the texts of every kind of page, so that the worker caches them. */
export function keepTexts() {
  for (const kind of kinds) fetch(urlOf(fileName(language, kind))).catch(() => {});
}

/** Loads the language of the page that is opened first. */
export function loadLanguage(kind: Kind) {
  opened.add(kind);
  return setLanguage(wanted());
}

async function setLanguage(tag: string) {
  await Promise.all([...opened].map((kind) => request(tag, kind)));
  if (choice && tag !== choice) return;
  language = tag;
  gather();
  locale = tags().find((one) => languageOf(one) === tag) ?? tag;
  plurals = new Intl.PluralRules(locale);
  relative = new Intl.RelativeTimeFormat(new Intl.Locale(locale, pinned), { numeric: 'auto' });
  document.documentElement.lang = htmlLang(tag);
  document.documentElement.dir = tag === 'ar' ? 'rtl' : 'ltr';
}

export async function chooseLanguage(tag: string) {
  choice = tag;
  await setLanguage(wanted(tag)).catch((error: unknown) => {
    if (tag === choice) throw error;
  });
  if (tag === choice) remember('language', tag);
}

/**
 * The text of a key. Each value is in a bidi isolate (FSI … PDI), without the control characters that would end the
 * isolate: a name written from right to left must not change the order of the sentence around the name.
 */
export function t<Key extends keyof English>(
  key: Key,
  ...values: keyof Values<English[Key]> extends never ? [] : [Values<English[Key]>]
): string;
export function t(key: string, values: Record<string, string | number> = {}) {
  let text = texts[key] ?? key;
  if (typeof text === 'object') text = text[plurals.select(Number(values.n))] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number'
      ? new Intl.NumberFormat(locale, pinned).format(value)
      : `\u2068${String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`;
  });
}
