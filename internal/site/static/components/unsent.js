// @ts-check
import { t } from '../lib/i18n.js';

/** @param {import('../lib/outbox.js').Shown} item */
const changing = ({ created }) => (created ? t('change.waiting') : t('waiting.event'));

/**
 * The texts about an item in the outbox, by its kind: `waiting` on the page of its event, `listed` in
 * the list of home, `refused` on both.
 * @type {Record<string, Record<'waiting' | 'listed' | 'refused', (item: import('../lib/outbox.js').Shown) => string>>}
 */
export const wordsOf = {
  rsvp: {
    waiting: ({ name }) => t('waiting.rsvp', { name }),
    listed: ({ name }) => t('mine.unsent', { name }),
    refused: ({ name }) => t('rsvp.notSent', { name }),
  },
  withdraw: {
    waiting: ({ name }) => t('waiting.withdraw', { name }),
    listed: ({ name }) => t('mine.leaving', { name }),
    refused: ({ name }) => t('withdraw.notDone', { name }),
  },
  cancel: {
    waiting: () => t('cancel.waiting'),
    listed: () => t('cancel.waiting'),
    refused: () => t('cancel.notDone'),
  },
  change: {
    waiting: changing,
    listed: changing,
    refused: ({ created }) => (created ? t('change.done') : t('change.notDone')),
  },
};
