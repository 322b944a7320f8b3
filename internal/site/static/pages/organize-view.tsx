import type { EventDetails } from '../lib/api';
import type { Attendance } from './attendance';
import type { LinkOwn } from './organize-link';
import { button, copyButton } from '../components/buttons';
import { checkIn, type DoorActions, type DoorFacts, type DoorOwn } from '../components/check-in';
import { problems } from '../components/field';
import { guestList, type ListActions, type ListOwn } from '../components/guest-list';
import { icon } from '../components/icon';
import { asOfNotice, notice } from '../components/notice';
import { closed, poster, reason, turnout } from '../components/poster';
import { printCheckIn } from '../components/print';
import { backupNotice, privateLink } from '../components/private-link';
import { invitation, send } from '../components/share-panel';
import { tally } from '../components/tally';
import { tellGuests } from '../components/tell-guests';
import { textsOf } from '../components/unsent';
import { download } from '../lib/browser';
import { csv } from '../lib/csv';
import { h, type Child } from '../lib/dom';
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

export function view(state: OrganizeState, actions: OrganizeActions) {
  const { event, organizerToken, created, changed, door } = state;
  const { backup } = state.link;
  const link = { event, organizerToken, copied: actions.link.copied };
  const isNew = created && !changed && isOpen(state);
  const isKept = Boolean(savedEvent(event.eventToken)) && outlives();
  // The event of a link is saved once the names have been read.
  const asks =
    isOpen(state) &&
    ((state.complete && !isKept) || (created && backup !== 'yes')) &&
    backupNotice(link, { isDone: backup === 'now', isKept });
  const fold = !asks && (
    <details class="fold" id="private">
      <summary class="line">
        {t('private.title')}
        {isKept && backup === 'no' && <span class="hint">{t('private.here')}</span>}
      </summary>
      {privateLink(link)}
    </details>
  );
  return door.guests
    ? checkIn({ ...state, ...door, guests: door.guests }, actions.door)
    : [
        poster(event, {
          kicker: created
            ? [icon('check'), ' ', changed ? t('state.moved') : t('organize.created')]
            : t('organize.kicker'),
          marks: null,
          compact: true,
        }),
        <div class="wrap dashboard" id="dashboard">
          {asOfNotice(state.asOf, actions.again)}
          {!event.to && (event.cancelled ? reason(event) : !isOpen(state) && closed(event))}
          {event.cancelled && (event.to || isAhead(event)) && tellGuests(event, event.to && wayTo(event.to))}
          {unsentNotices(state)}
          {changed && isOpen(state) && tellGuests({ ...changed, to: event }, halfDone(changed, actions))}
          {isNew && (
            <section class="tell" id="created" aria-labelledby="created-title">
              <h2 id="created-title">{t('links.created')}</h2>
              {invitation(event)}
              {asks}
            </section>
          )}
          {!isNew && asks}
          {guests(state, actions)}
          <aside class="lines">
            {backup !== 'yes' && fold}
            {forTheDoor(state, actions)}
            {forTheEvent(state, actions, { isNew, link: backup === 'yes' && fold })}
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
        <p>{waiting[0].error?.words}</p>
        {waiting.map((item) => item && <p>{textsOf(item).waiting}</p>)}
        {button(t('waiting.now'), sendNow)}
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

function guests(state: OrganizeState, actions: OrganizeActions) {
  const { event, names, fresh, loaded, created, waiting } = state;
  return (
    <section
      class="guest-section"
      id="guest-section"
      aria-labelledby="guests-title"
      aria-busy={waiting && 'true'}
      inert={waiting}
    >
      <h2 id="guests-title" class="turnout">
        {counts(event)}
        {fresh > 0 && <span class="badge">{t('guests.fresh', { n: fresh })}</span>}
      </h2>
      {!event.to && tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, fresh })}
      {isOpen(state) && (created ? atTheDoor(event) : isComing(event)) && (
        <div class="ways" id="first">
          {atTheDoor(event) && checkInButton(state, actions, 'primary')}
          {send(event, atTheDoor(event) ? 'secondary' : 'primary')}
        </div>
      )}
      {loaded !== null && (
        <p class="hint" role="status">
          {t('guests.loading', { n: loaded, all: event.attendeeCount })}
        </p>
      )}
      {problems(state.end.problems)}
      {!names.length && loaded === null && (state.asOf || isOpen(state)) && (
        <p class="hint">{state.asOf ? t('asOf.names') : t('guests.noneText')}</p>
      )}
      {guestList({ ...state.list, names, fresh }, actions.list)}
    </section>
  );
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
      {copyButton(t('guests.copy'), () => state.names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'), 'line')}
      {button(
        t('guests.csv'),
        () =>
          download(
            fileName(state.event.title, '.csv'),
            'text/csv;charset=utf-8',
            csv([[t('guests.column')], ...state.names.map((name) => [name])]),
          ),
        'line',
      )}
    </section>
  );

function forTheEvent(state: OrganizeState, actions: OrganizeActions, { isNew, link }: { isNew: boolean; link: Child }) {
  const { eventToken } = state.event;
  const open = isOpen(state) && !underWay(eventToken);
  return (
    <section aria-labelledby="event-title">
      <h2 class="label" id="event-title">
        {t('organize.event')}
      </h2>
      {isOpen(state) && !isNew && (
        <details class="fold" id="share">
          <summary class="line">{t('share.open')}</summary>
          {invitation(state.event)}
        </details>
      )}
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
      {link}
      {open && button(t('cancel.title'), actions.end.cancel, 'line danger', { id: 'cancel' })}
    </section>
  );
}
