import { setter, visit, type Drawing, type Page } from '../lib/page';
import {
  nameError,
  rowsOf,
  walkIns,
  type DoorActions,
  type DoorFacts,
  type DoorOwn,
  type Row,
  type WalkIn,
} from '../components/check-in';
import { guestsOf, step } from '../components/guest-list';
import { announce, byId, focusOn } from '../lib/dom';
import { known } from '../lib/events';
import { checkedIn, keepDoorNames, tick as tickOff } from '../lib/guests';
import { t } from '../lib/i18n';
import { add, drop, newKey, onOutbox, retract, sendEarly } from '../lib/outbox';
import { blank } from '../lib/text';
import { endUndo, undoTime, withdraw } from '../lib/undo';
import { isOpen } from './organize-view';

const closed = { guests: null, search: '', ahead: null, shown: step, last: null, enter: null, hint: false };
/** For so many milliseconds, a second tap is meant for what was there before the first. */
const settling = 500;

/**
 * The check-in at the door: a history entry with the state of the organizer's page.
 * @param names those of now, or null before they are known
 * @param look reads the names
 */
export function door(
  { onTraverse }: Page,
  eventToken: string,
  drawing: Drawing<DoorFacts>,
  { names: current, look }: { names: () => string[] | null; look: () => unknown },
) {
  const { signal, shown } = drawing;
  const own: DoorOwn = { ...closed, rows: new Map() };
  const set = setter(own, drawing);
  const names = () => current() ?? [];
  let isHinted = false;
  /** the latest tap since the text changed: the row that it changed, or after an Add none */
  let tapped = { at: -Infinity, id: '' };

  /** whether the history entry is the door's */
  let isAt = false;
  let address = location.href; // of both entries: adopting a link changes it before

  /** Keeps the names for a reload while the door is open. */
  const keep = () => keepDoorNames(eventToken, own.guests && names());

  /** Opens or closes the door as the history entry says; a reload opens it only while the event accepts RSVPs. */
  function follow() {
    isAt = Boolean(visit().door);
    const event = known(eventToken)?.event;
    const isOpening = isAt && current() && event && isOpen({ event });
    const isDrawn = Boolean(isOpening) === Boolean(own.guests);
    const drawn = isDrawn || set(isOpening ? { ...closed, guests: rowsOf(names()) } : closed);
    if (!isOpening) endUndo();
    keep();
    return drawn;
  }

  async function turn() {
    if (!(await follow())) return;
    scrollTo(0, own.guests ? 0 : (visit().scroll ?? 0));
    focusOn(byId(own.guests ? 'here' : 'check-in'));
  }

  onTraverse(() => {
    const isOwn = location.href === address && Boolean(visit().door) !== isAt;
    if (isOwn) void turn();
    return isOwn;
  });

  // A change of language also draws the page anew, but does not leave the door.
  signal.addEventListener('abort', () => {
    if (!visit().door) endUndo();
  });

  /** Makes the rows anew, or orders them for a search. */
  function order(guests: Row[] | null, search: string) {
    const here = checkedIn(eventToken);
    const left = [...(guests ?? []), ...walkIns(eventToken)].flatMap(({ id }) => (here.has(id) ? [] : id));
    return { guests, search, ahead: blank(search) ? null : new Set(left) };
  }

  function isSecond({ timeStamp: at }: Event, id: string) {
    if (at - tapped.at < settling && ['', id].includes(tapped.id)) return true;
    tapped = { at, id };
    return false;
  }

  function tick(row: Row, isHere: boolean) {
    const hint = isHere && !isHinted && !checkedIn(eventToken).size;
    isHinted ||= hint;
    tickOff(eventToken, row.id, isHere);
    // What is typed next replaces the text. Until then, the rows keep their places.
    const field = document.activeElement;
    if (field instanceof HTMLInputElement && field.id === 'search') field.select();
    return set({ last: { row, isHere, at: Date.now() }, hint });
  }

  function remove({ id, rsvp, item }: WalkIn) {
    if (rsvp && item?.early) drop(item.id);
    else if (rsvp) withdraw(rsvp);
    else if (item) retract(item);
    tickOff(eventToken, id, false);
    return set({ last: null });
  }

  onOutbox((item, { answer, refusal }) => {
    if (item && (item.eventToken !== eventToken || !item.door)) return;
    if (answer) void look();
    if (refusal) announce(refusal.words);
    const isRefused = refusal && item?.kind === 'rsvp';
    if (isRefused) tickOff(eventToken, `${item.door} ${item.name}`, false);
    void set(isRefused ? { last: null } : {});
  }, signal);

  const actions: DoorActions = {
    search(search) {
      const last = own.last && Date.now() - own.last.at < undoTime ? own.last : null;
      tapped.at = -Infinity;
      void set({ ...order(own.guests, search), shown: step, last, enter: null });
    },
    more: () => void set({ shown: own.shown + step }),
    tick(row, event) {
      if (isSecond(event, row.id)) event.preventDefault();
      else void tick(row, !checkedIn(eventToken).has(row.id));
    },
    enter(next, isFound, { type, key, isComposing, repeat }) {
      if (key !== 'Enter' || isComposing || repeat || blank(own.search)) return;
      if (type === 'keyup') {
        // Not before: on Add, the same Enter would press it.
        if (own.enter === 'none') focusOn(byId('add').querySelector('button'));
      } else if (!own.enter) {
        void set({ enter: next ? 'ticked' : isFound ? 'all' : 'none' });
        if (next) void tick(next, true);
      }
    },
    remove: (guest, event) => void (isSecond(event, guest.id) || remove(guest)),
    add(click) {
      const name = own.search.trim();
      const event = shown()?.event;
      if (!event || isSecond(click, '')) return;
      if (nameError(name)) {
        focusOn(byId('search'));
        return;
      }
      const same = [...guestsOf(names()), ...walkIns(eventToken)].filter((guest) => guest.name === name);
      const nth = 1 + Math.max(0, ...same.map((guest) => guest.nth));
      const { title, dateTime, timezone } = event;
      add({ id: newKey(), kind: 'rsvp', eventToken, title, dateTime, timezone, name, door: nth });
      void tick({ id: `${nth} ${name}`, name, nth, of: nth, added: true }, true);
    },
    async undo() {
      const { last } = own;
      if (!last) return;
      const { row, isHere } = last;
      const guest = isHere && row.added && walkIns(eventToken).find(({ id }) => id === row.id);
      const isStill = await (guest ? remove(guest) : tick(row, !isHere));
      if (guest && guest.rsvp) sendEarly(guest.rsvp.rsvpToken);
      if (isStill && document.activeElement !== byId('search'))
        focusOn(byId(`guest-${own.guests?.indexOf(row)}`)?.querySelector('input'));
    },
    open() {
      history.pushState({ ...visit(), door: true, scroll: 0 }, '');
      address = location.href;
      void turn();
    },
    close() {
      void set(closed); // a second tap must not go back once more
      history.back();
    },
    async renew() {
      announce(t('guests.upToDate', { n: names().length }));
      if (await set(order(rowsOf(names()), own.search))) focusOn(byId('here'));
    },
  };
  return { own, actions, follow, keep };
}
