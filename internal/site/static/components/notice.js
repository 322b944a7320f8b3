// @ts-check
import { h } from '../lib/dom.js';

/**
 * Announced by the live region that it is put into.
 * @param {'good' | 'bad' | ''} kind
 * @param {...import('../lib/dom.js').Child} children
 */
export const notice = (kind, ...children) => h('div', { class: `notice ${kind}`.trim() }, ...children);
