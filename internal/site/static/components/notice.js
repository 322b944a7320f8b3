// @ts-check
import { h } from '../lib/dom.js';

/**
 * A message; a live region around it announces it.
 * @param {'good' | 'bad' | ''} kind
 * @param {...import('../lib/dom.js').Child} children
 */
export const notice = (kind, ...children) => h('div', { class: `notice ${kind}`.trim() }, ...children);
