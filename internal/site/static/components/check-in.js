// @ts-check
import { h, user } from '../lib/dom.js';
import { t } from '../lib/i18n.js';
import { keeps } from '../lib/storage.js';
import { button } from './buttons.js';
import { folded, guestsOf, matching, moreButton, searchField, sortByName, step } from './guest-list.js';
import { asOfText, notice } from './notice.js';

/**
 * A row of the check-in. The service returns names only, so guests with equal names are numbered: nth of `of`.
 * @typedef {{ id: string, name: string, nth: number, of: number, simplified?: string }} Row
 */
/**
 * @typedef {object} State
 * @property {string[]} names in the order of arrival, as they are now
 * @property {Row[]} door the rows, as the list was when they were made
 * @property {Set<string>} here ids of those who have arrived
 * @property {string} search
 * @property {number} shown how many rows are shown at most
 * @property {import('../lib/events.js').AsOf | null} asOf set if the names may be out of date
 */
/**
 * @typedef {object} Actions
 * @property {(search: string) => void} search
 * @property {() => void} more
 * @property {() => void} toggle ends the check-in
 * @property {() => void} renew makes the rows again from the current names
 * @property {(id: string, here: boolean) => void} tick
 */

/**
 * The rows of the check-in, in the order of names. They stay in place while somebody ticks
 * them off: if a row moved, the wrong guest would be ticked.
 * @param {string[]} names
 * @returns {Row[]}
 */
export function rowsOf(names) {
  const guests = guestsOf(names);
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name, nth } of guests) counts.set(name, nth);
  return sortByName(guests.map(({ id, name, nth }) => ({ id, name, nth, of: counts.get(name) ?? 1 })));
}

/** @param {string[]} names */
const idsOf = (names) => new Set(guestsOf(names).map(({ id }) => id));

/** @param {string[]} names @param {Set<string>} here */
export const hereText = (names, here) => t('guests.here', { n: [...idsOf(names)].filter((id) => here.has(id)).length, all: names.length });

/** @param {State} state @param {Actions} actions */
export function checkIn(state, actions) {
  const { door, names, search } = state;
  const present = idsOf(names);
  const rows = door.filter(matching(search));
  const some = rows.slice(0, Math.max(state.shown, step));
  return [
    h('div', { class: 'door', id: 'door' },
      h('p', { id: 'here', 'aria-live': 'polite' }, hereText(names, state.here)),
      button(t('guests.done'), actions.toggle, 'primary', { id: 'done' }),
      door.length > folded && h('div', { class: 'list-tools', role: 'search' }, ...searchField(search, actions.search))),
    keeps('here') && h('p', { class: 'hint' }, t('guests.ticks')),
    search && h('p', { class: 'hint', role: 'status' }, t('guests.found', { n: rows.length, all: door.length })),
    door.some(({ of }) => of > 1) && h('p', { class: 'hint' }, t('guests.sameName')),
    h('ol', { class: 'guests check-in', id: 'guests' }, some.map((row) => entry(row, state.here.has(row.id), present.has(row.id), actions))),
    moreButton(rows.length - some.length, actions.more),
    news(state, present, actions),
  ];
}

/** @param {Row} row @param {boolean} here @param {boolean} present @param {Actions} actions */
const entry = ({ id, name, nth, of }, here, present, actions) => h('li', { class: !present && 'gone' }, h('label', {},
  h('input', { type: 'checkbox', checked: here, onchange: (/** @type {any} */ { target }) => actions.tick(id, target.checked) }),
  user(name),
  of > 1 && h('span', { class: 'hint' }, ` ${t('guests.nth', { n: nth, all: of })}`),
  !present && h('span', { class: 'hint' }, ` ${t('guests.gone')}`)));

/**
 * What has changed since the rows were made. It is below them, so that no row moves.
 * @param {State} state
 * @param {Set<string>} present
 * @param {Actions} actions
 */
function news({ door, asOf }, present, actions) {
  const rows = new Set(door.map(({ id }) => id));
  const arrived = [...present].filter((id) => !rows.has(id)).length;
  const gone = door.some(({ id }) => !present.has(id));
  return h('div', { class: 'news', 'aria-live': 'polite' },
    (arrived > 0 || gone) && button(arrived ? t('guests.arrived', { n: arrived }) : t('guests.renew'), actions.renew, 'secondary', { id: 'renew' }),
    asOf && h('p', {}, asOfText(asOf), ' · ', asOf.error.words),
    !keeps('here') && notice('bad', h('p', {}, t('guests.notKept'))));
}
