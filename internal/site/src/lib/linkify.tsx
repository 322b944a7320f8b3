import { h } from './dom';

// Ideographs, kana and full-width punctuation end an address: Japanese has no spaces, and browsers copy such letters of
// an address percent-encoded. No flag u: with it, ſ would match s.
const address =
  /\bhttps?:\/\/[^\s<>"\u2066-\u2069\u202a-\u202e\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]+/gi;

// Excludes user names, which can disguise the host.
const plainHost = /^https?:\/\/[^/?#@[\]]+([/?#]|$)/i;

/** Closing punctuation belongs to the sentence. */
function trimmed(url: string) {
  let text = url;
  while (
    /[.,;:!?'*_\]}»”’،؛؟۔…]$/u.test(text) ||
    (text.endsWith(')') && text.split(')').length > text.split('(').length)
  )
    text = text.slice(0, -1);
  return text;
}

/** Splits a text at its http and https addresses: even indexes are text, odd ones addresses. */
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

/** As html/template writes an address. */
const normalized = (url: string) =>
  url.replace(/%(?![\dA-Fa-f]{2})|[^\w!#$&*+,/:;=?@[\]%.~-]/gu, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );

/** An address is written from left to right: otherwise a character in it could show another host as the first one. */
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
