// @ts-check
import { byId, h, user } from '../lib/dom';
import { walkedIn } from '../lib/event-data';
import { t } from '../lib/i18n';
import { items } from '../lib/outbox';
import { keeps } from '../lib/storage';
import { blank } from '../lib/text';
import { button } from './buttons';
import { guestsOf, matching, moreButton, rowOf, searchField, sortByName, step } from './guest-list';
import { icon } from './icon';
import { asOfText, notice } from './notice';

/**
 * A row of the check-in. The service returns names only, so guests with equal names are numbered: nth of `of`.
 * @typedef {{ id: string, name: string, nth: number, of: number, simplified?: string, added?: boolean }} Row
 */
/** A guest whom this device has added: it has the token once the item is answered. @typedef {Row & { rsvpToken?: string, item?: import('../lib/outbox').Shown | undefined }} WalkIn */
/**
 * door holds the rows, as the list was when they were made; here the ids of those who have arrived, last the guest who
 * was ticked last; hint is whether to say where ticks are stored.
 * @typedef {import('../pages/organize-view').State & { door: Row[] }} State
 */
/**
 * renew makes the rows again from the current names; add adds a walk-in, and remove takes one off.
 * @typedef {Omit<import('./guest-list').Actions, 'sort'> & Record<'toggle' | 'renew' | 'undo' | 'add', () => void>
 *   & { tick: (row: Row, here: boolean) => void, remove: (guest: WalkIn) => void }} Actions
 */

/**
 * The rows of the check-in, in the order of names. They stay in place while somebody ticks
 * them off: if a row moved, the wrong guest would be ticked.
 * @param {string[]} names
 */
export function rowsOf(names) {
  const guests = guestsOf(names);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name, nth } of guests) counts.set(name, nth);
  return sortByName(guests.map(({ id, name, nth }) => ({ id, name, nth, of: counts.get(name) ?? 1 })));
}

/** @param {string} eventToken @returns {WalkIn[]} */
export function walkIns(eventToken) {
  const all = items(eventToken);
  const added = walkedIn(eventToken)
    .map((guest) => ({ ...guest, item: all.find(({ id }) => id === guest.rsvpToken) }))
    .filter(({ item }) => !item || item.refused);
  const waiting = all.flatMap((item) => (item.kind === 'walk-in' ? [{ name: item.name, nth: item.nth, item }] : []));
  return [...added, ...waiting].map((guest) => ({ ...guest, id: `${guest.nth} ${guest.name}`, of: guest.nth }));
}

/** @param {Event} event of a click that leaves the focus in the search, and with it the keyboard of a phone as it is */
const stay = (event) => {
  if (document.activeElement === byId('search')) event.preventDefault();
};

/**
 * The check-in is a page of its own, without the poster. Changes since the rows were made are below them, so that no
 * row moves.
 * @param {State} state @param {Actions} actions
 */
export function checkIn(state, actions) {
  const { door, names, here, search, hint, asOf } = state;
  const present = new Set(guestsOf(names).map(({ id }) => id));
  const added = new Map(walkIns(state.event.eventToken).map((guest) => [guest.id, guest]));
  const listed = new Set(door.map(({ id }) => id));
  const all = [...door, ...[...added.values()].filter(({ id }) => !listed.has(id))];
  const isFound = matching(search);
  const found = [...all.entries()].filter(([, row]) => isFound(row));
  const some = found.slice(0, Math.max(state.shown, step));
  const arrived = [...present].filter((id) => !listed.has(id) && !added.has(id)).length;
  const left = [...present].filter((id) => !here.has(id)).length;
  const unlisted = [...added.values()].filter(
    ({ id, item }) => here.has(id) && !present.has(id) && !item?.refused,
  ).length;
  return [
    h(
      'section',
      { class: 'poster door', id: 'door' },
      h(
        'div',
        { class: 'wrap', id: 'bar' },
        ...bar(state, names.length + unlisted, left, t('guests.found', { n: found.length, all: all.length }), actions),
      ),
    ),
    h(
      'div',
      { class: 'wrap', id: 'check-in-list' },
      h(
        'ol',
        { class: 'guests check-in', id: 'guests', onmousedown: stay },
        some.map(([index, row]) => entry(state, index, row, present.has(row.id), actions, added.get(row.id))),
        !blank(search) &&
          h(
            'li',
            { id: 'add' },
            button(
              [icon('plus'), t('guests.add', { name: search.trim() })],
              actions.add,
              found.length ? 'plain' : 'primary large',
            ),
          ),
      ),
      moreButton(found.length - some.length, actions.more),
      some.some(([, { of }]) => of > 1) && h('p', { class: 'hint' }, t('guests.sameName')),
      h(
        'div',
        { class: 'news', 'aria-live': 'polite' },
        (arrived > 0 || door.some(({ id }) => !present.has(id))) &&
          button(arrived ? t('guests.arrived', { n: arrived }) : t('guests.renew'), actions.renew, 'secondary', {
            id: 'renew',
          }),
        asOf && h('p', {}, asOfText(asOf), ' · ', asOf.error.words),
        hint && isKept() && h('p', {}, t('guests.ticks')),
        !isKept() && notice('bad', h('p', {}, t('guests.notKept'))),
      ),
    ),
  ];
}

/** @param {State} state @param {number} all @param {number} left @param {string} found @param {Actions} actions */
const bar = ({ last, search }, all, left, found, actions) => [
  h(
    'h1',
    { id: 'here', tabindex: -1 },
    t('guests.here', { n: all - left }),
    h('span', {}, ` · ${t('guests.toCome', { n: left })}`),
  ),
  button(t('guests.done'), actions.toggle, 'plain', { id: 'done' }),
  h('progress', { max: all || 1, value: all - left, 'aria-hidden': 'true' }),
  h('div', { class: 'field', role: 'search' }, ...searchField(search, actions.search, t('guests.findOrAdd'))),
  h(
    'p',
    { id: 'last', onmousedown: stay },
    h('span', { role: 'status' }, search ? found : last && t('guests.isHere', { name: last.name })),
    !search && last && button(t('yours.undo'), actions.undo, 'plain', { id: 'undo' }),
  ),
];

/** @param {State} state @param {number} index @param {Row} row @param {boolean} present @param {Actions} actions @param {WalkIn} [added] */
function entry({ here, rows }, index, row, present, actions, added) {
  const is = here.has(row.id);
  return rowOf(rows, row.id, [row, index, is, present, added], () =>
    h(
      'li',
      { id: `guest-${index}`, class: !present && !added && 'gone' },
      h(
        'label',
        {},
        h(
          'span',
          { class: 'row' },
          user(row.name),
          row.of > 1 && h('span', { class: 'hint' }, ` ${t('guests.nth', { n: row.nth, all: row.of })}`),
          !present && !added && h('span', { class: 'hint' }, ` ${t('guests.gone')}`),
          added?.item &&
            h(
              'span',
              { class: 'hint' },
              ` ${added.item.error && added.item.refused ? added.item.error.words : t('guests.notSent')}`,
            ),
        ),
        h('input', {
          type: 'checkbox',
          checked: is,
          onchange: (/** @type {any} */ { target }) => actions.tick(row, target.checked),
        }),
      ),
      added &&
        button(t('yours.remove'), () => actions.remove(added), 'plain', {
          'aria-label': t('yours.removeName', { name: row.name }),
        }),
    ),
  );
}

const isKept = () => keeps('here') && keeps('door');
