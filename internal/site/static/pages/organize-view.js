// @ts-check
import { button, copyButton } from '../components/buttons';
import { checkIn } from '../components/check-in';
import { problems } from '../components/field';
import { guestList } from '../components/guest-list';
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
import { h } from '../lib/dom';
import { fileName } from '../lib/files';
import { t } from '../lib/i18n';
import { newest } from '../lib/move';
import { items, sendNow } from '../lib/outbox';
import { outlives, savedEvent } from '../lib/saved';
import { atTheDoor, phase } from '../lib/time';
import { eventPath, organizerPath } from '../lib/urls';

/** @typedef {import('../lib/api').EventDetails} EventDetails */
/** @typedef {import('../components/check-in').Row} Row */
/**
 * @typedef {import('../components/guest-list').State & {
 *   event: EventDetails, organizerToken: string, created: boolean, changed: EventDetails | null,
 *   backup: 'no' | 'now' | 'yes', waiting: boolean, complete: boolean, loaded: number | null,
 *   door: Row[] | null, here: Set<string>, last: Row | null, hint: boolean, problems: string[],
 *   asOf: import('../lib/events').AsOf | null,
 * }} State
 * changed is the event that has just moved to this one. backup says whether the private link exists elsewhere: it was
 * opened or copied before, or copied now. While waiting, names holds placeholders. complete: all names have been read.
 * loaded: the number of names so far of a long list. door: the rows of the open check-in.
 */
/**
 * @typedef {import('../components/guest-list').Actions & import('../components/check-in').Actions
 *   & Record<'again' | 'toggle' | 'cancel' | 'copied' | 'told', () => void>} Actions
 */

/** @param {State} state */
const isOpen = ({ event }) => !event.cancelled && phase(event) !== 'closed';

/** Whether guests of a cancelled event still need a message. @param {EventDetails} event */
const isComing = (event) => ['coming', 'started'].includes(phase({ ...event, cancelled: false, to: undefined }));

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  const { event, organizerToken, created, changed, door, backup } = state;
  const link = { event, organizerToken, copied: actions.copied };
  const isNew = created && !changed && isOpen(state);
  const isKept = Boolean(savedEvent(event.eventToken)) && outlives();
  // The event of a link is saved once the names have been read.
  const asks =
    isOpen(state) &&
    ((state.complete && !isKept) || (created && backup !== 'yes')) &&
    backupNotice(link, backup === 'now', isKept);
  const own =
    !asks &&
    h(
      'details',
      { class: 'fold', id: 'private' },
      h(
        'summary',
        { class: 'line' },
        t('private.title'),
        isKept && backup === 'no' && h('span', { class: 'hint' }, t('private.here')),
      ),
      ...privateLink(link),
    );
  return door
    ? checkIn({ ...state, door }, actions)
    : [
        poster(event, {
          kicker: created
            ? [icon('check'), ' ', changed ? t('state.moved') : t('organize.created')]
            : t('organize.kicker'),
          marks: null,
          compact: true,
        }),
        h(
          'div',
          { class: 'wrap dashboard', id: 'dashboard' },
          asOfNotice(state.asOf, actions.again),
          !event.to && (event.cancelled ? reason(event) : !isOpen(state) && closed(event)),
          event.cancelled && (event.to || isComing(event)) && tellGuests(event, event.to && wayTo(event.to)),
          unanswered(state),
          changed && isOpen(state) && tellGuests({ ...changed, to: event }, halfDone(changed, actions)),
          isNew &&
            h(
              'section',
              { class: 'tell', id: 'created', 'aria-labelledby': 'created-title' },
              h('h2', { id: 'created-title' }, t('links.created')),
              ...invitation(event),
              asks,
            ),
          !isNew && asks,
          guests(state, actions),
          h(
            'aside',
            { class: 'lines' },
            backup !== 'yes' && own,
            forTheDoor(state, actions),
            forTheEvent(state, actions, isNew, backup === 'yes' && own),
          ),
        ),
      ];
}

/** The link to the target of a move. @param {EventDetails} to */
const wayTo = ({ eventToken, title }) =>
  h(
    'p',
    {},
    h(
      'a',
      { href: savedEvent(eventToken) ? organizerPath(eventToken) : eventPath(eventToken) },
      t('moved.seeTitle', { title }),
    ),
  );

/** The count, and that before the move. @param {EventDetails} event */
function counts(event) {
  const before = event.to ? event.attendeeCount : savedEvent(event.eventToken)?.before;
  const coming = turnout(newest(event));
  return before ? [h('span', {}, `${coming} ·`), ' ', h('span', {}, t('organize.before', { n: before }))] : coming;
}

/** The unanswered item that cancels or replaces this event. @param {State} state */
export const underWay = ({ event }) =>
  items(event.eventToken).find((item) => ['cancel', 'change'].includes(item.kind) && !item.refused);

/** @param {State} state */
function unanswered(state) {
  const item = underWay(state);
  return (
    item?.error &&
    !state.event.cancelled &&
    h(
      'div',
      { class: 'notice', id: 'waiting' },
      h('p', {}, item.error.words),
      h('p', {}, textsOf(item).waiting),
      button(t('waiting.now'), sendNow),
    )
  );
}

/** Why the old page does not link to this one. @param {EventDetails} changed @param {Actions} actions */
function halfDone({ eventToken }, actions) {
  const item = items(eventToken).find(({ kind, refused: is }) => kind === 'change' && is);
  return item && notice('bad', h('p', {}, item.error?.words), button(t('guests.done'), actions.told));
}

/** @param {State} state @param {Actions} actions */
function guests(state, actions) {
  const { event, names, fresh, loaded, created, waiting } = state;
  return h(
    'section',
    {
      class: 'guest-section',
      id: 'guest-section',
      'aria-labelledby': 'guests-title',
      'aria-busy': waiting && 'true',
      inert: waiting,
    },
    h(
      'h2',
      { id: 'guests-title', class: 'turnout' },
      counts(event),
      fresh > 0 && h('span', { class: 'badge' }, t('guests.fresh', { n: fresh })),
    ),
    !event.to && tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, fresh }),
    isOpen(state) &&
      (created ? atTheDoor(event) : isComing(event)) &&
      h(
        'div',
        { class: 'ways', id: 'first' },
        atTheDoor(event) && checkInButton(state, actions, 'primary'),
        send(event, atTheDoor(event) ? 'secondary' : 'primary'),
      ),
    loaded !== null &&
      h('p', { class: 'hint', role: 'status' }, t('guests.loading', { n: loaded, all: event.attendeeCount })),
    problems(state.problems),
    !names.length &&
      loaded === null &&
      (state.asOf || isOpen(state)) &&
      h('p', { class: 'hint' }, state.asOf ? t('asOf.names') : t('guests.noneText')),
    ...guestList(state, actions),
  );
}

/** It waits for the last name. @param {State} state @param {Actions} actions @param {string} className */
const checkInButton = ({ complete, asOf }, actions, className) =>
  (complete || !asOf) &&
  button(t('guests.checkIn'), actions.toggle, className, { id: 'check-in', disabled: !complete });

/** @param {State} state @param {Actions} actions */
const forTheDoor = (state, actions) =>
  state.names.length > 0 &&
  h(
    'section',
    { 'aria-labelledby': 'door-title' },
    h('h2', { class: 'label', id: 'door-title' }, t('organize.door')),
    isOpen(state) && !atTheDoor(state.event) && checkInButton(state, actions, 'line'),
    button(t('guests.print'), () => printCheckIn(state.event, state.names), 'line'),
    copyButton(t('guests.copy'), () => state.names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'), 'line'),
    button(
      t('guests.csv'),
      () =>
        download(
          fileName(state.event.title, '.csv'),
          'text/csv;charset=utf-8',
          csv([[t('guests.column')], ...state.names.map((name) => [name])]),
        ),
      'line',
    ),
  );

/** @param {State} state @param {Actions} actions @param {boolean} isNew @param {import('../lib/dom').Child} own */
function forTheEvent(state, actions, isNew, own) {
  const { eventToken } = state.event;
  const open = isOpen(state) && !underWay(state);
  return h(
    'section',
    { 'aria-labelledby': 'event-title' },
    h('h2', { class: 'label', id: 'event-title' }, t('organize.event')),
    isOpen(state) &&
      !isNew &&
      h(
        'details',
        { class: 'fold', id: 'share' },
        h('summary', { class: 'line' }, t('share.open')),
        ...invitation(state.event),
      ),
    h('a', { class: 'line', href: eventPath(eventToken) }, t('organize.public')),
    open && savedEvent(eventToken) && h('a', { class: 'line', href: `/?change=${eventToken}` }, t('change.open')),
    h('a', { class: 'line', href: `/?again=${eventToken}` }, t('organize.again')),
    own,
    open && button(t('cancel.title'), actions.cancel, 'line danger', { id: 'cancel' }),
  );
}
