// @ts-check
import { h } from '../lib/dom.js';

/**
 * A message. Screen readers announce it only inside a live region.
 * @param {'good' | 'bad' | ''} kind
 * @param {...import('../lib/dom.js').Child} children
 */
export const notice = (kind, ...children) => h('div', { class: `notice ${kind}`.trim() }, ...children);
