import { changeOf, newest, reasonOf, sameTitle, type EventDetails } from '../lib/api';
import { announce, byId, focusOn, h } from '../lib/dom';
import { keepDraft, textDraft } from '../lib/drafts';
import { nameDraft } from '../lib/handlers';
import { locale, t } from '../lib/i18n';
import { linkify } from '../lib/linkify';
import { add, comingTo, items, madeHere, newKey, staying, yesKey, type News } from '../lib/outbox';
import { savedRSVPs, type SavedRSVP } from '../lib/saved';
import { sameName } from '../lib/text';
import { closesAt, dayIn, isComing } from '../lib/time';
import { eventPath } from '../lib/urls';
import { button } from './buttons';
import { calendarLink, otherCalendars } from './calendar-links';
import { leaving, notKept, rowOf, type PanelActions, type PanelState } from './own-rsvp';

/** Nothing is asked about an event that is over or unread. */
export function question(event: EventDetails) {
  const to = newest(event);
  if (to.unread) return t('moved.unread');
  if (!isComing(to)) return t('event.closed');
  return { date: t('moved.date'), place: t('moved.place'), anew: t('moved.anew') }[changeOf(event)];
}

/** Whether guests can say yes to the new event here. */
export const asks = (event: EventDetails) => event.to && sameTitle(event) && isComing(event.to);

/** The RSVPs without one by the same name to the new event, wherever that was made. */
function unanswered(rsvps: SavedRSVP[], { eventToken }: EventDetails) {
  const names = [...comingTo(eventToken), ...items(eventToken).filter(({ kind }) => kind === 'rsvp')].map(({ name }) =>
    String(name),
  );
  return rsvps.filter((rsvp) => {
    const index = names.findIndex((name) => sameName(name, rsvp.name));
    if (index >= 0) names.splice(index, 1);
    return index < 0;
  });
}

/** Says yes for a guest, unless another tab did. */
function sayYes({ eventToken, rsvpToken }: SavedRSVP, to: EventDetails, actions: PanelActions) {
  const rsvp = unanswered(savedRSVPs(eventToken), to).find((one) => one.rsvpToken === rsvpToken);
  if (!rsvp) return actions.again();
  const { name, spent } = rsvp;
  return add({
    id: spent ? newKey() : yesKey(rsvpToken, to.eventToken),
    kind: 'rsvp',
    from: rsvpToken,
    eventToken: to.eventToken,
    name,
    before: to.attendeeCount,
    title: to.title,
    dateTime: to.dateTime,
    timezone: to.timezone,
  });
}

/** Shows how an RSVP to the new event has ended. */
export function settle({ id, name }: { id: string; name: string }, { answer, refusal }: News) {
  if (answer) announce(t('rsvp.done', { name }));
  if (answer || refusal) focusOn(byId(answer ? 'moved-title' : `refused-${id}`));
}

/** The way to the new event, and to its form with a guest's name. */
function see(event: EventDetails, [guest]: SavedRSVP[], className: string) {
  const to = newest(event);
  const onclick = () => {
    if (!guest || textDraft(nameDraft(to.eventToken))) return;
    keepDraft(nameDraft(to.eventToken), guest.name, closesAt(to));
  };
  return (
    <a class={className} href={eventPath(to.eventToken)} onclick={onclick}>
      {sameTitle(event) && changeOf(event) === 'date' ? t('moved.see') : t('moved.seeTitle', { title: to.title })}
    </a>
  );
}

/** Asks a guest, unless the answer is known or is shown as waiting or refused. */
function row(state: PanelState, rsvp: SavedRSVP, open: SavedRSVP[], actions: PanelActions) {
  const { event, rsvps } = state;
  const item = state.items.find((one) => one.kind === 'rsvp' && one.from === rsvp.rsvpToken);
  if (item ? item.error : !open.includes(rsvp)) return false;
  const no = rsvps.length === 1 && changeOf(event) === 'date' ? t('moved.cannot') : t('yours.cancel');
  return (
    <li class="moved" id={rowOf(rsvp.rsvpToken)}>
      {button(
        <span class="named">{item ? t('rsvp.sending') : t('moved.yes', { name: rsvp.name })}</span>,
        () => sayYes(rsvp, newest(event), actions),
        'primary large',
        { 'aria-disabled': item && 'true' },
      )}
      {!item &&
        button(no, () => actions.withdraw(rsvp), 'secondary', {
          'aria-label': rsvps.length > 1 && t('yours.cancelName', { name: rsvp.name }),
        })}
    </li>
  );
}

/** The question about the new event, why there is one, and the way to it. */
export function movedPanel(state: PanelState, actions: PanelActions) {
  const { event, rsvps, thanks } = state;
  const to = newest(event);
  const reason = reasonOf(event);
  const left = staying(state);
  const open = unanswered(left, to);
  const coming = madeHere(to.eventToken).map(({ name }) => name);
  const isIn = coming.length > 0 && !open.length && isComing(to);
  const isAsked = asks(event) && rsvps.length > 0;
  return (
    <section class="moved" id="state" aria-labelledby="moved-title">
      <h2 id="moved-title" tabindex={-1}>
        {isIn
          ? t('moved.in', { date: dayIn(to) })
          : (thanks || isAsked) && !left.length
            ? t('withdraw.thanks')
            : question(event)}
      </h2>
      {reason && (
        <p class="user prose" dir="auto">
          {linkify(reason)}
        </p>
      )}
      {coming.length > 0 && (
        <p class="user">{t('mine.guest', { n: coming.length, name: new Intl.ListFormat(locale).format(coming) })}</p>
      )}
      {isAsked && (
        <ul class="moved">
          {rsvps.map((rsvp) =>
            left.includes(rsvp) ? row(state, rsvp, open, actions) : leaving({ rsvp, isComing: true }, actions),
          )}
        </ul>
      )}
      {isAsked && coming.length > 0 && notKept()}
      {isIn ? (
        <div class="actions">
          {calendarLink(to, true)}
          {see(event, [], 'secondary')}
          {otherCalendars(to)}
        </div>
      ) : (
        see(event, open, isAsked ? 'plain' : 'primary')
      )}
    </section>
  );
}
