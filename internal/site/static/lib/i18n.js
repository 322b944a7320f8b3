// @ts-check
import { recall, remember } from './storage.js';

/** @type {Record<string, string>} */
export const languages = { en: 'English', de: 'Deutsch' };

/** @typedef {string | Record<string, string>} Text a text, or its forms by number */

/** @type {Record<string, Text>} */
let texts;
/** @type {Intl.PluralRules} */
let plurals;
/** @type {string} */
export let language;
/**
 * The reader's own variant (en-GB, de-AT, …) decides how dates and numbers look.
 * @type {string}
 */
export let locale;

/** @param {unknown} tag */
const languageOf = (tag) => String(tag).split('-')[0].toLowerCase();

/**
 * Some systems name a variant that Intl does not take, such as en-US@posix.
 * @param {string} tag
 */
function isLocale(tag) {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

export async function loadLanguage(chosen = recall('language')) {
  const known = [chosen, ...navigator.languages].map(languageOf).filter((tag) => Object.hasOwn(languages, tag));
  const found = known[0] ?? 'en';
  texts = await (await fetch(localeURL(found))).json();
  language = found;
  locale = navigator.languages.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language;
  plurals = new Intl.PluralRules(locale);
  document.documentElement.lang = language;
}

/**
 * The page names the files of its version, which carry a hash.
 * @param {string} tag
 */
const localeURL = (tag) => JSON.parse(document.documentElement.dataset.locales ?? '{}')[tag];

/** @param {string} tag */
export async function chooseLanguage(tag) {
  await loadLanguage(tag);
  remember('language', tag);
}

/** @param {number} value */
const number = (value) => new Intl.NumberFormat(locale).format(value);

/**
 * The text of a key. Values are isolated (FSI … PDI): a name written right to
 * left must not turn the sentence around it, nor end the isolation with a mark
 * of its own.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  let text = texts[key];
  if (typeof text === 'object') text = text[plurals.select(Number(values.n))] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === 'number' ? number(value) : `\u2068${String(value).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`;
  });
}
