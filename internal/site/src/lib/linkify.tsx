import { h } from './dom';

// A run has the characters that an address may have. Ideographs, kana and full-width punctuation end a run: Japanese
// text has no spaces, and browsers copy such letters of a URL percent-encoded.
const run = /[^\s<>"\u2066-\u2069\u202a-\u202e\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]+/g;

// There is no flag u, because with this flag ſ would match s.
const scheme = /\bhttps?:\/\//i;

// plainHost excludes URLs with a user name, which can disguise the host.
const plainHost = /^https?:\/\/[^/?#@[\]]+([/?#]|$)/i;

const opening = /^['([{„‚“‘«»*_]*/;
const www = /^www\.[^./?#@:]+\.[^./?#@:]/i;
// Without "www." an address needs a path, and a top-level domain: a country's, or one of those that people share.
const domains =
  'com|org|net|edu|gov|info|app|dev|live|town|team|video|chat|events|party|club|online|site|page|link|social|space';
const bare = new RegExp(`^(?:[A-Za-z\\d-]+\\.)+(?:[a-z]{2}|${domains})(?::\\d+)?/`);
const mail = /^[\w.+-]+@(?:[A-Za-z\d-]+\.)+[A-Za-z]{2,}$/;

// A telephone number is international, national with a leading 0, or written as in North America. A date is none.
const digits = /[(+]*\d[\d ()/.\u00a0\u2010-\u2013-]{5,22}\d/y;
const telephone = /^\(?\+(?:\D*\d){7,15}$|^\(?0(?:[^\d.]*\d){8,11}$|^\(?\d{3}\)?[ -]?\d{3}-\d{4}$/;
const date = /^\d{1,2}[-/]\d{1,2}[-/]\d/;

/** Cuts closing punctuation off an address, as it belongs to the sentence. */
function trimmed(address: string) {
  let end = address.length;
  let unopened = address.split(')').length - address.split('(').length;
  for (; end; end--) {
    const last = address.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened--;
    else if (!/[.,;:!?'*_\]}»”’،؛؟۔…]/.test(last)) break;
  }
  return address.slice(0, end);
}

/** The place of an address of the web or of a mailbox in a run, and the address. */
function inRun(text: string): [number, string] | undefined {
  const start = text.search(scheme);
  const at = start < 0 ? (opening.exec(text)?.[0].length ?? 0) : start;
  const address = trimmed(text.slice(at));
  const isWeb = start >= 0 || www.test(address) || bare.test(address);
  return (isWeb ? plainHost.test(hrefOf(address)) : mail.test(address)) ? [at, address] : undefined;
}

/** The telephone number at an index of a text, or "". */
function numberAt(text: string, index: number) {
  digits.lastIndex = index;
  const number = digits.exec(text)?.[0] ?? '';
  const isWhole = !/[\p{L}\p{N}:@/]/u.test(text.charAt(index + number.length));
  return isWhole && telephone.test(number) && !date.test(number) ? number : '';
}

/** Splits a text at its addresses and telephone numbers. Even indexes are text, odd indexes are links. */
export function split(text: string) {
  const parts = [];
  let last = 0;
  for (const { 0: found, index } of text.matchAll(run)) {
    if (index < last) continue;
    const number = numberAt(text, index);
    const [at, link] = number ? [0, number] : (inRun(found) ?? []);
    if (at === undefined || !link) continue;
    parts.push(text.slice(last, index + at), link);
    last = index + at + link.length;
  }
  return [...parts, text.slice(last)];
}

/** The URL of an address or a telephone number. */
export function hrefOf(text: string) {
  if (/^https?:\/\//i.test(text)) return text;
  if (mail.test(text)) return `mailto:${text}`;
  if (!telephone.test(text)) return `https://${text}`;
  const number = text.replace('(0)', '').replace(/\D/g, '');
  return `tel:${text.includes('+') ? '+' : ''}${number}`;
}

/** Whether a place can be looked up on a map: it has no address to open, and no name of an account. */
export const isOnMap = (place: string) => split(place).length === 1 && !/@\S/.test(place);

/** Encodes a URL as Go's html/template does. */
const normalized = (url: string) =>
  url.replace(/%(?![\dA-Fa-f]{2})|[^\w!#$&*+,/:;=?@[\]%.~-]/gu, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );

/**
 * Makes links of the addresses in a text. An address is always drawn from left to right, because otherwise a
 * right-to-left character could move another host to the front.
 */
export const linkify = (text: string) =>
  split(text).map((part, index) =>
    index % 2 ? (
      <a href={normalized(hrefOf(part))} dir="ltr" rel="noopener noreferrer nofollow" target="_blank">
        {part}
      </a>
    ) : (
      part
    ),
  );
