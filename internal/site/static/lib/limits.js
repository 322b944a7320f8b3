// @ts-check
// The bounds of the service's fields, in characters (Unicode code points).
export const limits = {
  title: 200, description: 2000, location: 500, reason: 2000, name: 100,
  why: 1000, // leaves room in a reason for the date, the place and the link of another event
};

/** @param {string} text */
export function characters(text) {
  // Without an array of the characters, which would be too large for a very long text.
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) {
    if (/** @type {number} */ (text.codePointAt(at)) > 0xffff) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/**
 * Whether no character of a text can be seen, as the service decides it.
 * @param {string} text
 */
export const blank = (text) => !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u{1d159}]/u.test(text);
