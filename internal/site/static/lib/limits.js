// @ts-check
// The bounds of the service's fields, in characters (Unicode code points).
export const limits = { title: 200, description: 2000, location: 500, reason: 2000, name: 100 };

/** @param {string} text */
export const characters = (text) => [...text].length;

/** @param {string} text */
export const blank = (text) => !/\S/u.test(text);
