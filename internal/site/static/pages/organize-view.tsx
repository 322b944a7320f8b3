import type { EventDetails } from '../lib/api';
import type { Attendance } from './attendance';
import type { LinkOwn } from './organize-link';
import { button, copyButton } from '../components/buttons';
import { checkIn, type DoorActions, type DoorFacts, type DoorOwn } from '../components/check-in';
import { problems } from '../components/field';
import { guestList, type ListActions, type ListOwn } from '../components/guest-list';
import { asOfNotice, notice, retry } from '../components/notice';
import { closed, poster, reason, turnout } from '../components/poster';
import { printCheckIn } from '../components/print';
import { privateLink } from '../components/private-link';
import { invitation, invitationRow, isSoon, send } from '../components/share-panel';
import { tally } from '../components/tally';
import { tellGuests } from '../components/tell-guests';
import { textsOf } from '../components/unsent';
import { download } from '../lib/browser';
import { csv } from '../lib/csv';
import { h } from '../lib/dom';
import { fileName } from '../lib/files';
import { t } from '../lib/i18n';
import { newest } from '../lib/move';
import { drop, items, sendNow, unsent } from '../lib/outbox';
import { outlives, savedEvent } from '../lib/saved';
import { atTheDoor, isComing, phase } from '../lib/time';
import { eventPath, organizerPath } from '../lib/urls';
import { underWay, type EndOwn } from './organize-end';

/** What stores know, and the names. */
export type OrganizeFacts = Attendance &
  DoorFacts & {
    /** whether the names are placeholders */
    waiting: boolean;
  };
export type OrganizeState = OrganizeFacts & {
  organizerToken: string;
  /** whether the event has just been announced */
  created: boolean;
  /** the event that has just moved to this one */
  changed: EventDetails | null;
  list: ListOwn;
  door: DoorOwn;
  link: LinkOwn;
  end: EndOwn;
};
export type OrganizeActions = {
  again: () => void;
  list: ListActions;
  door: DoorActions;
  link: { copied: () => void };
  end: { cancel: () => void; told: () => void };
};

export const isOpen = ({ event }: Pick<OrganizeState, 'event'>) => !event.cancelled && phase(event) !== 'closed';

/** Whether an event would take place, cancelled or not. */
const isAhead = ({ dateTime, timezone }: EventDetails) => isComing({ dateTime, timezone });

/** Whether the page is the announced one, which has the invitation. */
const invites = ({ created, changed, event }: OrganizeState) =>
  created && !changed && isOpen({ event }) && !isSoon(event);

export function view(state: OrganizeState, actions: OrganizeActions) {
  const { event, created, changed, complete, door, link } = state;
  if (door.guests) return checkIn({ ...state, ...door, guests: door.guests }, actions.door);
  const isNobody = created && !event.attendeeCount;
  const isKept = Boolean(savedEvent(event.eventToken)) && outlives();
  // The event of a link is saved once the names have been read.
  const asks = isOpen(state) && ((complete && !isKept) || (isNobody && link.backup !== 'yes'));
  return [
    poster(event, {
      kicker: isNobody ? `✓ ${changed ? t('state.moved') : t('organize.created')}` : t('organize.kicker'),
      marks: null,
      compact: true,
    }),
    <div class="wrap dashboard" id="dashboard">
      {asOfNotice(state.asOf, actions.again)}
      {!event.to && (event.cancelled ? reason(event) : !isOpen(state) && closed(event))}
      {event.cancelled && (event.to || isAhead(event)) && tellGuests(event, event.to && wayTo(event.to))}
      {unsentNotices(state)}
      {changed && isOpen(state) && tellGuests({ ...changed, to: event }, halfDone(changed, actions))}
      {guests(state, actions)}
      <aside class="lines">
        {privateLink({ ...state, ...link, isKept, asks }, actions.link.copied)}
        {forTheDoor(state, actions)}
        {forTheEvent(state, actions)}
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

function unsentNotices(state: OrganizeState) {
  const { cancelled, eventToken } = state.event;
  const walkIns = unsent(eventToken).filter(({ door }) => door);
  const waiting = [...walkIns, !cancelled && underWay(eventToken)].filter(
    (item) => item && item.error && !item.refused,
  );
  return [
    waiting[0] && (
      <div class="notice" id="waiting">
        {waiting[0].error?.words && <p>{waiting[0].error.words}</p>}
        {waiting.map((item) => item && <p>{textsOf(item).waiting}</p>)}
        {retry(t('waiting.now'), sendNow)}
      </div>
    ),
    ...walkIns.map(
      (item) =>
        item.refused &&
        notice(
          'bad',
          <p>{textsOf(item).refused}</p>,
          <p>{item.error?.words}</p>,
          button(t('outbox.dismiss'), () => drop(item.id), 'secondary'),
        ),
    ),
  ];
}

/** Why the old page does not link to this one. */
function halfDone({ eventToken }: EventDetails, actions: OrganizeActions) {
  const item = items(eventToken).find(({ kind, refused }) => kind === 'change' && refused);
  return item && notice('bad', <p>{item.error?.words}</p>, button(t('guests.done'), actions.end.told));
}

/** With the first guest, the guests come before the invitation. */
function guests(state: OrganizeState, actions: OrganizeActions) {
  const { event, names, fresh, loaded, waiting } = state;
  const isFirst = invites(state) && !event.attendeeCount;
  const list = guestList({ ...state.list, names, fresh }, actions.list);
  return (
    <section
      class="guest-section"
      id="guest-section"
      aria-labelledby="guests-title"
      aria-busy={waiting && 'true'}
      inert={waiting}
    >
      {isFirst && messages(state, actions)}
      <h2 id="guests-title" class="turnout">
        {counts(event)}
        {fresh > 0 && fresh < names.length && <span class="badge">{t('guests.fresh', { n: fresh })}</span>}
      </h2>
      {!event.to && tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, fresh })}
      {invites(state) && list}
      {!isFirst && messages(state, actions)}
      {loaded !== null && (
        <p class="hint" role="status">
          {t('guests.loading', { n: loaded, all: event.attendeeCount })}
        </p>
      )}
      {problems(state.end.problems)}
      {!names.length && loaded === null && (state.asOf || isOpen(state)) && (
        <p class="hint">{state.asOf ? t('asOf.names') : t('guests.noneText')}</p>
      )}
      {!invites(state) && list}
    </section>
  );
}

/** What to do next: to invite, to remind, or to let in. */
function messages(state: OrganizeState, actions: OrganizeActions) {
  const { event, changed } = state;
  const atDoor = atTheDoor(event);
  return [
    isOpen(state) && (atDoor || (isComing(event) && !changed && !invites(state))) && (
      <div class="ways" id="first">
        {atDoor && checkInButton(state, actions, 'primary')}
        {!invites(state) && send(event, atDoor ? 'secondary' : 'primary')}
      </div>
    ),
    invites(state) && invitation(event),
  ];
}

/** It waits for the last name. */
const checkInButton = ({ complete, asOf }: OrganizeState, actions: OrganizeActions, className: string) =>
  (complete || !asOf) &&
  button(t('guests.checkIn'), actions.door.open, className, { id: 'check-in', disabled: !complete });

const forTheDoor = (state: OrganizeState, actions: OrganizeActions) =>
  state.names.length > 0 && (
    <section aria-labelledby="door-title">
      <h2 class="label" id="door-title">
        {t('organize.door')}
      </h2>
      {isOpen(state) && !atTheDoor(state.event) && checkInButton(state, actions, 'line')}
      {button(t('guests.print'), () => printCheckIn(state), 'line')}
      <details class="fold" id="names">
        <summary class="line">{t('guests.list')}</summary>
        <div class="row">
          {copyButton(t('guests.copy'), () => state.names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'))}
          {button(t('guests.csv'), () =>
            download(
              fileName(state.event.title, '.csv'),
              'text/csv;charset=utf-8',
              csv([[t('guests.column')], ...state.names.map((name) => [name])]),
            ),
          )}
        </div>
      </details>
    </section>
  );

function forTheEvent(state: OrganizeState, actions: OrganizeActions) {
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
      {open && button(t('cancel.title'), actions.end.cancel, 'line danger', { id: 'cancel' })}
    </section>
  );
}
