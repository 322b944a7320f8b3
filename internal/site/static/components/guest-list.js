// @ts-check
import { h, user } from '../lib/dom.js';
import { locale, t } from '../lib/i18n.js';
import { button } from './buttons.js';

/**
 * @typedef {object} State
 * @property {string[]} names in the order of arrival
 * @property {number} fresh how many of the last names are new
 * @property {string} search
 * @property {'arrival' | 'name'} sort
 * @property {number} shown how many entries are shown at most
 * @property {boolean} checkIn whether guests are ticked off at the door
 * @property {Set<string>} here ids of those who have arrived
 */
/**
 * @typedef {object} Actions
 * @property {(search: string) => void} search
 * @property {(sort: 'arrival' | 'name') => void} sort
 * @property {() => void} more
 * @property {(on: boolean) => void} checkIn
 * @property {(id: string, here: boolean) => void} tick
 */

/** The list begins with what fits a screen, and grows by what a page can bear. */
export const folded = 8;
export const step = 500;

/** @param {string} text */
const simplified = (text) => text.toLocaleLowerCase(locale).normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');

/**
 * The guests with an id each; equal names are told apart by their order.
 * @param {string[]} names
 */
export function guestsOf(names) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  return names.map((name, index) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name, index, id: `${count} ${name}` };
  });
}

/**
 * The number of names at the end of a list that were not on an earlier one. Names
 * disappear anywhere, and new ones are at the end.
 * @param {string[]} before
 * @param {string[]} after
 */
export function arrivals(before, after) {
  let from = 0;
  let known = 0;
  while (known < after.length) {
    const found = before.indexOf(after[known], from);
    if (found < 0) break;
    from = found + 1;
    known += 1;
  }
  return after.length - known;
}

/** @param {State} state */
function chosen({ names, search, sort }) {
  const wanted = simplified(search);
  const guests = guestsOf(names).filter(({ name }) => simplified(name).includes(wanted));
  return sort === 'name' ? guests.sort((a, b) => a.name.localeCompare(b.name, locale)) : guests.reverse();
}

/** @param {State} state @param {Actions} actions */
export function guestList(state, actions) {
  const { names, fresh, search, checkIn, here, shown } = state;
  const all = chosen(state);
  const some = all.slice(0, shown);
  return [
    names.length > folded && tools(state, actions),
    search && h('p', { class: 'hint', role: 'status' }, t('guests.found', { n: all.length, all: names.length })),
    checkIn && h('p', { class: 'hint', role: 'status' }, t('guests.here', { n: guestsOf(names).filter(({ id }) => here.has(id)).length, all: names.length })),
    h('ol', { class: checkIn ? 'guests check-in' : 'guests', id: 'guests' }, some.map(({ name, index, id }) => h('li', { value: index + 1 },
      checkIn ? h('label', {}, h('input', { type: 'checkbox', checked: here.has(id),
        onchange: (/** @type {any} */ { target }) => actions.tick(id, target.checked) }), user(name)) : user(name),
      index >= names.length - fresh && h('span', { class: 'badge' }, t('guests.new'))))),
    all.length > some.length && button(t('guests.more', { n: Math.min(all.length - some.length, step) }), actions.more, 'secondary', { id: 'more' }),
  ];
}

/** @param {State} state @param {Actions} actions */
const tools = ({ search, sort }, actions) => h('div', { class: 'list-tools', role: 'search' },
  h('label', { for: 'search', class: 'unseen' }, t('guests.search')),
  h('input', { type: 'search', id: 'search', value: search, autocomplete: 'off', dir: 'auto', placeholder: t('guests.search'),
    oninput: (/** @type {any} */ { target }) => actions.search(target.value) }),
  h('label', { for: 'sort', class: 'unseen' }, t('guests.sort')),
  h('select', { id: 'sort', value: sort, onchange: (/** @type {any} */ { target }) => actions.sort(target.value) },
    h('option', { value: 'arrival' }, t('guests.byArrival')), h('option', { value: 'name' }, t('guests.byName'))));
