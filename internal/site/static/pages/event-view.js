// @ts-check
import { button } from '../components/buttons.js';
import { calendarLinks } from '../components/calendar-links.js';
import { poster } from '../components/poster.js';
import { rsvpPanel, staying, submitText } from '../components/rsvp-panel.js';
import { shareLink } from '../components/share-link.js';
import { h } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { linkify } from '../lib/linkify.js';
import { newest } from '../lib/move.js';
import { savedEvent } from '../lib/saved.js';
import { organizerPath } from '../lib/urls.js';

/** @typedef {import('../components/rsvp-panel.js').State & { away: boolean, fresh: number, least: number, most: number, organize: boolean }} State */
// away: the form is out of view; least and most: bounds of the count after answers, until it is read again;
// organize: the address is the organizer's, but the secret is not saved here

/**
 * @param {State} state
 * @param {import('../components/rsvp-panel.js').Actions & { toForm: () => void }} actions
 */
export function view(state, actions) {
  const { event, rsvps } = state;
  const organizer = savedEvent(event.eventToken);
  const { description } = newest(event);
  return [
    poster(event, { marks: { own: event.cancelled ? 0 : staying(state).filter(({ byLink }) => !byLink).length, fresh: state.fresh }, aside: rsvpPanel(state, actions) }),
    h('div', { class: 'wrap about' },
      organizer && h('p', { class: 'manage' }, h('a', { href: organizerPath(event.eventToken) }, t('event.manage'))),
      description && h('section', {}, h('h2', { class: 'label' }, t('event.about')),
        h('div', { class: 'user prose', dir: 'auto' }, ...linkify(description))),
      rsvps.length === 0 && h('section', { class: 'tools' }, h('h2', { class: 'label' }, t('event.keep')),
        h('div', { class: 'row' }, calendarLinks(event, false), shareLink(event))),
      state.organize && !organizer && h('p', { class: 'hint' }, t('event.noSecret'))),
    state.away && rsvps.length === 0 && h('div', { class: 'bar', id: 'bar' }, button(submitText(event), actions.toForm, 'primary')),
  ];
}
