import { setter, type Drawing } from '../lib/drawing';
import { visit, type Page } from './page';
import { say, byId, focusOn, keptRows } from '../lib/dom';
import { known } from '../model/events';
import { checkedIn, keepCheckInNames, tick as tickOff } from '../model/attendees';
import { walkInsHere } from '../model/guests';
import { isWalkIn } from '../model/items';
import { blank, limits, tooLong, wellFormed } from '../lib/text';
import { add, newKey, onOutbox, takeBack, sendEarly } from '../model/outbox';
import { isOpen, listing } from '../model/event';
import { addWithdrawal, endUndo, undo, undoTime } from '../model/undo';
import { byName, attendeesOf, matching, step, type Attendee } from '../components/guest-list';

/** A row of the check-in. Rows keep their places: if rows moved under a finger, the wrong guest would be ticked. */
export type Row = Omit<Attendee, 'index'> & { added?: boolean };
/** A guest whom this device has added. The guest has an RSVP once the service has responded to the item. */
type WalkIn = ReturnType<typeof walkIns>[number];
type Own = {
  /** the rows as the list was when they were made; null while the check-in is closed */
  guests: Row[] | null;
  search: string;
  /** how many rows are shown at most */
  shown: number;
  /** the ids of guests who had not arrived when the search changed; their rows come first */
  ahead: Set<string>;
  /** the latest tick and its time; the first act after the time for Undo clears it */
  last: { row: Row; isHere: boolean; at: number } | null;
  /** the effect of Enter on this search: a guest was ticked, all found guests had arrived, or nobody was found */
  enter: 'ticked' | 'all' | 'none' | null;
  /** whether to say where ticks are stored */
  hint: boolean;
};
export type CheckIn = ReturnType<typeof checkIn>;

const closed: Own = { guests: null, search: '', shown: step, ahead: new Set(), last: null, enter: null, hint: false };
const settling = 500; // milliseconds in which a second tap is meant for the page before the first tap

export function walkIns(eventToken: string) {
  return walkInsHere(eventToken)
    .filter(({ stands }) => stands !== 'withdrawing')
    .map((guest) => {
      const { name, nth = 1 } = guest;
      return { ...guest, id: `${nth} ${name}`, nth, of: nth };
    });
}

/** The rows that the search finds, each with its place, and the numbers of expected guests and of arrived guests. */
export function roll(eventToken: string, names: string[], guests: Row[], { search, ahead }: Own) {
  const here = checkedIn(eventToken);
  const added = new Map(walkIns(eventToken).map((guest) => [guest.id, guest]));
  const present = new Set(attendeesOf(names).map(({ id }) => id));
  for (const { stands, nth, name } of walkInsHere(eventToken))
    if (stands === 'leaving' || stands === 'withdrawing') present.delete(`${nth} ${name}`);

  const listed = new Set(guests.map(({ id }) => id));
  const all: Row[] = [...guests, ...[...added.values()].filter(({ id }) => !listed.has(id))];
  const isFound = matching(search);
  const found = [...all.entries()].filter(([, row]) => isFound(row));
  found.sort(([, a], [, b]) => Number(ahead.has(b.id)) - Number(ahead.has(a.id)));

  const isComing = ({ id }: Row) => present.has(id) || added.has(id);
  const coming = found.map(([, row]) => row).filter(isComing);
  const arrivals = [...added.values()].filter(({ id, stands }) => here.has(id) && stands !== 'refused');
  const expected = new Set([...present, ...arrivals.map(({ id }) => id)]);
  return {
    ...{ here, added, all, found, isComing },
    isAnyComing: coming.length > 0,
    /** the guest whom Enter ticks */
    next: coming.find(({ id }) => !here.has(id)),
    expected: expected.size,
    arrived: [...expected].filter((id) => here.has(id)).length,
    /** how many guests have signed up since the rows were made */
    signedUp: [...present].filter((id) => !listed.has(id) && !added.has(id)).length,
    isOutdated: guests.some(({ id }) => !present.has(id)),
  };
}

/** Recognizes a second tap that is meant for the page before the first tap. */
function taps() {
  /** the time of the latest tap, and the row that it changed; the row is "" after Add */
  let last = { at: -Infinity, id: '' };
  return {
    isSecond: ({ timeStamp: at }: Event, id: string) => {
      if (at - last.at < settling && ['', id].includes(last.id)) return true;
      last = { at, id };
      return false;
    },
    reset: () => void (last.at = -Infinity),
  };
}

/**
 * The check-in has its own history entry, which a reload keeps.
 * @param turn called when Back or Forward moves between this entry and the organizer's page's entry
 */
function historyEntry({ onTraverse }: Page, turn: () => unknown) {
  let isCurrent = false;
  let address = location.href; // the URL of both entries; adopting a link changes it before the check-in opens
  onTraverse(() => {
    const isOwn = location.href === address && Boolean(visit().checkIn) !== isCurrent;
    if (isOwn) turn();
    return isOwn;
  });
  return {
    isCurrent: () => (isCurrent = Boolean(visit().checkIn)),
    open: () => {
      history.pushState({ ...visit(), checkIn: true, scroll: 0 }, '');
      address = location.href;
      turn();
    },
  };
}

/** The error of a walk-in's name, or "". */
export const nameError = (search: string) => tooLong(search.trim(), limits.name);

/** The check-in is a state of the organizer's page, with its own history entry. @param look reads the names */
export function checkIn(
  page: Page,
  eventToken: string,
  drawing: Drawing<unknown>,
  current: () => string[] | null,
  look: () => unknown,
) {
  const { signal } = drawing;
  const own = { ...closed };
  const set = setter(own, drawing);
  const names = () => current() ?? [];
  let isHinted = false;
  const { isSecond, reset } = taps();
  const entry = historyEntry(page, turn);

  /** Keeps the names for a reload. */
  const keep = () => keepCheckInNames(eventToken, own.guests && names());

  /**
   * Opens or closes the check-in according to the history entry. The check-in opens only while the event accepts RSVPs.
   */
  function follow() {
    const event = known(eventToken)?.event;
    const guests = entry.isCurrent() && current() && event && isOpen(event) ? byName(attendeesOf(names())) : null;
    const drawn = Boolean(guests) === Boolean(own.guests) || set({ ...closed, guests });
    if (!guests) endUndo();
    keep();
    return drawn;
  }

  async function turn() {
    if (!(await follow())) return;
    scrollTo(0, own.guests ? 0 : (visit().scroll ?? 0));
    // On a laptop the search takes keys at once. On a phone the focus would open the keyboard over the list.
    const first = matchMedia('(pointer: coarse)').matches ? 'here' : 'search';
    focusOn(byId(own.guests ? first : 'check-in'));
  }

  // Do not end Undo when a change of language draws the page anew, because the check-in stays open.
  signal.addEventListener('abort', () => {
    if (!visit().checkIn) endUndo();
  });

  /** Makes the rows anew, or orders the rows for a search. */
  function order(guests: Row[] | null, search: string) {
    const here = checkedIn(eventToken);
    const left = [...(guests ?? []), ...walkIns(eventToken)].map(({ id }) => id).filter((id) => !here.has(id));
    return { guests, search, ahead: new Set(blank(search) ? [] : left) };
  }

  function tick(row: Row, isHere: boolean) {
    const hint = isHere && !isHinted && !checkedIn(eventToken).size;
    isHinted ||= hint;
    tickOff(eventToken, row.id, isHere);
    // Select the text, so that typing replaces it. Until then the rows keep their places.
    const field = document.activeElement;
    if (field instanceof HTMLInputElement && field.id === 'search') field.select();
    return set({ last: { row, isHere, at: Date.now() }, hint });
  }

  function withdraw(guest: WalkIn) {
    if (guest.stands === 'leaving') undo(guest.item.id);
    else if (guest.rsvp) addWithdrawal(guest.rsvp);
    else takeBack(guest.item);
    tickOff(eventToken, guest.id, false);
    return set({ last: null });
  }

  onOutbox((item, { answer, refusal }) => {
    if (item && (item.eventToken !== eventToken || !isWalkIn(item))) return;
    if (answer) void look();
    if (refusal) say(refusal.words);
    if (refusal && item?.kind === 'rsvp') {
      tickOff(eventToken, `${item.nth} ${item.name}`, false);
      own.last = null;
    }
    drawing.later();
  }, signal);

  return {
    own,
    row: keptRows(),
    follow,
    keep,
    search: (search: string) => {
      const last = own.last && Date.now() - own.last.at < undoTime ? own.last : null;
      reset();
      void set({ ...order(own.guests, search), shown: step, last, enter: null });
    },
    more: () => void set({ shown: own.shown + step }),
    /** Ticks a guest, or removes the tick. */
    tick: (row: Row, event: Event) => {
      if (isSecond(event, row.id)) event.preventDefault();
      else void tick(row, !checkedIn(eventToken).has(row.id));
    },
    /** Ticks the next guest, at most once for each search. */
    enter: (next: Row | undefined, isFound: boolean) => {
      if (own.enter || blank(own.search)) return;
      void set({ enter: next ? 'ticked' : isFound ? 'all' : 'none' });
      if (next) void tick(next, true);
    },
    /**
     * Moves the focus to Add if nobody is found, once Enter is released: an Enter pressed on Add would click the
     * button.
     */
    entered: () => {
      if (own.enter === 'none') focusOn(byId('add')?.querySelector('button'));
    },
    /** Withdraws a walk-in, or undoes the withdrawal within the time for Undo. */
    withdraw: (guest: WalkIn, event: Event) => void (isSecond(event, guest.id) || withdraw(guest)),
    add: (click: Event) => {
      const name = wellFormed(own.search.trim());
      const event = known(eventToken)?.event;
      if (!event || isSecond(click, '')) return;
      if (nameError(name)) {
        focusOn(byId('search'));
        return;
      }
      const same = [...attendeesOf(names()), ...walkIns(eventToken)].filter((guest) => guest.name === name);
      const nth = 1 + Math.max(0, ...same.map((guest) => guest.nth));
      add({ ...listing(event), id: newKey(), kind: 'rsvp', name, nth });
      void tick({ id: `${nth} ${name}`, name, nth, of: nth, added: true }, true);
    },
    undo: async () => {
      const { last } = own;
      if (!last) return;
      const { row, isHere } = last;
      const guest = isHere && row.added && walkIns(eventToken).find(({ id }) => id === row.id);
      const isStill = await (guest ? withdraw(guest) : tick(row, !isHere));
      if (guest && guest.rsvp) sendEarly(guest.rsvp.rsvpToken);
      if (isStill && document.activeElement !== byId('search'))
        focusOn(byId(`guest-${own.guests?.indexOf(row)}`)?.querySelector('input'));
    },
    open: entry.open,
    close: () => {
      void set(closed); // a second tap must not go back once more
      history.back();
    },
    renew: async () => {
      if (await set(order(byName(attendeesOf(names())), own.search))) focusOn(byId('here'));
    },
  };
}
