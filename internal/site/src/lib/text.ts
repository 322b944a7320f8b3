import type { Described } from './dom';
import { isText, type Guard } from './guards';
import { language, locale, t } from './i18n';

/** Whether a text has no visible character, by the service's rule. */
export const blank = (text: string) =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1d159}]/u.test(text);

// Marks that are vowels, as in Hindi and Thai, tell names apart; those of Latin, Arabic and Hebrew letters do not.
const accents = /(?=\p{M})[\P{Alphabetic}\p{sc=Zinh}\p{sc=Arab}\p{sc=Hebr}]/gu;
const unread = /[\p{P}\p{Sk}\p{Z}\p{Cc}\p{Cf}\u02b0-\u02ff\u0640\u115f\u1160\u2800]/gu;
/** Letters that have no decomposition. */
const plainLetters: Record<string, string> = Object.fromEntries(
  'ıi łl øo đd ðd ħh ŧt ßss æae œoe þth ςσ ґг ךכ םמ ןנ ףפ ץצ ةه ىي یي کك'
    .split(' ')
    .map(([from = '', ...to]) => [from, to.join('')]),
);

/** A name as readers compare it: they type other apostrophes, hyphens, spaces and accents than its owner. */
export function comparable(name: string) {
  const text = name.normalize('NFKD').toLowerCase();
  const read = text.replace(accents, '').replace(unread, '');
  const letters = read.replace(/[^\0-\x7f]/g, (letter) => plainLetters[letter] ?? letter);
  return letters || (blank(text) ? '' : text.trim()); // a name may be punctuation alone
}

/** Whether names, of guests or of events, are the same to a reader. */
export const sameName = (a: string, b: string) => comparable(a) === comparable(b);

/** The lines of a place, as in texts.go: many write an address in several. */
export const inLines = (place = '') =>
  place
    .split(/[\n\v\f\r\x85\u2028\u2029]/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
    .join('\n');

/** A place where one line is meant. */
export const inLine = (place = '') => inLines(place).replace(/[,،、]*\n/g, ', ');

/** A text without halves of characters, as some keyboards leave them: JSON cannot have them. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** A name as it is sent: no-break spaces have said that it is one guest's. */
export const asOne = (name: string) => wellFormed(name.trim().replaceAll('\u00A0', ' '));

/** The two names in Anna & Ben or, with a word of the page between spaces, Anna and Ben; else the name. */
export function guestsIn(name: string) {
  const and = new Intl.ListFormat(locale).format(['-', '-']).replace(/^- (.+) -$/, '$1');
  const others = language === 'uk' ? '|й|та' : '';
  const names = name.trim().split(new RegExp(` +(?:[&+]|${and}${others}) +`, 'iu'));
  const isCouple = names.length === 2 && !/[,،、\p{N}]/u.test(name) && names.every((one) => /^\p{L}/u.test(one));
  return isCouple ? names : [asOne(name)];
}

/** Without the isolating characters of t. */
export const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '');

/** Sentences in a row; Japanese has no space between them. */
export const sentences = (...all: (string | Described)[]) =>
  all.flatMap((one, index) => (index && language !== 'ja' ? [' ', one] : [one]));

// The bounds of the service's fields, in characters (Unicode code points).
export const limits = {
  title: 200,
  description: 2000,
  location: 500,
  host: 100,
  language: 35,
  reason: 2000,
  name: 100,
};

/** The organizer's texts, and their language. */
export const texts = ['title', 'host', 'location', 'description', 'language'] as const;
export type Text = (typeof texts)[number];

export const forTexts = <T>(of: (name: Text) => T) =>
  Object.fromEntries(texts.map((name) => [name, of(name)])) as Record<Text, T>;

export const characters = (text: string) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ' ').length;

/** Guards texts as the service bounds them. Twice the limit in UTF-16 is never less: a huge text is not counted. */
export const atMost =
  (limit: number): Guard<string> =>
  (value): value is string =>
    isText(value) && value.length <= 2 * limit && characters(value) <= limit;

export const visible =
  (limit: number): Guard<string> =>
  (value): value is string =>
    atMost(limit)(value) && !blank(value);

export const isName = visible(limits.name);

/** The message for a text that is too long, or "". */
export function tooLong(text: string, limit: number) {
  const over = characters(text) - limit;
  return over > 0 ? t('check.long', { n: over }) : '';
}
