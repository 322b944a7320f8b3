// @ts-check
import { button, copyButton } from '../components/buttons.js';
import { checkIn } from '../components/check-in.js';
import { problems } from '../components/field.js';
import { guestList } from '../components/guest-list.js';
import { icon } from '../components/icon.js';
import { asOfNotice, notice } from '../components/notice.js';
import { closed, poster, reason, turnout } from '../components/poster.js';
import { printCheckIn } from '../components/print.js';
import { backupNotice, privateLink, waysToBackUp } from '../components/private-link.js';
import { sharePanel } from '../components/share-panel.js';
import { tally } from '../components/tally.js';
import { tellGuests } from '../components/tell-guests.js';
import { textsOf } from '../components/unsent.js';
import { download } from '../lib/browser.js';
import { csv } from '../lib/csv.js';
import { h } from '../lib/dom.js';
import { fileName } from '../lib/files.js';
import { t } from '../lib/i18n.js';
import { newest } from '../lib/move.js';
import { items, sendNow } from '../lib/outbox.js';
import { outlives, savedEvent } from '../lib/saved.js';
import { atTheDoor, phase } from '../lib/time.js';
import { changePath, eventPath, organizerPath } from '../lib/urls.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */
/** @typedef {import('../components/check-in.js').Row} Row */
/**
 * @typedef {import('../components/guest-list.js').State & {
 *   event: EventDetails, organizerToken: string, created: boolean, changed: EventDetails | null,
 *   backup: 'no' | 'now' | 'yes', waiting: boolean, complete: boolean, loaded: number | null,
 *   door: Row[] | null, here: Set<string>, last: Row | null, hint: boolean, problems: string[],
 *   asOf: import('../lib/events.js').AsOf | null,
 * }} State
 * changed is the event that has just moved to this one. backup says whether the private link was copied or downloaded,
 * before or now. While waiting, names holds placeholders. complete: all names have been read. loaded: the number of
 * names so far of a long list. door: the rows of the open check-in.
 */
/**
 * @typedef {import('../components/guest-list.js').Actions & import('../components/check-in.js').Actions
 *   & Record<'refresh' | 'again' | 'toggle' | 'cancel' | 'keep' | 'copied' | 'told', () => void> & { change: (event: Event) => void }} Actions
 */

/** @param {State} state */
const isOpen = ({ event }) => !event.cancelled && phase(event) !== 'closed';

/** Whether guests of a cancelled event still need a message. @param {EventDetails} event */
const isComing = (event) => ['coming', 'started'].includes(phase({ ...event, cancelled: false, to: undefined }));

/** @param {State} state @param {Actions} actions */
export function view(state, actions) {
  const { event, created, changed, door } = state;
  return door ? checkIn({ ...state, door }, actions) : [
    poster(event, { kicker: created ? t('organize.created') : t('organize.kicker'), marks: null, compact: true }),
    h('div', { class: 'wrap dashboard', id: 'dashboard' },
      atTheDoor(event) && h('div', { class: 'first' }, state.complete && checkInButton(actions, 'primary')),
      asOfNotice(state.asOf, actions.again),
      !event.to && (event.cancelled ? reason(event) : !isOpen(state) && closed(event)),
      event.cancelled && (event.to || isComing(event)) && tellGuests(event, event.to && wayTo(event.to)),
      unanswered(state),
      changed && isOpen(state) && tellGuests({ ...changed, to: event }, halfDone(changed, actions)),
      created && !changed && isOpen(state) && h('section', { class: 'card', 'aria-labelledby': 'created-title' },
        h('h2', { id: 'created-title' }, t('links.created')), sharePanel(event)),
      guests(state, actions),
      h('aside', { class: 'folds' }, ...folds(state, actions))),
  ];
}

/** The link to the target of a move. @param {EventDetails} to */
const wayTo = ({ eventToken, title }) => h('p', {},
  h('a', { href: savedEvent(eventToken) ? organizerPath(eventToken) : eventPath(eventToken) }, t('moved.seeTitle', { title })));

/** The count, and that before the move. @param {EventDetails} event */
function counts(event) {
  const before = event.to ? event.attendeeCount : savedEvent(event.eventToken)?.before;
  return [turnout(newest(event)), before && t('organize.before', { n: before })].filter(Boolean).join(' · ');
}

/** The unanswered item that cancels or replaces this event. @param {State} state */
export const underWay = ({ event }) => items(event.eventToken).find((item) => ['cancel', 'change'].includes(item.kind) && !item.refused);

/** @param {State} state */
function unanswered(state) {
  const item = underWay(state);
  return item?.error && !state.event.cancelled && h('div', { class: 'notice', id: 'waiting' }, h('p', {}, item.error.words),
    h('p', {}, textsOf(item).waiting),
    button(t('waiting.now'), sendNow));
}

/**
 * The reason why the old page does not link to this one.
 * @param {EventDetails} changed
 * @param {Actions} actions
 */
function halfDone({ eventToken }, actions) {
  const item = items(eventToken).find(({ kind, refused: is }) => kind === 'change' && is);
  return item && notice('bad', h('p', {}, item.error?.words), button(t('guests.done'), actions.told));
}

/** @param {State} state @param {Actions} actions */
function guests(state, actions) {
  const { event, names, fresh, loaded, created, changed, waiting, complete } = state;
  return h('section', { class: 'guest-section', id: 'guest-section', 'aria-labelledby': 'guests-title', 'aria-busy': waiting && 'true', inert: waiting },
    h('div', { class: 'row spread' },
      h('h2', { id: 'guests-title', class: 'turnout' }, counts(event), fresh > 0 && h('span', { class: 'badge' }, t('guests.fresh', { n: fresh }))),
      !state.asOf && button(t('guests.refresh'), actions.refresh, 'plain', { id: 'refresh' })),
    !event.to && tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, fresh }),
    isOpen(state) && (!created || changed) && h('details', { class: 'fold', id: 'share' },
      h('summary', { class: !atTheDoor(event) && 'primary' }, icon('share'), t('share.open')), sharePanel(event, { code: complete && !state.asOf })),
    loaded !== null && h('p', { class: 'hint', role: 'status' }, t('guests.loading', { n: loaded, all: event.attendeeCount })),
    problems(state.problems),
    !names.length && loaded === null && (state.asOf || isOpen(state)) && h('p', { class: 'hint' }, state.asOf ? t('asOf.names') : t('guests.noneText')),
    ...guestList(state, actions),
    names.length > 0 && exports(state, actions));
}

/** @param {Actions} actions @param {import('../components/buttons.js').Level} level */
const checkInButton = (actions, level) => button(t('guests.checkIn'), actions.toggle, level, { id: 'check-in' });

/** @param {State} state @param {Actions} actions */
const exports = ({ event, names, complete }, actions) => h('div', { class: 'row' },
  button([icon('download'), t('guests.csv')], () => download(fileName(event.title, '.csv'), 'text/csv;charset=utf-8',
    csv([[t('guests.column')], ...names.map((name) => [name])])), 'plain'),
  copyButton(t('guests.copy'), () => names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'), 'plain'),
  button(t('guests.print'), () => printCheckIn(event, names), 'plain'),
  complete && !atTheDoor(event) && checkInButton(actions, 'plain'));

/** @param {State} state @param {Actions} actions */
function folds(state, actions) {
  const { event, organizerToken, backup } = state;
  const link = { event, organizerToken, copied: actions.copied };
  const asks = backup !== 'yes' && isOpen(state);
  const known = savedEvent(event.eventToken);
  const open = isOpen(state) && !underWay(state);
  return [
    asks && backupNotice(link, backup === 'now'),
    h('details', { class: 'fold', id: 'private' }, h('summary', {}, icon('key'), t('private.title')),
      privateLink(link), !asks && waysToBackUp(link),
      !(known && outlives()) && button(t('links.keep'), actions.keep, 'secondary', { id: 'keep' }),
      h('div', { 'aria-live': 'polite' }, known && (outlives()
        ? h('p', { class: 'hint' }, t('links.kept')) : !asks && h('p', { class: 'notice bad' }, t('backup.notKept'))))),
    h('p', { class: 'row' }, h('a', { href: eventPath(event.eventToken) }, t('organize.public')),
      open && h('a', { href: changePath(event.eventToken), onclick: known ? undefined : actions.change }, t('change.open')),
      h('a', { href: `/?again=${event.eventToken}` }, t('organize.again'))),
    open && h('details', { class: 'fold', id: 'cancel' }, h('summary', {}, t('cancel.title')),
      h('p', { class: 'hint' }, t('cancel.text')),
      button(t('cancel.open'), actions.cancel, 'secondary danger')),
  ];
}
