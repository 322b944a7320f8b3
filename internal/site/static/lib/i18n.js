// @ts-check
import { recall, remember } from './storage';

/** Each language by its own name; there is a file of texts for each. @type {Record<string, string>} */
export const languages = {
  ar: 'العربية',
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  it: 'Italiano',
  ja: '日本語',
  nl: 'Nederlands',
  pl: 'Polski',
  pt: 'Português (Brasil)',
  tr: 'Türkçe',
  uk: 'Українська',
};

/** @typedef {string | { other: string, [category: string]: string }} Text a text, or its forms by the categories of Intl.PluralRules */

/** @type {Record<string, Text>} */
let texts;
/** @type {Intl.PluralRules} */
let plurals;
/** @type {Intl.RelativeTimeFormat} */
export let relative;
/** @type {string} */
export let language;
let choice = ''; // the last one from the menu, whose texts may be on their way
/** The reader's own variant (en-GB, de-CH, …) decides how dates and numbers look. @type {string} */
export let locale;

/** The digits and calendar of the server's dates, in every variant. */
export const pinned = /** @type {const} */ ({ numberingSystem: 'latn', calendar: 'gregory' });

/** @param {unknown} tag */
const languageOf = (tag) => String(tag).replace(/-.*/s, '').toLowerCase();

// A language, script and region, and what follows. Some systems add what Intl does not accept, such as en-US@posix.
const parts = /^([a-z]+(?:-[a-z]{4})?(?:-[a-z]{2}|-\d{3})?)\b.*/is;

/** The tag that the server chose for the page of an event, then those of the browser. */
const tags = () =>
  [document.documentElement.dataset.tag ?? '', ...navigator.languages]
    .filter((tag) => Object.hasOwn(languages, languageOf(tag)))
    .map((tag) => tag.replace(parts, '$1'));

/** The reader's own tag, independent of the menu. */
export const own = () => tags()[0] ?? 'en';

/** @param {unknown} [chosen] */
export const wanted = (chosen = recall('language')) =>
  Object.hasOwn(languages, languageOf(chosen)) ? languageOf(chosen) : languageOf(own());

/** The texts in Portuguese are Brazilian. @param {string} tag */
export const htmlLang = (tag) => (tag === 'pt' ? 'pt-BR' : tag);

/** Loads the texts of one language. @param {unknown} [chosen] from the menu */
export async function loadLanguage(chosen) {
  const tag = wanted(chosen);
  // The page lists the files of its release; their names contain a hash.
  const response = await fetch(JSON.parse(document.documentElement.dataset.locales ?? '{}')[tag]);
  if (!response.ok) throw new Error(`no texts: ${response.status}`);
  const loaded = await response.json();
  if (choice && tag !== choice) return;
  texts = loaded;
  language = tag;
  locale = tags().find((one) => languageOf(one) === tag) ?? tag;
  plurals = new Intl.PluralRules(locale);
  relative = new Intl.RelativeTimeFormat(new Intl.Locale(locale, pinned), { numeric: 'auto' });
  document.documentElement.lang = htmlLang(tag);
  document.documentElement.dir = tag === 'ar' ? 'rtl' : 'ltr';
}

/** @param {string} tag */
export async function chooseLanguage(tag) {
  choice = tag;
  await loadLanguage(tag);
  if (tag === choice) remember('language', tag);
}

/** @param {number} value */
const number = (value) => new Intl.NumberFormat(locale, pinned).format(value);

/**
 * The text of a key. Values are isolated (FSI … PDI), without control characters that would end the
 * isolation: a name written right to left must not turn the sentence around it.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  let text = texts[key] ?? key;
  if (typeof text === 'object') text = text[plurals.select(Number(values.n))] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === 'number'
      ? number(value)
      : `\u2068${String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`;
  });
}
