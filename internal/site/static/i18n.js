import { recall, remember } from './storage.js';

export const languages = { en: 'English', de: 'Deutsch' };

let texts;
let plurals;
export let language;
// The reader's own variant (en-GB, de-AT, …) decides how dates and numbers look.
export let locale;

const languageOf = (tag) => String(tag).split('-')[0].toLowerCase();

// Some systems name a variant that Intl does not take, such as en-US@posix.
function isLocale(tag) {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

// The page names the files of its version, which carry a hash.
const localeURL = (tag) => JSON.parse(document.documentElement.dataset.locales)[tag];

export async function loadLanguage(chosen = recall('language')) {
  const known = [chosen, ...navigator.languages].map(languageOf).filter((tag) => Object.hasOwn(languages, tag));
  const found = known[0] ?? 'en';
  texts = await (await fetch(localeURL(found))).json();
  language = found;
  locale = navigator.languages.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language;
  plurals = new Intl.PluralRules(locale);
  document.documentElement.lang = language;
}

export async function chooseLanguage(tag) {
  await loadLanguage(tag);
  remember('language', tag);
}

const number = (value) => new Intl.NumberFormat(locale).format(value);

// Values are isolated (FSI … PDI): a name written right to left must not turn
// the sentence around it, nor end the isolation with a mark of its own.
export function t(key, values = {}) {
  let text = texts[key];
  if (typeof text === 'object') text = text[plurals.select(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) =>
    typeof values[name] === 'number' ? number(values[name]) : `\u2068${String(values[name]).replace(/[\u202a-\u202e\u2066-\u2069]/g, '')}\u2069`);
}
