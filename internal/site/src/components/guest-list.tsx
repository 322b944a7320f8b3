import { h, keptRows, person } from '../lib/dom';
import { setter, type Drawing } from '../lib/drawing';
import { locale, t } from '../lib/i18n';
import { comparable } from '../lib/text';
import { checkedIn } from '../model/attendees';
import type { EventDetails } from '../model/event';
import { button } from './buttons';

/** The number of guests that the list shows at first (about a screen), and the number by which it grows. */
export const folded = () => (matchMedia('(min-width: 56rem)').matches ? 20 : 8);
export const step = 500;
const spare = 4; // unfolding so few names costs more than showing them
export const few = 3; // names in the one-line summary while the list is folded
const many = 20; // guests from which on the list can be searched and sorted

/** The number of names to show: all of them if only a few would be hidden. */
export const upTo = (all: number, shown: number) => (all - shown > spare ? shown : all);

/**
 * A guest on the list. The service returns names only, so guests with equal names are numbered in the order of arrival:
 * `nth` of `of`.
 */
export type Attendee = { id: string; name: string; index: number; nth: number; of: number; sought?: string };
/** Caches the guests by list, because each letter of a search draws a list of thousands anew. */
const numberings = new WeakMap<string[], Attendee[]>();

export function attendeesOf(names: string[]) {
  const known = numberings.get(names);
  if (known) return known;
  const counts = new Map<string, number>();
  const numbered = names.map((name, index) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return { id: `${nth} ${name}`, name, index, nth };
  });
  const all = numbered.map((guest) => ({ ...guest, of: counts.get(guest.name) ?? 1 }));
  numberings.set(names, all);
  return all;
}

export function byName(all: Attendee[]) {
  const { compare } = new Intl.Collator(locale);
  return [...all].sort((a, b) => compare(a.name, b.name));
}

/** A name as it is searched: at the door, people type the sounds of a Japanese name in hiragana or in katakana. */
const sought = (name: string) =>
  comparable(name).replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));

export function matching(search: string) {
  const wanted = sought(search);
  return (guest: { name: string; sought?: string }) =>
    !wanted || (guest.sought ??= sought(guest.name)).includes(wanted);
}

/**
 * Returns a function that draws the names and marks the last `fresh` names as new. @param first the number of names at
 * first
 */
export function guestList(drawing: Drawing<unknown>, first: number) {
  const own = { search: '', sort: 'arrival', shown: first };
  const set = setter(own, drawing);
  const keptRow = keptRows();
  return ({ names, fresh, event }: { names: string[]; fresh: number; event: Pick<EventDetails, 'eventToken'> }) => {
    const { search, sort, shown } = own;
    const isByName = sort === 'name';
    const here = checkedIn(event.eventToken);
    const found = attendeesOf(names).filter(matching(search));
    const all = isByName ? byName(found) : found.reverse();
    const drawn = upTo(all.length, shown || few);
    const longest = '0'.repeat(String(names.length).length);
    const more = moreButton(all.length - drawn, () => void set({ shown: shown < step ? step : shown + step }));
    if (!shown)
      return [
        <p class="hint">
          {new Intl.ListFormat(locale)
            .formatToParts(all.slice(0, drawn).map(({ name }) => name))
            .map(({ type, value }) => (type === 'element' ? person(value) : value))}
        </p>,
        more,
      ];
    return [
      names.length >= many && (
        <div class="list-tools" role="search">
          {searchField(search, (text) => void set({ search: text, shown: Math.min(shown, step) }), t('guests.search'))}
          <label for="sort" class="unseen">
            {t('guests.sort')}
          </label>
          <select id="sort" value={sort} onchange={({ target }) => void set({ sort: target.value })}>
            <option value="arrival">{t('guests.byArrival')}</option>
            <option value="name">{t('guests.byName')}</option>
          </select>
        </div>
      ),
      // Screen readers announce changes only in an element that exists already.
      <p class={search ? 'hint' : 'unseen'} role="status">
        {search && t('guests.found', { n: all.length, all: names.length })}
      </p>,
      <ol class="guests" id="guests">
        {all.slice(0, drawn).map(({ id, name, index }) => {
          // The numbers give the order of arrival, so a list sorted by name has no numbers.
          const number = isByName ? undefined : index + 1;
          const isNew = index >= names.length - fresh;
          const isHere = here.has(id);
          return keptRow(id, [number, isNew, isHere, longest], () => (
            <li value={number} data-longest={longest}>
              {person(name)}
              {isHere && <span class="hint">{` ✓ ${t('guests.came')}`}</span>}
              {isNew && <span class="badge">{t('guests.new')}</span>}
            </li>
          ));
        })}
      </ol>,
      more,
    ];
  };
}

export const moreButton = (left: number, more: () => void) =>
  left > 0 && button(t('guests.more', { n: Math.min(left, step) }), more, 'secondary', { id: 'more' });

export const searchField = (
  search: string,
  changed: (search: string) => void,
  label: string,
  error = '',
  onkey?: (event: KeyboardEvent) => void,
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
  <p class={error ? 'error' : 'unseen'} id="search-error" role="status">
    {error}
  </p>,
];
