// @ts-check
import { h, user } from '../lib/dom';
import { locale, t } from '../lib/i18n';
import { button } from './buttons';

/**
 * @typedef {object} State
 * @property {string[]} names in the order of arrival
 * @property {number} fresh how many of the last names are new
 * @property {string} search
 * @property {'arrival' | 'name'} sort
 * @property {number} shown how many entries are shown at most
 * @property {Rows} rows
 */
/** @typedef {{ search: (search: string) => void, sort: (sort: 'arrival' | 'name') => void, more: () => void }} Actions */

/** How many guests the list shows at first, about a screen, and by how many it grows. */
export const folded = 8;
export const step = 500;
/** From how many guests on the order can be chosen. */
const sortable = 20;

/** @param {string} text */
const simplified = (text) =>
  text.toLocaleLowerCase(locale).normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');

/** The rows that were drawn, by guest; patch leaves a row alone as long as its inputs are the same. @typedef {Map<string, { inputs: unknown[], row: import('../lib/dom').Described }>} Rows */

/** @param {Rows} rows @param {string} id @param {unknown[]} inputs @param {() => import('../lib/dom').Described} describe */
export function rowOf(rows, id, inputs, describe) {
  const last = rows.get(id);
  if (last?.inputs.every((input, index) => input === inputs[index])) return last.row;
  const row = describe();
  rows.set(id, { inputs, row });
  return row;
}

/** @typedef {{ name: string, index: number, nth: number, id: string, simplified?: string }} Guest */
/** By the names: lists of thousands are drawn with each letter of the search. @type {WeakMap<string[], Guest[]>} */
const guests = new WeakMap();

/**
 * The guests with an id each; equal names are told apart by their order.
 * @param {string[]} names
 */
export function guestsOf(names) {
  const known = guests.get(names);
  if (known) return known;
  /** @type {Map<string, number>} */
  const seen = new Map();
  const all = names.map((name, index) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name, index, nth: count, id: `${count} ${name}` };
  });
  guests.set(names, all);
  return all;
}

/** @template {{ name: string }} One @param {One[]} all */
export function sortByName(all) {
  const { compare } = new Intl.Collator(locale);
  return all.sort((a, b) => compare(a.name, b.name));
}

/** @param {string} search */
export function matching(search) {
  const wanted = simplified(search);
  return (/** @type {{ name: string, simplified?: string }} */ guest) =>
    !wanted || (guest.simplified ??= simplified(guest.name)).includes(wanted);
}

/** @param {State} state @param {Actions} actions */
export function guestList(state, actions) {
  const { names, fresh, search, sort, shown } = state;
  const found = guestsOf(names).filter(matching(search));
  const all = sort === 'name' ? sortByName(found) : found.reverse();
  const some = all.slice(0, shown);
  return [
    names.length > folded &&
      h(
        'div',
        { class: 'list-tools', role: 'search' },
        ...searchField(search, actions.search),
        ...(names.length < sortable ? [] : sortField(sort, actions.sort)),
      ),
    search && h('p', { class: 'hint', role: 'status' }, t('guests.found', { n: all.length, all: names.length })),
    // Numbers give the order of arrival, so the list by name has none.
    h(
      'ol',
      { class: 'guests', id: 'guests' },
      some.map((guest) =>
        entry(
          state.rows,
          guest,
          sort === 'arrival' && guest.index + 1,
          guest.index >= names.length - fresh && t('guests.new'),
        ),
      ),
    ),
    moreButton(all.length - some.length, actions.more),
  ];
}

/** @param {Rows} rows @param {Guest} guest @param {number | false} number @param {string | false} badge */
const entry = (rows, { id, name }, number, badge) =>
  rowOf(rows, id, [number, badge], () =>
    h('li', { value: number || undefined }, user(name), badge && h('span', { class: 'badge' }, badge)),
  );

/** @param {number} left @param {() => void} more */
export const moreButton = (left, more) =>
  left > 0 && button(t('guests.more', { n: Math.min(left, step) }), more, 'secondary', { id: 'more' });

/** @param {string} search @param {(search: string) => void} changed @param {string} [label] */
export const searchField = (search, changed, label = t('guests.search')) => [
  h('label', { for: 'search', class: 'unseen' }, label),
  h('input', {
    type: 'search',
    id: 'search',
    value: search,
    autocomplete: 'off',
    dir: search !== '' && 'auto',
    placeholder: t('guests.search'),
    oninput: (/** @type {any} */ { target }) => changed(target.value),
  }),
];

/** @param {string} sort @param {(sort: 'arrival' | 'name') => void} changed */
const sortField = (sort, changed) => [
  h('label', { for: 'sort', class: 'unseen' }, t('guests.sort')),
  h(
    'select',
    { id: 'sort', value: sort, onchange: (/** @type {any} */ { target }) => changed(target.value) },
    h('option', { value: 'arrival' }, t('guests.byArrival')),
    h('option', { value: 'name' }, t('guests.byName')),
  ),
];
