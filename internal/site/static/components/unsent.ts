import { t } from '../lib/i18n';
import { isKept, type Shown } from '../lib/outbox';

/**
 * The texts about an item in the outbox: `waiting` on the page of its event, `listed` in the list of
 * home, `refused` on both.
 */
export function textsOf({ id, kind, name, created, error }: Shown) {
  switch (kind) {
    case 'rsvp':
      return {
        waiting: error?.kind === 'offline' && isKept(id) ? t('waiting.offline', { name }) : t('waiting.rsvp', { name }),
        listed: t('mine.unsent', { name }),
        refused: t('rsvp.notSent', { name }),
      };
    case 'withdraw':
      return {
        waiting: t('waiting.withdraw', { name }),
        listed: t('mine.leaving', { name }),
        refused: t('withdraw.notDone', { name }),
      };
    case 'cancel':
      return { waiting: t('cancel.waiting'), listed: t('cancel.waiting'), refused: t('cancel.notDone') };
    default: {
      const waiting = created ? t('change.waiting') : t('waiting.event');
      return { waiting, listed: waiting, refused: created ? t('change.done') : t('change.notDone') };
    }
  }
}
