// @ts-check
import { h } from '../lib/dom.js';

/**
 * Asks a question. Resolves to true if the answer is yes.
 * @param {object} question
 * @param {string} question.title
 * @param {import('../lib/dom.js').Child[]} question.body
 * @param {string} question.yes
 * @param {string} question.no
 * @param {string} [question.level] of the yes button; with secondary, no is the default
 * @param {() => boolean} [question.valid] whether yes is allowed now
 * @returns {Promise<boolean>}
 */
export function confirm({ title, body, yes, no, level = 'primary danger', valid = () => true }) {
  /** @param {string} its */
  const refuse = (its) => h('button', { value: 'no', class: its }, no);
  return new Promise((resolve) => {
    const dialog = h('dialog', { 'aria-labelledby': 'question', closedby: 'any' },
      h('form', { method: 'dialog' },
        // The focus is on the heading, so that a long dialog opens at its start.
        h('h2', { id: 'question', tabindex: -1, autofocus: true }, title), ...body,
        h('div', { class: 'row' },
          level === 'secondary' && refuse('primary'),
          h('button', { value: 'yes', class: level, onclick: (/** @type {Event} */ event) => valid() || event.preventDefault() }, yes),
          level !== 'secondary' && refuse('secondary'))));
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
