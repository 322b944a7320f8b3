// @ts-check
import { language } from './i18n';

/** Whether a text has no visible character, by the service's rule. @param {string} text */
export const blank = (text) => !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1d159}]/u.test(text);

/** @param {string} text */
export const simplified = (text) => text.normalize('NFKC').trim();

/** Whether two names are alike. @param {string} a @param {string} b */
export const sameName = (a, b) => simplified(a).toLocaleLowerCase() === simplified(b).toLocaleLowerCase();

/** A text of t without isolating characters. @param {string} text */
export const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

/** Sentences in a row; Japanese has no space between them. @param {...(string | import('./dom').Described)} all */
export const sentences = (...all) => all.flatMap((one, index) => (index && language !== 'ja' ? [' ', one] : [one]));
