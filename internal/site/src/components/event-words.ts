import { isComing, newest, phase, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { plain } from '../lib/text';

export const state = (event: EventDetails) =>
  ({
    moved: t('state.moved'),
    unread: '',
    cancelled: t('state.cancelled'),
    closed: t('state.over'),
    over: t('state.over'),
    started: t('state.started'),
    coming: '',
  })[phase(event)];

/** The title of the document, which says whether the event is cancelled or has moved. */
export function documentTitle(event: EventDetails) {
  const { title } = newest(event);
  if (event.to) return plain(t('state.movedTitle', { title }));
  return event.cancelled ? plain(t('state.cancelledTitle', { title })) : title;
}

export function turnout(event: EventDetails) {
  const n = event.attendeeCount;
  if (event.unread) return t('moved.unread');
  if (isComing(event)) return n ? t('event.coming', { n }) : t('event.nobody');
  if (n && phase(event) === 'cancelled') return t('event.saidYes', { n });
  return n ? t('event.signedUp', { n }) : t('event.nobodyCame');
}
