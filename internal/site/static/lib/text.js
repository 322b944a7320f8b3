// @ts-check
import { language } from './i18n.js';

/** Whether no character of a text can be seen, as the service decides it. @param {string} text */
export const blank = (text) => !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1d159}]/u.test(text);

/** A text of t without the characters that isolate values. @param {string} text */
export const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

/** Sentences in a row; Japanese has no space between them. @param {...(string | HTMLElement)} all */
export const sentences = (...all) => all.flatMap((one, index) => (index && language !== 'ja' ? [' ', one] : [one]));
