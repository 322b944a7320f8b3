import { h } from '../lib/dom';
import { t } from '../lib/i18n';
import { drop, isKept, type Shown } from '../model/outbox';
import { button, type Level } from './buttons';

/** The texts about an item. The event's page shows `waiting`, home shows `listed`, and both show `refused`. */
export function textsOf(item: Shown) {
  switch (item.kind) {
    case 'rsvp': {
      const { id, name, error } = item;
      const isOffline = error?.kind === 'offline' && isKept(id);
      return {
        waiting: isOffline ? t('waiting.offline', { name }) : t('waiting.rsvp', { name }),
        listed: t('waiting.name', { name }),
        refused: t('rsvp.notSent', { name }),
      };
    }
    case 'withdraw': {
      const { name } = item;
      return {
        waiting: t('waiting.withdraw', { name }),
        listed: t('mine.leaving', { name }),
        refused: t('withdraw.notDone', { name }),
      };
    }
    case 'cancel':
      return { waiting: t('cancel.waiting'), listed: t('cancel.waiting'), refused: t('cancel.notDone') };
    default: {
      const isMade = item.kind === 'change' && item.created;
      const waiting = isMade ? t('change.waiting') : t('waiting.event');
      return { waiting, listed: waiting, refused: isMade ? t('change.done') : t('change.notDone') };
    }
  }
}

/** A refused item, and the button that drops it. @param why the reason in words */
export const refusal = (
  item: Shown,
  dismissed: () => void,
  level: Level = 'secondary',
  why: string | undefined = item.error?.words,
) => [
  <p>{textsOf(item).refused}</p>,
  why && <p>{why}</p>,
  button(
    t('outbox.dismiss'),
    () => {
      drop(item.id);
      dismissed();
    },
    level,
  ),
];
