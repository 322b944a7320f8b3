import type { EventDetails } from '../lib/api';
import type { AsOf } from '../lib/events';
import { byId, h, user } from '../lib/dom';
import { t } from '../lib/i18n';
import { unsent, type Shown } from '../lib/outbox';
import { walkedIn, type SavedRSVP } from '../lib/saved';
import { keeps } from '../lib/storage';
import { blank, limits } from '../lib/text';
import { button } from './buttons';
import { tooLong } from './field';
import { guestsOf, matching, moreButton, rowOf, searchField, sortByName, type Rows } from './guest-list';
import { icon } from './icon';
import { asOfLine, notice } from './notice';

/** A row of the check-in. The service returns names only, so guests with equal names are numbered: nth of `of`. */
export type Row = { id: string; name: string; nth: number; of: number; simplified?: string; added?: boolean };
/** A guest whom this device has added: it has the RSVP once the item is answered. */
export type WalkIn = Row & { rsvp?: SavedRSVP; item?: Shown | undefined };
/** What only the page of the door knows. */
export type DoorOwn = {
  /** the rows, as the list was when they were made; null while the door is closed */
  guests: Row[] | null;
  search: string;
  /** how many rows are shown at most */
  shown: number;
  /** the ids of those who had not arrived when the text of the search changed, who come first; null without a search */
  ahead: Set<string> | null;
  /** the latest tick and its time, until the next act that comes after the time for its undo */
  last: { row: Row; isHere: boolean; at: number } | null;
  /** what Enter did for the text of the search: it ticked a guest, or all who match are here, or nobody matches */
  enter: 'ticked' | 'all' | 'none' | null;
  /** whether to say where ticks are stored */
  hint: boolean;
  rows: Rows;
};
export type DoorFacts = {
  event: EventDetails;
  asOf: AsOf | null;
  names: string[];
  /** the ids of those who have arrived */
  here: Set<string>;
};
export type DoorState = DoorFacts & DoorOwn & { guests: Row[] };
export type DoorActions = {
  search: (search: string) => void;
  more: () => void;
  open: () => void;
  close: () => void;
  /** makes the rows again from the current names */
  renew: () => void;
  undo: () => void;
  /** adds a walk-in with the name in the search */
  add: (event: Event) => void;
  /** ticks a guest off, or takes the tick back */
  tick: (row: Row, event: Event) => void;
  /** ticks the next guest, or moves to Add if nobody is found */
  enter: (next: Row | undefined, isFound: boolean, event: KeyboardEvent) => void;
  /** takes a walk-in off the list, which can be undone for a while, or undoes it */
  remove: (guest: WalkIn, event: Event) => void;
};

/**
 * The rows of the check-in, in the order of names. They stay in place while somebody ticks
 * them off: if a row moved, the wrong guest would be ticked.
 */
export function rowsOf(names: string[]) {
  const guests = guestsOf(names);
  const counts: Map<string, number> = new Map();
  for (const { name, nth } of guests) counts.set(name, nth);
  return sortByName(guests.map(({ id, name, nth }) => ({ id, name, nth, of: counts.get(name) ?? 1 })));
}

export function walkIns(eventToken: string): WalkIn[] {
  const all = unsent(eventToken);
  const added = walkedIn(eventToken)
    .map((rsvp) => ({ name: rsvp.name, door: rsvp.door, rsvp, item: all.find(({ id }) => id === rsvp.rsvpToken) }))
    .filter(({ item }) => !item || item.refused || item.early);
  const waiting = all.flatMap((item) =>
    item.kind === 'rsvp' && item.door ? [{ name: item.name, door: item.door, item }] : [],
  );
  return [...added, ...waiting].map(({ door: nth = 1, ...guest }) => ({
    ...guest,
    nth,
    id: `${nth} ${guest.name}`,
    of: nth,
  }));
}

/** @param event of a click that leaves the focus in the search, and with it the keyboard of a phone as it is */
const stay = (event: Event) => {
  if (document.activeElement === byId('search')) event.preventDefault();
};

/** A label would move the focus from the search to its checkbox. */
function click(event: MouseEvent & { currentTarget: HTMLLabelElement }) {
  const { control } = event.currentTarget;
  if (event.target === control) return;
  event.preventDefault();
  control?.click();
}

/** The error of the name in the search as that of a walk-in, or "". */
export const nameError = (search: string) => tooLong(search.trim(), limits.name);

/**
 * The check-in is a page of its own, without the poster. Changes since the rows were made are below them, so that no
 * row moves.
 */
export function checkIn(state: DoorState, actions: DoorActions) {
  const { guests, names, here, search, ahead, shown, hint, asOf } = state;
  const present = new Set(guestsOf(names).map(({ id }) => id));
  for (const { kind, door, name, refused } of unsent(state.event.eventToken))
    if (kind === 'withdraw' && door && !refused) present.delete(`${door} ${name}`);
  const added = new Map(walkIns(state.event.eventToken).map((guest) => [guest.id, guest]));
  const listed = new Set(guests.map(({ id }) => id));
  const all = [...guests, ...[...added.values()].filter(({ id }) => !listed.has(id))];
  const isFound = matching(search);
  const found = [...all.entries()].filter(([, row]) => isFound(row));
  if (ahead) found.sort(([, a], [, b]) => Number(ahead.has(b.id)) - Number(ahead.has(a.id)));
  const some = found.slice(0, shown);
  const isComing = ({ id }: Row) => present.has(id) || added.has(id);
  const coming = found.map(([, row]) => row).filter(isComing);
  const next = coming.find(({ id }) => !here.has(id));
  const marked = !blank(search) && !state.enter && next;
  const arrived = [...present].filter((id) => !listed.has(id) && !added.has(id)).length;
  const arrivals = [...added.values()].filter(({ id, item }) => here.has(id) && !item?.refused);
  const counted = [...new Set([...present, ...arrivals.map(({ id }) => id)])];
  return [
    <section class="poster door" id="door">
      <div class="wrap">
        {bar(
          state,
          {
            all: counted.length,
            left: counted.filter((id) => !here.has(id)).length,
            found: t('guests.found', { n: found.length, all: all.length }),
            onkey: (event) => actions.enter(next, coming.length > 0, event),
          },
          actions,
        )}
      </div>
    </section>,
    <div class="wrap" id="check-in-list">
      <ol class="guests check-in" id="guests" onmousedown={stay}>
        {some.map(([index, row]) =>
          entry(
            state,
            row,
            { index, isGone: !isComing(row), isMarked: row === marked, added: added.get(row.id) },
            actions,
          ),
        )}
        {!blank(search) && (
          <li id="add">
            {button(
              [icon('plus'), t('guests.add', { name: search.trim() })],
              actions.add,
              found.length ? 'plain' : 'primary large',
            )}
          </li>
        )}
      </ol>
      {moreButton(found.length - some.length, actions.more)}
      {some.some(([, { of }]) => of > 1) && <p class="hint">{t('guests.sameName')}</p>}
      <div class="row news" aria-live="polite">
        {(arrived > 0 || guests.some(({ id }) => !present.has(id))) &&
          button(arrived ? t('guests.arrived', { n: arrived }) : t('guests.renew'), actions.renew, 'secondary', {
            id: 'renew',
          })}
        {asOf && <p>{asOfLine(asOf)}</p>}
        {hint && isKept() && <p>{t('guests.ticks')}</p>}
        {!isKept() && notice('bad', <p>{t('guests.notKept')}</p>)}
      </div>
    </div>,
  ];
}

function bar(
  { last, search, enter }: DoorState,
  { all, left, found, onkey }: { all: number; left: number; found: string; onkey: (event: KeyboardEvent) => void },
  actions: DoorActions,
) {
  const isAll = enter === 'all';
  const said = isAll
    ? t('guests.allHere')
    : last && (last.isHere ? t('guests.isHere', last.row) : t('guests.notHere', last.row));
  return [
    <div id="standing">
      {button(t('guests.close'), actions.close, 'plain', { id: 'done' })}
      <h1 id="here" tabindex={-1}>
        {t('guests.here', { n: all - left })}
        {!said && <span>{` · ${t('guests.toCome', { n: left })}`}</span>}
      </h1>
      <p id="last" onmousedown={stay}>
        <span role="status" class={!said && 'unseen'}>
          {said || (search && found)}
        </span>
        {said && !isAll && [' · ', button(t('yours.undo'), actions.undo, 'plain', { id: 'undo' })]}
      </p>
    </div>,
    <div class="field" role="search">
      {searchField(search, actions.search, { label: t('guests.findOrAdd'), error: nameError(search), onkey })}
    </div>,
    <svg viewBox={`0 0 ${all || 1} 1`} preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0 0h${all - left}v1H0z`} />
    </svg>,
  ];
}

function entry(
  { here, rows }: DoorState,
  row: Row,
  { index, isGone, isMarked, added }: { index: number; isGone: boolean; isMarked: boolean; added: WalkIn | undefined },
  actions: DoorActions,
) {
  const isHere = here.has(row.id);
  const item = added?.item;
  return rowOf(rows, row.id, [row, index, isHere, isGone, isMarked, added], () => (
    <li id={`guest-${index}`} class={isGone ? 'gone' : isMarked && 'marked'}>
      <label onclick={click}>
        <span class="row">
          {user(row.name)}
          {row.of > 1 && <span class="hint">{` ${t('guests.nth', { n: row.nth, all: row.of })}`}</span>}
          {isGone && <span class="hint">{` ${t('guests.gone')}`}</span>}
          {item && !item.early && (
            <span class="hint">{` ${item.error && item.refused ? item.error.words : t('guests.notSent')}`}</span>
          )}
        </span>
        <input type="checkbox" checked={isHere} onclick={(event) => actions.tick(row, event)} />
      </label>
      {added &&
        button(item?.early ? t('yours.undo') : t('yours.remove'), (event) => actions.remove(added, event), 'plain', {
          'aria-label': item?.early ? t('yours.undoName', row) : t('yours.removeName', row),
        })}
    </li>
  ));
}

const isKept = () => keeps('here') && keeps('rsvp');
