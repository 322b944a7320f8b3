import type { Described } from './dom';
import { isText, type Guard } from './guards';
import { language, locale, t } from './i18n';

/** Whether a text has no visible character, by the service's rule. */
export const blank = (text: string) =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1d159}]/u.test(text);

// Accents of Latin, Arabic and Hebrew letters do not tell names apart. Marks that are vowels, as in Hindi and Thai, do.
const accents = /(?=\p{M})[\P{Alphabetic}\p{sc=Zinh}\p{sc=Arab}\p{sc=Hebr}]/gu;
const unread = /[\p{P}\p{Sk}\p{Z}\p{Cc}\p{Cf}\u02b0-\u02ff\u0640\u115f\u1160\u2800]/gu;
/** Replacements of letters that Unicode does not decompose. */
const plainLetters: Record<string, string> = Object.fromEntries(
  'ıi łl øo đd ðd ħh ŧt ßss æae œoe þth ςσ ґг ךכ םמ ןנ ףפ ץצ ةه ىي یي کك'
    .split(' ')
    .map(([from = '', ...to]) => [from, to.join('')]),
);

/** Simplifies a name for comparison: people vary the apostrophes, hyphens, spaces and accents of a name. */
export function comparable(name: string) {
  const text = name.normalize('NFKD').toLowerCase();
  const read = text.replace(accents, '').replace(unread, '');
  const letters = read.replace(/[^\0-\x7f]/g, (letter) => plainLetters[letter] ?? letter);
  return letters || (blank(text) ? '' : text.trim()); // a name may be punctuation alone
}

/** Whether people take two names, of guests or of events, for the same name. */
export const sameName = (a: string, b: string) => comparable(a) === comparable(b);

/** A place without blank lines, as in texts.go: many organizers write an address in several lines. */
export const inLines = (place = '') =>
  place
    .split(/[\n\v\f\r\x85\u2028\u2029]/)
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
    .join('\n');

function withoutCommas(line: string) {
  let end = line.length;
  while (',،、'.includes(line.charAt(end - 1) || '-')) end -= 1;
  return line.slice(0, end);
}

/** A place in one line. Expressions for commas at an end would take a time that grows with the square. */
export const inLine = (place = '') =>
  inLines(place)
    .split('\n')
    .map((line, index, { length }) => (index < length - 1 ? withoutCommas(line) : line))
    .join(', ');

/** Replaces lone surrogates, which some keyboards leave behind, and which JSON cannot have. */
export const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** A name in the form that is sent. The form marks one guest's name by no-break spaces, which become spaces here. */
export const asOne = (name: string) => wellFormed(name.trim().replaceAll('\u00A0', ' '));

/** The two names in "Anna & Ben", or in "Anna and Ben" with the page language's word for "and". Else the name. */
export function guestsIn(name: string) {
  if (name.length > 4 * limits.name) return [asOne(name)]; // many spaces would take long
  const and = new Intl.ListFormat(locale).format(['-', '-']).replace(/^- (.+) -$/, '$1');
  const others = language === 'uk' ? '|й|та' : '';
  const names = name.trim().split(new RegExp(` +(?:[&+]|${and}${others}) +`, 'iu'));
  const isCouple = names.length === 2 && !/[,،、\p{N}]/u.test(name) && names.every((one) => /^\p{L}/u.test(one));
  return isCouple ? names : [asOne(name)];
}

/** Removes the bidi isolates that t adds. */
export const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '');

/** Separates parts of a line. No line begins with a separator. */
export const separator = '\u00A0· ';

/** Joins sentences with a space, which Japanese does not have. */
export const sentences = (...all: (string | Described)[]) =>
  all.flatMap((one, index) => (index && language !== 'ja' ? [' ', one] : [one]));

// The service's limits for texts, in characters (Unicode code points).
export const limits = {
  title: 200,
  description: 2000,
  location: 500,
  host: 100,
  language: 35,
  reason: 2000,
  name: 100,
};

/** The names of the organizer's texts, and of their language. */
export const texts = ['title', 'host', 'location', 'description', 'language'] as const;
export type Text = (typeof texts)[number];

export const forTexts = <T>(of: (name: Text) => T) =>
  Object.fromEntries(texts.map((name) => [name, of(name)])) as Record<Text, T>;

export const characters = (text: string) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ' ').length;

/**
 * Guards a text by the service's limit. A text within the limit has at most twice as many UTF-16 units, so the
 * characters of a huge text are not counted.
 */
export const atMost =
  (limit: number): Guard<string> =>
  (value): value is string =>
    isText(value) && value.length <= 2 * limit && characters(value) <= limit;

export const isName = (value: unknown): value is string => atMost(limits.name)(value) && !blank(value);

/** The message for a text that is too long, or "". */
export function tooLong(text: string, limit: number) {
  const over = characters(text) - limit;
  return over > 0 ? t('check.long', { n: over }) : '';
}
