import { button } from '../components/buttons';
import { calendarLinks } from '../components/calendar-links';
import { poster } from '../components/poster';
import { notice } from '../components/notice';
import type { PanelActions, PanelFacts, PanelOwn } from '../components/own-rsvp';
import { isOpen, rsvpPanel, submitText } from '../components/rsvp-panel';
import { shareLink } from '../components/share-link';
import { h } from '../lib/dom';
import { t } from '../lib/i18n';
import { linkify } from '../lib/linkify';
import { newest } from '../lib/move';
import { staying } from '../lib/outbox';
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
  const calendar = rsvps.length === 0 && calendarLinks(event);
  const left = staying(state);
  const isStaying = state.items.every(({ kind, refused }) => kind !== 'withdraw' || refused);
  const own = event.cancelled ? [] : left.filter(({ byLink }) => !byLink);
  return [
    state.organize && !organizer && notice('bad', <p>{t('event.noSecret')}</p>),
    poster(event, {
      kicker:
        own[0] && isComing(event) ? (
          <span class="user">{t('yours.in', { name: own[0].name })}</span>
        ) : (
          t('event.kicker')
        ),
      marks: {
        own: own.length,
        fresh: state.fresh,
        open: isOpen(state),
        next: isOpen(state) && !rsvps.length && isStaying,
      },
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
        </div>
      )}
    </div>,
    state.away && rsvps.length === 0 && (
      <div class="bar" id="bar">
        {button(submitText(event), actions.toForm, 'primary')}
      </div>
    ),
  ];
}
