import { button } from '../components/buttons';
import { calendarLink, otherCalendars } from '../components/calendar-links';
import { poster } from '../components/poster';
import { notice } from '../components/notice';
import { namesIn, type PanelActions, type PanelFacts, type PanelOwn } from '../components/own-rsvp';
import { hasForm, rsvpPanel } from '../components/rsvp-panel';
import { shareLink } from '../components/share-link';
import { h } from '../lib/dom';
import { t } from '../lib/i18n';
import { linkify } from '../lib/linkify';
import { newest } from '../lib/api';
import { madeHere } from '../lib/outbox';
import { savedEvent } from '../lib/saved';
import { isComing } from '../lib/time';
import { organizerPath } from '../lib/urls';

/** What only the page knows. */
export type EventOwn = PanelOwn & {
  /** whether the form is out of view */
  away: boolean;
  /** how many of the strokes are new */
  fresh: number;
  /** whether the address is the organizer's, but the secret is not saved here */
  organize: boolean;
};

export function view(state: PanelFacts & EventOwn, actions: PanelActions & { toForm: () => void }) {
  const { event, rsvps } = state;
  const organizer = savedEvent(event.eventToken);
  const { description } = newest(event);
  const calendar = rsvps.length === 0 && calendarLink(event, false);
  const own = madeHere(newest(event).eventToken).length;
  return [
    state.organize && !organizer && notice('bad', <p>{t('event.noSecret')}</p>),
    poster(event, {
      kicker: own && isComing(event) ? null : undefined,
      marks: { own, fresh: state.fresh, next: hasForm(state) && isComing(event) ? namesIn(state).length - own : 0 },
      aside: rsvpPanel(state, actions),
    }),
    <div class="wrap about">
      {organizer && (
        <p class="manage">
          <a href={organizerPath(event.eventToken)}>{t('event.manage')}</a>
        </p>
      )}
      {description && (
        <section>
          <h2 class="label">{t('event.about')}</h2>
          <div class="user prose" dir="auto">
            {linkify(description)}
          </div>
        </section>
      )}
      {calendar && (
        <div class="tools row">
          {calendar}
          {shareLink(event)}
          {otherCalendars(event)}
        </div>
      )}
    </div>,
    state.away && rsvps.length === 0 && isComing(event) && (
      <div class="bar" id="bar">
        {button(t('rsvp.submit'), actions.toForm, 'primary')}
      </div>
    ),
  ];
}
