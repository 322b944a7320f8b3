// @ts-check
import { h, user } from '../lib/dom';
import { exportSaved } from '../lib/event-data';
import { locale, t } from '../lib/i18n';
import { limits } from '../lib/limits';
import { sendNow, staying } from '../lib/outbox';
import { outlives } from '../lib/saved';
import { sentences } from '../lib/text';
import { closesAt, dateIn, phase } from '../lib/time';
import { eventPath } from '../lib/urls';
import { button } from './buttons';
import { calendarLinks } from './calendar-links';
import { field } from './field';
import { keepRSVP } from './keep-rsvp';
import { asOfNotice, notice } from './notice';
import { closed, reason } from './poster';
import { shareLink } from './share-link';
import { textsOf } from './unsent';

/** @typedef {import('../lib/saved').SavedRSVP} SavedRSVP */

/**
 * @typedef {object} State
 * @property {import('../lib/api').EventDetails} event
 * @property {typeof import('./moved') | undefined} moved the code for an event that has moved
 * @property {boolean} closed whether the service no longer accepts RSVPs
 * @property {SavedRSVP[]} rsvps made on this device, without those whose withdrawal is being sent
 * @property {import('../lib/outbox').Shown[]} items of the event in the outbox, and RSVPs to the one that it has moved to
 * @property {boolean} withdrawn whether one of the RSVPs is no longer on the guest list
 * @property {boolean} thanks whether a guest has just withdrawn
 * @property {string} name the text of the name's field
 * @property {string} error of the name's field
 * @property {import('../lib/events').AsOf | null} asOf set if the service has not answered
 * @property {number | null} moment null except after a first RSVP on this page: then the guest's number, or
 *     0 until the count is read
 */
/**
 * @typedef {object} Actions
 * @property {(name: string) => void} type
 * @property {() => void} submit
 * @property {() => void} again asks the service once more
 * @property {(id: string) => void} dismiss
 * @property {(rsvp: SavedRSVP) => void} withdraw
 * @property {(rsvp: SavedRSVP) => void} undo
 */

/** @param {State} state */
export const isOpen = ({ event, closed: is }) => !is && !event.cancelled && phase(event) !== 'closed';

/** @param {State} state @param {Actions} actions */
export const rsvpPanel = (state, actions) =>
  h(
    'div',
    { class: 'card', id: 'panel' },
    asOfNotice(state.asOf, actions.again),
    state.moved
      ? state.moved.movedPanel(state, actions)
      : state.event.to
        ? unloaded(state.event.to)
        : state.event.cancelled
          ? reason(state.event)
          : !isOpen(state) && closed(state.event),
    state.rsvps.length > 0 && !state.moved?.asks(state.event) && yours(state, actions),
    h(
      'div',
      { class: 'problems', 'aria-live': 'assertive' },
      ...state.items.filter(({ refused }) => refused).map((item) => refusal(state, item, actions)),
    ),
    waiting(state),
    isOpen(state) &&
      !state.rsvps.length &&
      !isBusy(state) && [
        state.thanks && h('p', { id: 'thanks' }, t('withdraw.thanks')),
        form(state, actions),
        listed(),
      ],
  );

/** Shown if the code for a moved event did not load. Browsers do not retry that, so the page is reloaded. @param {State['event']} to */
const unloaded = ({ eventToken, title }) =>
  h(
    'section',
    { class: 'notice', id: 'state' },
    h('h2', { tabindex: -1 }, t('state.moved')),
    h('a', { href: eventPath(eventToken) }, t('moved.seeTitle', { title })),
    h('p', {}, t('failure.lost')),
    button(t('unreachable.again'), () => location.reload()),
  );

/**
 * The button that withdraws a name. If the event is cancelled or over, it removes the name, and does not cancel the RSVP.
 * @param {SavedRSVP} rsvp @param {boolean} only whether it is the only name @param {boolean} mixed whether others were made on this device
 * @param {boolean} coming @param {Actions} actions
 */
function signedUp(rsvp, only, mixed, coming, actions) {
  const { rsvpToken, byLink, name } = rsvp;
  const label = coming ? t('yours.cancelName', { name }) : t('yours.removeName', { name });
  return h(
    'li',
    { id: `rsvp-${rsvpToken}` },
    byLink && mixed && user(t('yours.link', { name })),
    button(only && coming ? t('yours.cancel') : label, () => actions.withdraw(rsvp), 'line', { 'aria-label': label }),
  );
}

/** @param {State} state */
export const isComing = ({ event, withdrawn }) =>
  ['coming', 'started'].includes(phase(event)) && !(withdrawn && !event.attendeeCount);

/**
 * A name whose withdrawal can still be undone.
 * @param {SavedRSVP} rsvp @param {boolean} titles whether it stands for the title of the panel @param {boolean} coming @param {Actions} actions
 */
export const leaving = (rsvp, titles, coming, actions) =>
  h(
    'li',
    { id: `rsvp-${rsvp.rsvpToken}`, class: 'line leaving' },
    h(
      titles ? 'h2' : 'span',
      { class: 'user', id: titles && 'yours-title' },
      coming ? t('withdraw.leaving', { name: rsvp.name }) : t('withdraw.done', { name: rsvp.name }),
    ),
    button(t('yours.undo'), () => actions.undo(rsvp), 'secondary', {
      'aria-label': coming && t('yours.undoName', { name: rsvp.name }),
    }),
  );

export const notKept = () =>
  !outlives() && notice('bad', h('p', {}, t('yours.notKept')), button(t('mine.export'), exportSaved));

/** @param {State} state @param {Actions} actions */
function yours(state, actions) {
  const { event, rsvps } = state;
  const left = staying(state);
  const coming = isComing(state);
  const own = left.filter(({ byLink }) => !byLink).length;
  const shares = left.length > 0 && !['over', 'closed'].includes(phase(event));
  const title = !own
    ? t('yours.link', { name: new Intl.ListFormat(locale).format(left.map(({ name }) => name)) })
    : coming
      ? state.moment
        ? t('yours.number', { n: state.moment })
        : t('yours.title', { n: own })
      : t('yours.were');
  return h(
    'section',
    { class: 'yours', id: 'yours', 'aria-labelledby': 'yours-title' },
    left.length > 0 &&
      h('h2', { id: 'yours-title', class: coming && state.moment !== null ? 'moment' : '', tabindex: -1 }, title),
    state.withdrawn && h('p', {}, t('yours.withdrawn')),
    notKept(),
    shares && h('div', { class: 'actions' }, calendarLinks(event, true), !event.cancelled && shareLink(event, true)),
    h(
      'div',
      { class: 'rows' },
      shares && !event.cancelled && [isOpen(state) && bring(state, actions), keepRSVP(left)],
      h(
        'ul',
        {},
        rsvps.map((rsvp, index) =>
          left.includes(rsvp)
            ? signedUp(rsvp, rsvps.length === 1, own > 0, coming, actions)
            : leaving(rsvp, !left.length && !index, coming, actions),
        ),
      ),
    ),
  );
}

/** For a guest whose browser has forgotten the RSVP. */
const listed = () =>
  h(
    'details',
    { id: 'listed' },
    h('summary', { class: 'plain' }, t('listed.title')),
    h('p', { class: 'hint' }, t('listed.text')),
  );

/** The form for companions. It is open if a name was already typed. @param {State} state @param {Actions} actions */
const bring = (state, actions) =>
  !unsent(state, 'rsvp').some((item) => item.error) &&
  h(
    'details',
    { class: 'fold', id: 'bring', open: Boolean(state.name || state.error) },
    h('summary', { class: 'line', id: 'rsvp-title' }, t('rsvp.another')),
    form(state, actions),
  );

/** @param {State} state @param {string} kind */
const unsent = ({ items }, kind) => items.filter((item) => item.kind === kind && !item.early && !item.refused);

/** Whether the panel shows what is being sent instead of the form. @param {State} state */
const isBusy = (state) => unsent(state, 'rsvp').some(({ error }) => error) || unsent(state, 'withdraw').length > 0;

/** Shown until there is an answer. The same request is repeated until then. @param {State} state */
function waiting(state) {
  const all = [...unsent(state, 'rsvp'), ...unsent(state, 'withdraw')];
  const error = all.find((item) => item.error)?.error;
  if (!error && (state.rsvps.length || !unsent(state, 'withdraw').length)) return false;
  return h(
    'section',
    { class: 'notice', id: 'waiting', 'aria-labelledby': 'waiting-title' },
    h(
      'h2',
      { id: 'waiting-title', tabindex: -1 },
      !error ? t('rsvp.sending') : error.kind === 'offline' ? error.words : t('waiting.title'),
    ),
    error && [...all.map((item) => h('p', {}, textsOf(item).waiting)), button(t('waiting.now'), sendNow, 'primary')],
  );
}

/**
 * A refusal, with the reason unless the page already shows it.
 * @param {State} state @param {import('../lib/outbox').Shown} item that the service has refused @param {Actions} actions
 */
const refusal = (state, item, actions) =>
  h(
    'div',
    { class: 'notice bad', id: `refused-${item.id}` },
    h('p', {}, textsOf(item).refused),
    (isOpen(state) || item.eventToken !== state.event.eventToken || !item.error?.code.startsWith('event-')) &&
      h('p', {}, item.error?.words),
    button(t('outbox.dismiss'), () => actions.dismiss(item.id), 'secondary'),
  );

/** @param {State['event']} event */
const lastDay = (event) => dateIn({ ...event, dateTime: new Date(closesAt(event)).toISOString() });

/** The label of the form's button. @param {State['event']} event */
export const submitText = (event) => (phase(event) === 'over' ? t('rsvp.submitOver') : t('rsvp.submit'));

/** @param {State} state @param {Actions} actions */
function form(state, actions) {
  const more = state.rsvps.length > 0;
  const over = phase(state.event) === 'over';
  const sending = unsent(state, 'rsvp').length > 0;
  const control = h('input', {
    name: 'name',
    autocomplete: more ? 'off' : 'name',
    required: true,
    enterkeyhint: 'send',
    value: state.name,
    oninput: (/** @type {any} */ { target }) => actions.type(target.value),
  });
  return h(
    'form',
    {
      id: 'rsvp',
      novalidate: true,
      class: more ? 'rsvp more' : 'rsvp',
      'aria-labelledby': 'rsvp-title',
      onsubmit: actions.submit,
    },
    !more && h('h2', { id: 'rsvp-title', tabindex: -1 }, over ? t('rsvp.titleOver') : t('rsvp.title')),
    field({
      id: 'name',
      label: more ? t('rsvp.theirName') : t('rsvp.name'),
      limit: limits.name,
      control,
      error: state.error,
    }),
    h(
      'button',
      { type: 'submit', class: more ? 'secondary' : 'primary large', 'aria-disabled': sending && 'true' },
      sending ? t('rsvp.sending') : more ? t('rsvp.bring') : submitText(state.event),
    ),
    !more &&
      h(
        'p',
        { class: 'hint' },
        ...(over ? sentences(t('rsvp.hint'), t('rsvp.hintOver', { date: lastDay(state.event) })) : [t('rsvp.hint')]),
      ),
  );
}
