// @ts-check
import { h } from '../lib/dom';
import { map } from '../lib/external-links';
import { t } from '../lib/i18n';
import { characters } from '../lib/limits';
import { linkify } from '../lib/linkify';
import { changeOf, newest, sameTitle } from '../lib/move';
import { dateIn, phase, readerDiffers, readerTime, relativeDay, whenIn, zoneName } from '../lib/time';
import { icon } from './icon';
import { tally } from './tally';

/** @typedef {import('../lib/api').EventDetails} EventDetails */
/** @typedef {import('../lib/dom').Child} Child */

/** Long titles are set smaller, so that the form stays on the first screen. @param {string} title */
export const size = (title) => (characters(title) > 60 ? 'long' : characters(title) > 24 ? 'middling' : 'short');

/** @param {EventDetails} event */
export function state(event) {
  const over = t('state.over');
  return {
    moved: t('state.moved'),
    cancelled: t('state.cancelled'),
    closed: over,
    over,
    started: t('state.started'),
    coming: '',
  }[phase(event)];
}

/** @param {EventDetails} event */
export function turnout(event) {
  const n = event.attendeeCount;
  if (['coming', 'started'].includes(phase(event))) return n ? t('event.coming', { n }) : t('event.nobody');
  return n ? t('event.signedUp', { n }) : t('event.nobodyCame');
}

/**
 * @param {Parameters<typeof icon>[0]} name of the icon
 * @param {string} label for screen readers
 * @param {...Child} content
 */
const fact = (name, label, ...content) =>
  h('div', {}, h('dt', {}, icon(name), h('span', { class: 'unseen' }, label)), h('dd', {}, ...content));

/** A fact that has changed since the event moved. @param {string} text */
const former = (text) =>
  h('s', { class: 'user', dir: 'auto' }, h('span', { class: 'unseen' }, `${t('moved.before')} `), text);

/** @param {EventDetails} event */
function when(event) {
  const shown = newest(event);
  const isOff = phase(shown) === 'cancelled';
  return fact(
    'when',
    t('event.when'),
    h('p', { class: 'big' }, h('time', { datetime: shown.dateTime }, whenIn(shown))),
    h(
      'p',
      { class: 'small' },
      [
        changeOf(event) === 'date' && former(whenIn(event)),
        !isOff && relativeDay(shown),
        (isOff || readerDiffers(shown)) && zoneName(shown), // never an empty line
        readerDiffers(shown) && t('event.reader', { time: readerTime(shown) }),
      ]
        .filter(Boolean)
        .flatMap((part, index, { length }) => [index > 0 && ' ', h('span', {}, part, index < length - 1 && '\u00A0·')]),
    ),
  );
}

/** @param {EventDetails} event */
function where(event) {
  const { location: place } = newest(event);
  const was = event.location !== place && event.location;
  return (
    Boolean(place || was) &&
    fact(
      'where',
      t('event.where'),
      place && h('p', { class: 'big user', dir: 'auto' }, ...spot(place)),
      was && h('p', { class: 'small' }, former(was)),
    )
  );
}

/** A place that contains web addresses links to them, any other to a map. @param {string} text */
function spot(text) {
  const parts = linkify(text);
  return parts.length > 1
    ? parts
    : [
        h(
          'a',
          { class: 'spot', href: map(text), target: '_blank', rel: 'noopener noreferrer', title: t('event.map') },
          text,
        ),
      ];
}

/** @typedef {{ own?: number, fresh?: number, next?: boolean, open?: boolean }} Marks open: whether there is a form */

/** The strokes of the guests. The words for the next one keep their room once it is drawn. @param {EventDetails} event @param {Marks} marks */
const who = (event, marks) =>
  h(
    'div',
    { class: 'who' },
    h('dt', { class: 'unseen' }, t('event.who')),
    h(
      'dd',
      {},
      tally(event.attendeeCount, marks),
      h(
        'p',
        { class: 'big' },
        turnout(event),
        marks.open && h('span', { class: 'next', 'aria-hidden': 'true' }, t('event.dashed')),
      ),
    ),
  );

/**
 * The facts of an event in its colour, with the form beside them. Of one that has moved, those of the new event.
 * @param {EventDetails} event
 * @param {object} [options]
 * @param {Child | Child[]} [options.kicker] shown if the event has no state to show
 * @param {Marks | null} [options.marks] null for no tally
 * @param {Child} [options.aside]
 * @param {boolean} [options.compact] whether the poster is only a heading
 */
export function poster(event, { kicker = t('event.kicker'), marks = {}, aside, compact } = {}) {
  const shown = newest(event);
  const counts = marks && (shown === event || shown.attendeeCount > 0); // at first nobody can have said yes again
  return h(
    'section',
    {
      class: ['poster', event.cancelled && 'off', compact && 'compact'].filter(Boolean).join(' '),
      id: compact && 'organizer',
    },
    h(
      'div',
      { class: aside ? 'wrap split' : 'wrap' },
      h(
        'div',
        { class: 'headline' },
        h('p', { class: 'kicker' }, state(event) || kicker),
        !sameTitle(event) && h('p', { class: 'small' }, former(event.title)),
        h('h1', { class: `user ${size(shown.title)}`, dir: 'auto', tabindex: -1 }, shown.title),
        h('dl', { class: 'facts' }, when(event), where(event), counts && who(shown, marks)),
      ),
      aside,
    ),
  );
}

/** @param {EventDetails} event */
export const reason = ({ cancellationReason: text }) =>
  h(
    'section',
    { class: 'notice bad', id: 'state' },
    h('h2', { tabindex: -1 }, t('event.cancelled')),
    text ? h('p', { class: 'user prose', dir: 'auto' }, ...linkify(text)) : h('p', {}, t('event.noReason')),
  );

/** @param {EventDetails} event */
export const closed = (event) =>
  h(
    'section',
    { class: 'notice', id: 'state' },
    h('h2', { tabindex: -1 }, t('event.closed')),
    h('p', {}, t('event.closedText', { date: dateIn(event) })),
  );
