// @ts-check
import { button } from '../components/buttons';
import { calendarLinks } from '../components/calendar-links';
import { poster } from '../components/poster';
import { isComing, isOpen, rsvpPanel, submitText } from '../components/rsvp-panel';
import { shareLink } from '../components/share-link';
import { h } from '../lib/dom';
import { t } from '../lib/i18n';
import { linkify } from '../lib/linkify';
import { newest } from '../lib/move';
import { staying } from '../lib/outbox';
import { savedEvent } from '../lib/saved';
import { organizerPath } from '../lib/urls';

/** @typedef {import('../components/rsvp-panel').State & { away: boolean, fresh: number, before: number, least: number, most: number, organize: boolean }} State */
// away: the form is out of view; before: the count when a name was sent; least and most: bounds of the count after answers, until it is read again;
// organize: the address is the organizer's, but the secret is not saved here

/**
 * @param {State} state
 * @param {import('../components/rsvp-panel').Actions & { toForm: () => void }} actions
 */
export function view(state, actions) {
  const { event, rsvps } = state;
  const organizer = savedEvent(event.eventToken);
  const { description } = newest(event);
  const calendar = rsvps.length === 0 && calendarLinks(event, false);
  const left = staying(state);
  const isStaying = state.items.every(({ kind, refused }) => kind !== 'withdraw' || refused);
  const own = event.cancelled ? [] : left.filter(({ byLink }) => !byLink);
  return [
    poster(event, {
      kicker:
        own[0] && isComing(state)
          ? h('span', { class: 'user' }, t('yours.in', { name: own[0].name }))
          : t('event.kicker'),
      marks: {
        own: own.length,
        fresh: state.fresh,
        open: isOpen(state),
        next: isOpen(state) && !rsvps.length && isStaying,
      },
      aside: rsvpPanel(state, actions),
    }),
    h(
      'div',
      { class: 'wrap about' },
      organizer && h('p', { class: 'manage' }, h('a', { href: organizerPath(event.eventToken) }, t('event.manage'))),
      description &&
        h(
          'section',
          {},
          h('h2', { class: 'label' }, t('event.about')),
          h('div', { class: 'user prose', dir: 'auto' }, ...linkify(description)),
        ),
      calendar && h('div', { class: 'tools row' }, calendar, shareLink(event, false)),
      state.organize && !organizer && h('p', { class: 'hint' }, t('event.noSecret')),
    ),
    state.away &&
      rsvps.length === 0 &&
      h('div', { class: 'bar', id: 'bar' }, button(submitText(event), actions.toForm, 'primary')),
  ];
}
