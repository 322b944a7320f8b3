// @ts-check
import { h } from './dom.js';

// Ideographs, kana and full-width punctuation end an address: Japanese has no spaces, and
// browsers copy such letters of an address percent-encoded. Without the flag u, with which
// ſ would match s.
const address = /\bhttps?:\/\/[^\s<>"\u2066-\u2069\u202a-\u202e\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]+/gi;

/**
 * With a user name, the first host that one reads is not the one that is opened.
 * @param {string} url
 */
function isPlain(url) {
  try {
    const { username, password } = new URL(url);
    return !username && !password;
  } catch {
    return false;
  }
}

/**
 * Closing punctuation belongs to the sentence.
 * @param {string} url
 */
function trimmed(url) {
  let text = url;
  while (/[.,;:!?'*_\]}»”’،؛؟۔…]$/u.test(text) || (text.endsWith(')') && text.split(')').length > text.split('(').length)) text = text.slice(0, -1);
  return text;
}

/**
 * The nodes of a text in which addresses are links; only http and https.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function linkify(text) {
  /** @type {(Node | string)[]} */
  const nodes = [];
  let last = 0;
  for (const match of text.matchAll(address)) {
    const url = trimmed(match[0]);
    if (!isPlain(url)) continue;
    nodes.push(text.slice(last, match.index), h('a', { href: url, rel: 'noopener noreferrer nofollow', target: '_blank' }, url));
    last = match.index + url.length;
  }
  return [...nodes, text.slice(last)];
}
