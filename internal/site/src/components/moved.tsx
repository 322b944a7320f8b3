import { h, user } from '../lib/dom';
import { keepDraft, nameDraft, textDraft } from '../model/drafts';
import { changeOf, closesAt, isComing, listing, newest, sameTitle, type EventDetails } from '../model/event';
import { locale, t } from '../lib/i18n';
import { linkify } from '../lib/linkify';
import { guestsHere, isOnList, unanswered, type Guest } from '../model/guests';
import { add, newKey } from '../model/outbox';
import type { SavedRSVP } from '../model/saved';
import { sentences } from '../lib/text';
import { dayIn } from '../model/time';
import { eventPath } from '../lib/urls';
import { button } from './buttons';
import { calendarLink, otherCalendars } from './calendar-links';
import { leaving, notKept, rowOf, rowsOf, withdrawing, type Panel } from './own-rsvp';

/** Says in words how an event has moved. */
export function whatMoved(event: EventDetails) {
  const to = newest(event);
  if (to.unread) return t('moved.unread');
  if (!isComing(to)) return t('event.closed');
  return { date: t('moved.date'), place: t('moved.place'), anew: t('moved.anew') }[changeOf(event)];
}

/** Whether guests can say yes to the new event here. */
export const asks = (event: EventDetails) => event.to && sameTitle(event) && isComing(event.to);

/**
 * The event for which the form signs guests up. After a move this is the new event, unless this device has guests of
 * the old or the new event.
 */
export const eventOfForm = ({ event, guests, there }: Pick<Panel, 'event' | 'guests' | 'there'>) =>
  asks(event) && ![guests, there].some((some) => rowsOf({ guests: some }).length) ? newest(event) : event;

/** Says yes for a guest, unless another tab has done so. */
function sayYes({ eventToken: oldToken, rsvpToken }: SavedRSVP, to: EventDetails, again: Panel['again']) {
  const open = unanswered(guestsHere(oldToken).filter(isOnList), guestsHere(to.eventToken));
  const guest = open.find(({ rsvp }) => rsvp.rsvpToken === rsvpToken);
  if (!guest) return again();
  const { name } = guest.rsvp;
  return add({ ...listing(to), id: newKey(), kind: 'rsvp', from: rsvpToken, name, before: to.attendeeCount });
}

/** Asks a guest, unless the guest has answered. Other parts of the page show a waiting or a refused yes. */
function row(panel: Panel, rsvp: SavedRSVP, isOpen: boolean) {
  const { event, there } = panel;
  const isAnswer = ({ item }: Guest) => item?.kind === 'rsvp' && item.from === rsvp.rsvpToken;
  const item = there.find(isAnswer)?.item;
  if (item ? item.error : !isOpen) return false;
  const isAlone = rowsOf(panel).length === 1;
  const no = isAlone && changeOf(event) === 'date' ? t('moved.cannot') : t('yours.cancel');
  return (
    <li class="moved" id={rowOf(rsvp.rsvpToken)}>
      {button(
        <span class="named">{item ? t('rsvp.sending') : t('moved.yes', { name: rsvp.name })}</span>,
        () => sayYes(rsvp, newest(event), panel.again),
        'primary large',
        { 'aria-disabled': item && 'true' },
      )}
      {!item &&
        button(no, () => panel.withdraw(rsvp), 'secondary', {
          'aria-label': !isAlone && t('yours.cancelName', { name: rsvp.name }),
        })}
    </li>
  );
}

/** The question about the new event, the reason of the move, and the link to the new event. */
export function movedPanel(panel: Panel) {
  const { event, there, thanks } = panel;
  const to = newest(event);
  const reason = event.cancellationReason && user(linkify(event.cancellationReason), 'p', 'prose', event.language);
  if (eventOfForm(panel) === to) return reason;
  const rows = rowsOf(panel);
  const left = rows.filter(isOnList);
  const open = unanswered(left, there);
  const coming = there.filter(({ stands }) => stands === 'in').map(({ name }) => name);
  const isIn = coming.length > 0 && !open.length && isComing(to);
  const isAsked = asks(event) && rows.length > 0;
  // Prefill the form of the new event with a guest's name.
  const takeName = () => {
    const draft = nameDraft(to.eventToken);
    if (open[0] && !textDraft(draft)) keepDraft(draft, open[0].name, closesAt(to));
  };
  const way = (
    <a class={isIn ? 'secondary' : isAsked ? 'plain' : 'primary'} href={eventPath(to.eventToken)} onclick={takeName}>
      {t('moved.see')}
    </a>
  );
  return (
    <section class="moved" id="state">
      <h2 id="moved-title" tabindex={-1}>
        {isIn
          ? t('moved.in', { date: dayIn(to) })
          : thanks && !rows.length && !withdrawing(panel).length
            ? t('withdraw.thanks')
            : left.length > 0 && isComing(to)
              ? sentences(whatMoved(event), t('moved.still'))
              : whatMoved(event)}
      </h2>
      {reason}
      {coming.length > 0 && (
        <p class="user">{t('mine.guest', { n: coming.length, name: new Intl.ListFormat(locale).format(coming) })}</p>
      )}
      {isAsked && (
        <ul class="moved">
          {rows.map((guest) =>
            isOnList(guest)
              ? row(panel, guest.rsvp, open.includes(guest))
              : leaving(guest.rsvp, { isComing: true }, panel.undo),
          )}
        </ul>
      )}
      {isAsked && coming.length > 0 && notKept()}
      {isIn ? (
        <div class="actions">
          {calendarLink(to, true)}
          {way}
          {otherCalendars(to)}
        </div>
      ) : (
        way
      )}
    </section>
  );
}
