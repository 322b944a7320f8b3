import { newest, type EventDetails } from '../lib/api';
import type { Attendance } from './attendance';
import { button, copyButton, fold } from '../components/buttons';
import { checkIn, type DoorActions, type DoorFacts, type DoorOwn } from '../components/check-in';
import { guestList, type ListOwn } from '../components/guest-list';
import { asOfNotice, notice, retry } from '../components/notice';
import { closed, poster, reason, turnout } from '../components/poster';
import { privateLink } from '../components/private-link';
import { invitation, invitationRow, isSoon, send } from '../components/share-panel';
import { tally } from '../components/tally';
import { tellGuests } from '../components/tell-guests';
import { textsOf } from '../components/unsent';
import { download, h } from '../lib/dom';
import type { Setter } from '../lib/page';
import { csv, fileName } from '../lib/files';
import { t } from '../lib/i18n';
import { items, sendNow, unsent } from '../lib/outbox';
import { outlives, savedEvent } from '../lib/saved';
import { atTheDoor, isComing, phase } from '../lib/time';
import { eventPath, organizerPath } from '../lib/urls';
import { isEnd, underWay } from './organize-end';

/** What stores know, and the names. */
export type OrganizeFacts = Attendance &
  DoorFacts & {
    /** whether the names are placeholders */
    waiting: boolean;
  };
/** What the page was opened with, and its parts. */
export type OrganizeParts = {
  organizerToken: string;
  /** whether the event has just been announced */
  created: boolean;
  /** the event that has just moved to this one */
  changed: EventDetails | null;
  again: () => void;
  hadCopy: boolean;
  copied: () => void;
  list: ListOwn;
  setList: Setter<ListOwn>;
  door: { own: DoorOwn; actions: DoorActions };
  end: { cancel: () => void; dismiss: (id: string) => void };
};
type OrganizeState = OrganizeFacts & OrganizeParts;

export const isOpen = ({ event }: { event: EventDetails }) => !event.cancelled && phase(event) !== 'closed';

/** Whether an event would take place, cancelled or not. */
const isAhead = ({ dateTime, timezone }: EventDetails) => isComing({ dateTime, timezone });

/** Whether the page is the announced one, which has the invitation. */
const invites = ({ created, changed, event }: OrganizeState) =>
  created && !changed && isOpen({ event }) && !isSoon(event);

export function view(state: OrganizeState) {
  const { event, created, changed, complete, door, hadCopy } = state;
  const { guests } = door.own;
  if (guests) return checkIn({ ...state, ...door.own, guests }, door.actions);
  const isNobody = created && !event.attendeeCount;
  const isKept = Boolean(savedEvent(event.eventToken)) && outlives();
  // The event of a link is saved once the names have been read.
  const asks = isOpen(state) && ((complete && !isKept) || (isNobody && !hadCopy));
  return [
    poster(event, {
      kicker: isNobody ? `✓ ${changed ? t('state.moved') : t('organize.created')}` : t('organize.kicker'),
      marks: null,
      compact: true,
    }),
    <div class="wrap dashboard" id="dashboard">
      {asOfNotice(state.asOf, state.again)}
      {!event.to && (event.cancelled ? reason(event) : !isOpen(state) && closed(event))}
      {event.cancelled && (event.to || isAhead(event)) && tellGuests(event, event.to && wayTo(event.to))}
      {unsentNotices(state)}
      {changed && isOpen(state) && tellGuests({ ...changed, to: event })}
      {guestSection(state)}
      <aside class="lines">
        {privateLink({ ...state, isKept, asks })}
        {forTheDoor(state)}
        {forTheEvent(state)}
      </aside>
    </div>,
  ];
}

/** The link to the target of a move. */
const wayTo = ({ eventToken, title }: EventDetails) => (
  <p>
    <a href={savedEvent(eventToken) ? organizerPath(eventToken) : eventPath(eventToken)}>
      {t('moved.seeTitle', { title })}
    </a>
  </p>
);

/** The count, and that before the move. */
function counts(event: EventDetails) {
  const before = event.to ? event.attendeeCount : savedEvent(event.eventToken)?.before;
  const coming = turnout(newest(event));
  return before ? [<span>{`${coming} ·`}</span>, ' ', <span>{t('organize.before', { n: before })}</span>] : coming;
}

/** What waits for an answer, and what was refused; a change is told on the page of the new event. */
function unsentNotices({ event: { cancelled, eventToken }, changed, end }: OrganizeState) {
  const all = unsent(eventToken).filter((item) => item.door || (!cancelled && isEnd(item)));
  const moves = changed ? items(changed.eventToken).filter(({ kind }) => kind === 'change') : [];
  const waiting = all.filter(({ error, refused }) => error && !refused);
  return [
    waiting[0] && (
      <div class="notice" id="waiting">
        {waiting[0].error?.words && <p>{waiting[0].error.words}</p>}
        {waiting.map((item) => (
          <p>{textsOf(item).waiting}</p>
        ))}
        {retry(t('waiting.now'), sendNow)}
      </div>
    ),
    ...[...all.filter(({ kind }) => kind !== 'change'), ...moves].map(
      (item) =>
        item.refused &&
        notice(
          'bad',
          <p>{textsOf(item).refused}</p>,
          <p>{item.error?.words}</p>,
          button(t('outbox.dismiss'), () => end.dismiss(item.id)),
        ),
    ),
  ];
}

/** With the first guest, the guests come before the invitation. */
function guestSection(state: OrganizeState) {
  const { event, names, fresh, loaded, waiting } = state;
  const isFirst = invites(state) && !event.attendeeCount;
  const list = guestList({ ...state.list, names, fresh }, state.setList);
  return (
    <section
      class="guest-section"
      id="guest-section"
      aria-labelledby="guests-title"
      aria-busy={waiting && 'true'}
      inert={waiting}
    >
      {isFirst && messages(state)}
      <h2 id="guests-title" class="turnout">
        {counts(event)}
        {fresh > 0 && fresh < names.length && <span class="badge">{t('guests.fresh', { n: fresh })}</span>}
      </h2>
      {!event.to && tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, fresh })}
      {invites(state) && list}
      {!isFirst && messages(state)}
      {loaded !== null && (
        <p class="hint" role="status">
          {t('guests.loading', { n: loaded, all: event.attendeeCount })}
        </p>
      )}
      {!names.length && loaded === null && (state.asOf || isOpen(state)) && (
        <p class="hint">{state.asOf ? t('asOf.names') : t('guests.noneText')}</p>
      )}
      {!invites(state) && list}
    </section>
  );
}

/** What to do next: to invite, to remind, or to let in. */
function messages(state: OrganizeState) {
  const { event, changed } = state;
  const atDoor = atTheDoor(event);
  return [
    isOpen(state) && (atDoor || (isComing(event) && !changed && !invites(state))) && (
      <div class="ways" id="first">
        {atDoor && checkInButton(state, 'primary')}
        {!invites(state) && send(event, atDoor ? 'secondary' : 'primary')}
      </div>
    ),
    invites(state) && invitation(event),
  ];
}

/** It waits for the last name. */
const checkInButton = ({ complete, asOf, door }: OrganizeState, className: string) =>
  (complete || !asOf) &&
  button(t('guests.checkIn'), door.actions.open, className, { id: 'check-in', disabled: !complete });

const forTheDoor = (state: OrganizeState) =>
  state.names.length > 0 && (
    <section aria-labelledby="door-title">
      <h2 class="label" id="door-title">
        {t('organize.door')}
      </h2>
      {isOpen(state) && !atTheDoor(state.event) && checkInButton(state, 'line')}
      {button(t('guests.print'), () => window.print(), 'line')}
      {fold(
        'names',
        'line',
        t('guests.list'),
        <div class="row">
          {copyButton(t('guests.copy'), () => state.names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'))}
          {button(t('guests.csv'), () =>
            download(
              fileName(state.event.title, '.csv'),
              'text/csv;charset=utf-8',
              csv([[t('guests.column')], ...state.names.map((name) => [name])]),
            ),
          )}
        </div>,
      )}
    </section>
  );

function forTheEvent(state: OrganizeState) {
  const { eventToken } = state.event;
  const open = isOpen(state) && !underWay(eventToken);
  return (
    <section aria-labelledby="event-title">
      <h2 class="label" id="event-title">
        {t('organize.event')}
      </h2>
      {isOpen(state) && !invites(state) && invitationRow(state.event)}
      <a class="line" href={eventPath(eventToken)}>
        {t('organize.public')}
      </a>
      {open && savedEvent(eventToken) && (
        <a class="line" href={`/?change=${eventToken}`}>
          {t('change.open')}
        </a>
      )}
      <a class="line" href={`/?again=${eventToken}`}>
        {t('organize.again')}
      </a>
      {open && button(t('cancel.title'), state.end.cancel, 'line danger', { id: 'cancel' })}
    </section>
  );
}
