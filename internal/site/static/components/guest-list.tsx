import { h, user, type Described } from '../lib/dom';
import type { Setter } from '../lib/page';
import { locale, t } from '../lib/i18n';
import { button } from './buttons';

/** What only the page of the list knows. */
export type ListOwn = {
  search: string;
  sort: 'arrival' | 'name';
  /** how many entries are shown at most */
  shown: number;
  rows: Rows;
};
export type ListState = ListOwn & {
  /** in the order of arrival */
  names: string[];
  /** how many of the last names are new */
  fresh: number;
};

/** How many guests the list shows at first, about a screen, and by how many it grows. */
export const folded = 8;
export const step = 500;
/** How many names stand for a list that shows none. */
const few = 3;
/** From how many guests on the list can be searched and sorted. */
const many = 20;

const simplified = (text: string) =>
  text.toLocaleLowerCase(locale).normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');

/** The rows that were drawn, by guest; patch leaves a row alone as long as its inputs are the same. */
export type Rows = Map<string, { inputs: unknown[]; row: Described }>;

export function rowOf(rows: Rows, id: string, inputs: unknown[], describe: () => Described) {
  const last = rows.get(id);
  if (last?.inputs.every((input, index) => input === inputs[index])) return last.row;
  const row = describe();
  rows.set(id, { inputs, row });
  return row;
}

export type Guest = { name: string; index: number; nth: number; id: string; simplified?: string };
/** By the names: lists of thousands are drawn with each letter of the search. */
const guests: WeakMap<string[], Guest[]> = new WeakMap();

/** The guests with an id each; equal names are told apart by their order. */
export function guestsOf(names: string[]) {
  const known = guests.get(names);
  if (known) return known;
  const seen: Map<string, number> = new Map();
  const all = names.map((name, index) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { name, index, nth: count, id: `${count} ${name}` };
  });
  guests.set(names, all);
  return all;
}

export function sortByName<One extends { name: string }>(all: One[]) {
  const { compare } = new Intl.Collator(locale);
  return all.sort((a, b) => compare(a.name, b.name));
}

export function matching(search: string) {
  const wanted = simplified(search);
  return (guest: { name: string; simplified?: string }) =>
    !wanted || (guest.simplified ??= simplified(guest.name)).includes(wanted);
}

/** Its controls send no requests. */
export function guestList(state: ListState, set: Setter<ListOwn>) {
  const { names, fresh, search, sort, shown } = state;
  const found = guestsOf(names).filter(matching(search));
  const all = sort === 'name' ? sortByName(found) : found.reverse();
  const some = all.slice(0, shown);
  const more = (drawn: number) =>
    moreButton(all.length - drawn, () => void set({ shown: shown < step ? step : shown + step }));
  if (!shown)
    return [
      all.length > 0 && (
        <p class="hint">
          {new Intl.ListFormat(locale)
            .formatToParts(all.slice(0, few).map(({ name }) => name))
            .map(({ type, value }) => (type === 'element' ? user(value) : value))}
        </p>
      ),
      more(few),
    ];
  return [
    names.length >= many && (
      <div class="list-tools" role="search">
        {searchField(search, (text) => void set({ search: text, shown: Math.min(shown, step) }))}
        <label for="sort" class="unseen">
          {t('guests.sort')}
        </label>
        <select
          id="sort"
          value={sort}
          onchange={({ target }) => void set({ sort: target.value === 'name' ? 'name' : 'arrival' })}
        >
          <option value="arrival">{t('guests.byArrival')}</option>
          <option value="name">{t('guests.byName')}</option>
        </select>
      </div>
    ),
    search && (
      <p class="hint" role="status">
        {t('guests.found', { n: all.length, all: names.length })}
      </p>
    ),
    // Numbers give the order of arrival, so the list by name has none.
    <ol class="guests" id="guests">
      {some.map((guest) =>
        entry(
          state.rows,
          guest,
          sort === 'arrival' && guest.index + 1,
          guest.index >= names.length - fresh && t('guests.new'),
        ),
      )}
    </ol>,
    more(shown),
  ];
}

const entry = (rows: Rows, { id, name }: Guest, number: number | false, badge: string | false) =>
  rowOf(rows, id, [number, badge], () => (
    <li value={number || undefined}>
      {user(name)}
      {badge && <span class="badge">{badge}</span>}
    </li>
  ));

export const moreButton = (left: number, more: () => void) =>
  left > 0 && button(t('guests.more', { n: Math.min(left, step) }), more, 'secondary', { id: 'more' });

export const searchField = (
  search: string,
  changed: (search: string) => void,
  {
    label = t('guests.search'),
    error = '',
    onkey,
  }: { label?: string; error?: string; onkey?: (event: KeyboardEvent) => void } = {},
) => [
  <label for="search" class="unseen">
    {label}
  </label>,
  <input
    type="search"
    id="search"
    value={search}
    autocomplete="off"
    dir={search !== '' && 'auto'}
    placeholder={label}
    aria-invalid={error !== '' && 'true'}
    aria-describedby={error !== '' && 'search-error'}
    oninput={({ target }) => changed(target.value)}
    onkeydown={onkey}
    onkeyup={onkey}
    enterkeyhint={onkey && 'done'}
  />,
  error && (
    <p class="error" id="search-error" role="status">
      {error}
    </p>
  ),
];
