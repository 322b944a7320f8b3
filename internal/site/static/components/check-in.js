// @ts-check
import { byId, h, user } from '../lib/dom.js';
import { walkedIn } from '../lib/event-data.js';
import { t } from '../lib/i18n.js';
import { items } from '../lib/outbox.js';
import { keeps } from '../lib/storage.js';
import { blank } from '../lib/text.js';
import { button } from './buttons.js';
import { guestsOf, matching, moreButton, searchField, sortByName, step } from './guest-list.js';
import { icon } from './icon.js';
import { asOfText, notice } from './notice.js';

/**
 * A row of the check-in. The service returns names only, so guests with equal names are numbered: nth of `of`.
 * @typedef {{ id: string, name: string, nth: number, of: number, simplified?: string, added?: boolean }} Row
 */
/** A guest whom this device has added: it has the token once the item is answered. @typedef {Row & { rsvpToken?: string, item?: import('../lib/outbox.js').Shown | undefined }} WalkIn */
/**
 * @typedef {object} State
 * @property {import('../lib/api.js').EventDetails} event
 * @property {string[]} names in the order of arrival, as they are now
 * @property {Row[]} door the rows, as the list was when they were made
 * @property {Set<string>} here ids of those who have arrived
 * @property {Row | null} last the guest who was ticked last
 * @property {boolean} hint whether to say where ticks are stored
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
 * @property {(row: Row, here: boolean) => void} tick
 * @property {() => void} undo takes the last tick back
 * @property {() => void} add adds a walk-in
 * @property {(guest: WalkIn) => void} remove
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

/** @param {string} eventToken @returns {WalkIn[]} */
export function walkIns(eventToken) {
  const all = items(eventToken);
  const added = walkedIn(eventToken).map((guest) => ({ ...guest, item: all.find(({ id }) => id === guest.rsvpToken) }))
    .filter(({ item }) => !item || item.refused);
  const waiting = all.flatMap((item) => (item.kind === 'walk-in' ? [{ name: item.name, nth: item.nth, item }] : []));
  return [...added, ...waiting].map((guest) => ({ ...guest, id: `${guest.nth} ${guest.name}`, of: guest.nth }));
}

/** @param {MouseEvent} event of a click that leaves the focus in the search, and with it the keyboard of a phone as it is */
const stay = (event) => { if (document.activeElement === byId('search')) event.preventDefault(); };

/** The check-in is a page of its own, without the poster. @param {State} state @param {Actions} actions */
export function checkIn(state, actions) {
  const { door, names, search } = state;
  const present = idsOf(names);
  const added = new Map(walkIns(state.event.eventToken).map((guest) => [guest.id, guest]));
  const listed = new Set(door.map(({ id }) => id));
  const isFound = matching(search);
  const rows = [...[...door, ...[...added.values()].filter(({ id }) => !listed.has(id))].entries()].filter(([, row]) => isFound(row));
  const some = rows.slice(0, Math.max(state.shown, step));
  return [
    h('section', { class: 'poster door', id: 'door' }, h('div', { class: 'wrap', id: 'bar' }, ...bar(state, actions))),
    h('div', { class: 'wrap', id: 'check-in-list' },
      h('ol', { class: 'guests check-in', id: 'guests', onmousedown: stay },
        some.map(([index, row]) => entry(index, row, state.here.has(row.id), present.has(row.id), actions, added.get(row.id))),
        !blank(search) && h('li', { id: 'add' },
          button([icon('plus'), t('guests.add', { name: search.trim() })], actions.add, rows.length ? 'plain' : 'primary large'))),
      moreButton(rows.length - some.length, actions.more),
      some.some(([, { of }]) => of > 1) && h('p', { class: 'hint' }, t('guests.sameName')),
      h('div', { class: 'news', 'aria-live': 'polite' }, ...news(state, actions))),
  ];
}

/** @param {State} state @param {Actions} actions */
function bar({ event, door, names, here, last, search }, actions) {
  const present = idsOf(names);
  const left = [...present].filter((id) => !here.has(id)).length;
  const added = walkIns(event.eventToken).filter(({ id, item }) => here.has(id) && !present.has(id) && !item?.refused);
  const found = () => t('guests.found', { n: door.filter(matching(search)).length, all: door.length });
  return [
    h('h1', { id: 'here', tabindex: -1 }, t('guests.here', { n: names.length - left + added.length }), h('span', {}, ` · ${t('guests.toCome', { n: left })}`)),
    button(t('guests.done'), actions.toggle, 'plain', { id: 'done' }),
    h('progress', { max: names.length + added.length || 1, value: names.length - left + added.length, 'aria-hidden': 'true' }),
    h('div', { class: 'field', role: 'search' }, ...searchField(search, actions.search, t('guests.findOrAdd'))),
    h('p', { id: 'last', onmousedown: stay },
      h('span', { role: 'status' }, search ? found() : last && t('guests.isHere', { name: last.name })),
      !search && last && button(t('yours.undo'), actions.undo, 'plain', { id: 'undo' })),
  ];
}

/** @param {number} index @param {Row} row @param {boolean} here @param {boolean} present @param {Actions} actions @param {WalkIn} [added] */
const entry = (index, row, here, present, actions, added) => h('li', { id: `guest-${index}`, class: !present && !added && 'gone' }, h('label', {},
  user(row.name),
  row.of > 1 && h('span', { class: 'hint' }, ` ${t('guests.nth', { n: row.nth, all: row.of })}`),
  !present && !added && h('span', { class: 'hint' }, ` ${t('guests.gone')}`),
  added?.item && h('span', { class: 'hint' }, ` ${added.item.error && added.item.refused ? added.item.error.words : t('guests.notSent')}`),
  h('input', { type: 'checkbox', checked: here, onchange: (/** @type {any} */ { target }) => actions.tick(row, target.checked) })),
  added && button(t('yours.remove'), () => actions.remove(added), 'plain', { 'aria-label': t('yours.removeName', { name: row.name }) }));

const isKept = () => keeps('here') && keeps('door');

/** What has changed since the rows were made. It is below them, so that no row moves. @param {State} state @param {Actions} actions */
function news({ event, door, names, hint, asOf }, actions) {
  const present = idsOf(names);
  const rows = new Set([...door, ...walkIns(event.eventToken)].map(({ id }) => id));
  const arrived = [...present].filter((id) => !rows.has(id)).length;
  const gone = door.some(({ id }) => !present.has(id));
  return [
    (arrived > 0 || gone) && button(arrived ? t('guests.arrived', { n: arrived }) : t('guests.renew'), actions.renew, 'secondary', { id: 'renew' }),
    asOf && h('p', {}, asOfText(asOf), ' · ', asOf.error.words),
    hint && isKept() && h('p', {}, t('guests.ticks')),
    !isKept() && notice('bad', h('p', {}, t('guests.notKept'))),
  ];
}
