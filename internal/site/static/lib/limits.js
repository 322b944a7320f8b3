// @ts-check
// The bounds of the service's fields, in characters (Unicode code points).
export const limits = { title: 200, description: 2000, location: 500, reason: 2000, name: 100 };

/** @param {string} text */
export function characters(text) {
  // Without an array of the characters, which a very long text would not fit into.
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if (/** @type {number} */ (text.codePointAt(at)) > 0xffff) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/** @param {string} text */
export const blank = (text) => !/\S/u.test(text);
