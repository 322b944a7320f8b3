import { h } from './dom';

// Ideographs, kana and full-width punctuation end a URL: Japanese text has no spaces, and browsers copy such letters of
// a URL percent-encoded. There is no flag u, because with this flag ſ would match s.
const address =
  /\bhttps?:\/\/[^\s<>"\u2066-\u2069\u202a-\u202e\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]+/gi;

// plainHost excludes URLs with a user name, which can disguise the host.
const plainHost = /^https?:\/\/[^/?#@[\]]+([/?#]|$)/i;

/** Cuts closing punctuation off a URL, as it belongs to the sentence. */
function trimmed(url: string) {
  let text = url;
  while (
    /[.,;:!?'*_\]}»”’،؛؟۔…]$/u.test(text) ||
    (text.endsWith(')') && text.split(')').length > text.split('(').length)
  )
    text = text.slice(0, -1);
  return text;
}

/** Splits a text at its http and https URLs. Even indexes are text, odd indexes are URLs. */
export function split(text: string) {
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(address)) {
    const url = trimmed(match[0]);
    if (!plainHost.test(url)) continue;
    parts.push(text.slice(last, match.index), url);
    last = match.index + url.length;
  }
  return [...parts, text.slice(last)];
}

/** Encodes a URL as Go's html/template does. */
const normalized = (url: string) =>
  url.replace(/%(?![\dA-Fa-f]{2})|[^\w!#$&*+,/:;=?@[\]%.~-]/gu, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );

/**
 * Makes links of the URLs in a text. A URL is always drawn from left to right, because otherwise a right-to-left
 * character could move another host to the front.
 */
export const linkify = (text: string) =>
  split(text).map((part, index) =>
    index % 2 ? (
      <a href={normalized(part)} dir="ltr" rel="noopener noreferrer nofollow" target="_blank">
        {part}
      </a>
    ) : (
      part
    ),
  );
