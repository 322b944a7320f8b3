import { recall, remember } from './storage.js';

export const languages = { en: 'English', de: 'Deutsch' };

let texts;
let plurals;
export let language;
// The reader's own variant (en-GB, de-AT, …) decides how dates and numbers look.
export let locale;

export async function loadLanguage(chosen = recall('language')) {
  const wanted = [chosen, ...navigator.languages].filter(Boolean);
  const found = wanted.map((tag) => tag.slice(0, 2)).find((tag) => tag in languages) ?? 'en';
  texts = await (await fetch(`/locales/${found}.json`)).json();
  language = found;
  locale = navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;
  plurals = new Intl.PluralRules(locale);
  document.documentElement.lang = language;
}

export async function chooseLanguage(tag) {
  await loadLanguage(tag);
  remember('language', tag);
}

const number = (value) => new Intl.NumberFormat(locale).format(value);

// Values are isolated (FSI … PDI): a name written right to left must not turn
// the sentence around it.
export function t(key, values = {}) {
  let text = texts[key];
  if (typeof text === 'object') text = text[plurals.select(values.n)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) =>
    typeof values[name] === 'number' ? number(values[name]) : `\u2068${values[name]}\u2069`);
}
