// @ts-check
import { h, make } from '../lib/dom';

/**
 * Asks a question. Resolves to true if the answer is yes, which valid may forbid. With the level secondary of its
 * button, no is the default.
 * @param {{ title: string, body: import('../lib/dom').Child[], yes: string, no?: string, level?: string, valid?: () => boolean }} question
 * @returns {Promise<boolean>}
 */
export function confirm({ title, body, yes, no, level = 'primary danger', valid = () => true }) {
  /** @param {string} its */
  const refuse = (its) => h('button', { value: 'no', class: its }, no);
  return new Promise((resolve) => {
    const dialog = /** @type {HTMLDialogElement} */ (
      make(
        h(
          'dialog',
          { 'aria-labelledby': 'question', closedby: 'any' },
          h(
            'form',
            { method: 'dialog' },
            // The focus is on the heading, so that a long dialog opens at its start.
            h('h2', { id: 'question', tabindex: -1, autofocus: true }, title),
            ...body,
            h(
              'div',
              { class: 'row' },
              level === 'secondary' && refuse('primary'),
              h(
                'button',
                {
                  value: 'yes',
                  class: level,
                  onclick: (/** @type {Event} */ event) => valid() || event.preventDefault(),
                },
                yes,
              ),
              level !== 'secondary' && no && refuse('secondary'),
            ),
          ),
        ),
      )
    );
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
