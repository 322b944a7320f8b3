// @ts-check
// The bounds of the service's fields, in characters (Unicode code points).
export const limits = {
  title: 200,
  description: 2000,
  location: 500,
  reason: 2000,
  name: 100,
  why: 1000, // leaves room in a reason for the date, the place and the link of another event
};

/** The organizer's texts. */
export const texts = /** @type {const} */ (['title', 'location', 'description']);
/** @typedef {typeof texts[number]} Text */
/** @typedef {{ title: string } & { [name in Text]?: string }} EventTexts */

/** A value for each text. @template T @param {(name: Text) => T} of @returns {Record<Text, T>} */
export const forTexts = (of) => /** @type {any} */ (Object.fromEntries(texts.map((name) => [name, of(name)])));

/** @param {string} text */
export const characters = (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, ' ').length;
