import type { Page } from '../app';
import { askToCancel } from '../components/cancel-event';
import { rowsOf, walkIns, type Row, type WalkIn } from '../components/check-in';
import { folded, guestsOf, step } from '../components/guest-list';
import { loading } from '../components/notice';
import { onReturn } from '../lib/browser';
import { announce, byId, focusOn } from '../lib/dom';
import { ask, isGone, keep, known, mustWait, takeHTML } from '../lib/events';
import { paint } from '../lib/head';
import { checkedIn, sawGuests, tick as tickOff } from '../lib/guest-data';
import { t } from '../lib/i18n';
import { reasonDraft, type Item } from '../lib/handlers';
import { add, drop, items, newKey, onOutbox, retract, type News } from '../lib/outbox';
import { isUUID } from '../lib/guards';
import { copied, saveAccepted, savedEvent } from '../lib/saved';
import { onOtherTabs } from '../lib/storage';
import { blank } from '../lib/text';
import { eventURL, organizerPath } from '../lib/urls';
import { attendance, wrongSecret } from './attendance';
import { followEvent, refused, unreachable } from './errors';
import { underWay, view, type OrganizeActions, type OrganizeState } from './organize-view';

const interval = 20_000;

/** Changes the state, and draws it. */
export type Set = (change: Partial<OrganizeState>) => void;

/** The controls of the list. They send no requests. */
const listActions = (state: OrganizeState, set: Set) => ({
  search: (search: string) => set({ search, shown: Math.min(state.shown, step) }),
  sort: (sort: 'arrival' | 'name') => set({ sort }),
  more: () => set({ shown: state.shown === folded && !state.door ? step : Math.max(state.shown, step) + step }),
});

/** The check-in at the door. */
function doorActions(state: OrganizeState, signal: AbortSignal, set: Set, look: () => unknown) {
  let hinted = false;

  function tick(row: Row, is: boolean) {
    const { here } = state;
    set({
      here: tickOff(state.event, row.id, is),
      last: is ? row : null,
      hint: is && !here.size && !hinted,
      search: '',
    });
    hinted ||= state.hint;
  }
  function send({ name, nth }: Pick<WalkIn, 'name' | 'nth'>, item: { id: string; kind: 'rsvp' | 'withdraw' }) {
    const { eventToken, title, dateTime, timezone } = state.event;
    add({ eventToken, title, dateTime, timezone, name, door: nth, ...item });
  }

  function remove(guest: WalkIn) {
    if (guest.rsvpToken) send(guest, { id: guest.rsvpToken, kind: 'withdraw' });
    else if (guest.item) retract(guest.item);
    tick(guest, false);
  }

  onOutbox((item, { answer, refusal }) => {
    if (!state.event || (item && (item.eventToken !== state.event.eventToken || !item.door))) return;
    if (answer) void look();
    if (refusal) announce(refusal.words);
    set(
      refusal && item?.kind === 'rsvp'
        ? { here: tickOff(state.event, `${item.door} ${item.name}`, false), last: null }
        : {},
    );
  }, signal);

  return {
    tick,
    remove,
    add() {
      const {
        event: { eventToken },
        names,
        search,
      } = state;
      const name = search.trim();
      const nth =
        1 +
        Math.max(
          0,
          ...[...guestsOf(names), ...walkIns(eventToken)].map((guest) => (guest.name === name ? guest.nth : 0)),
        );
      const id = newKey();
      send({ name, nth }, { id, kind: 'rsvp' });
      tick({ id: `${nth} ${name}`, name, nth, of: nth, added: true }, true);
    },
    undo() {
      const { last, door } = state;
      const guest = last?.added && walkIns(state.event.eventToken).find(({ id }) => id === last.id);
      if (guest) remove(guest);
      else if (last) tick(last, false);
      if (last && document.activeElement !== byId('search'))
        focusOn(byId(`guest-${door?.indexOf(last)}`)?.querySelector('input'));
    },
    toggle() {
      set({ door: state.door ? null : rowsOf(state.names), search: '', last: null, hint: false });
      scrollTo(0, 0);
      focusOn(byId(state.door ? 'here' : 'check-in'));
    },
    renew() {
      set({ door: rowsOf(state.names) });
      focusOn(byId('here'));
      announce(t('guests.upToDate', { n: state.names.length }));
    },
  };
}

/**
 * Saves the event of a link once the service has accepted its secret. A stored secret is removed from the address,
 * which otherwise may be its only copy; the state of this history entry outlives the stored list.
 */
function adopt({ event, organizerToken, names }: OrganizeState) {
  const { eventToken, title, dateTime, timezone } = event;
  if (!saveAccepted({ eventToken, organizerToken, title, dateTime, timezone, copied: true })) return;
  keep(eventToken);
  sawGuests(event, names.length);
  history.replaceState({ ...history.state, organizer: organizerToken }, '', organizerPath(eventToken));
}

function showRefusal(state: OrganizeState) {
  const item = items(state.event.eventToken).find(({ kind, refused: is }) => kind === 'cancel' && is);
  if (!item) return;
  state.problems = state.event.cancelled ? [] : [item.error?.words ?? '', t('cancel.notDone')];
  drop(item.id);
}

/** Cancels the event. The outbox sends that, and a move. */
function endActions(state: OrganizeState, signal: AbortSignal, set: Set) {
  async function follow(item: Item | null, { answer }: News) {
    if (
      !state.event ||
      (item && (item.eventToken !== state.event.eventToken || !['cancel', 'change'].includes(item.kind)))
    )
      return;
    const was = !answer && state.event.cancelled;
    if (!answer && !underWay(state)) await ask(state.event.eventToken, 0);
    if (signal.aborted) return;
    showRefusal(state);
    set({});
    if (state.event.cancelled && !was) {
      focusOn(document.querySelector('#state h2, #tell h2'));
      announce(state.event.to ? t('change.done') : t('cancel.done'));
    } else if (state.problems.length) {
      focusOn(byId('guest-section'));
    }
  }
  onOutbox(follow, signal);

  return {
    async cancel() {
      set({ problems: [] });
      const {
        organizerToken,
        event: { eventToken, title, dateTime, timezone },
      } = state;
      const why = await askToCancel(state.event, reasonDraft(eventToken));
      if (why === null || underWay(state)) return;
      add({
        id: newKey(),
        kind: 'cancel',
        eventToken,
        title,
        dateTime,
        timezone,
        organizerToken,
        reason: blank(why) ? '' : why,
      });
    },
    told() {
      if (state.changed) drop(state.changed.eventToken);
      set({});
      focusOn(byId('tell-title'));
    },
  };
}

/** The page of an event, for its organizer. */
export async function organizePage(page: Page, eventToken: string, organizerToken: string) {
  const { head, show, signal, opened } = page;
  const entry = savedEvent(eventToken);
  const ours = entry?.organizerToken === organizerToken;
  const state: OrganizeState = {
    event: null as any,
    organizerToken,
    created: Boolean(history.state?.created),
    changed: history.state?.changed ?? null,
    backup: page.fragment.has('organizer') || (ours && entry.copied) ? 'yes' : 'no',
    waiting: false,
    complete: false,
    names: [],
    fresh: 0,
    search: '',
    sort: 'arrival',
    shown: folded,
    rows: new Map(),
    door: null,
    here: checkedIn(eventToken),
    last: null,
    hint: false,
    loaded: null,
    problems: [],
    asOf: null,
  };
  let wrong = false;

  function draw() {
    const isRead = state.complete || state.loaded !== null;
    // Until the names have been read, the details count as old.
    const newest = known(eventToken, state.complete ? opened : Infinity);
    if (signal.aborted || wrong || !newest) return;
    const asOf = state.loaded === null ? newest.asOf : null;
    // Before the service accepts the secret, only the saved one opens the copy.
    if (!isRead && !ours && (asOf || !state.waiting)) return;
    if (!isRead && asOf) Object.assign(state, { names: [], waiting: false });
    if (asOf && !state.asOf) announce(asOf.error.words);
    Object.assign(state, { event: newest.event, asOf });
    paint(state.event.title);
    show(...view(state, actions));
  }

  const set: Set = (change) => {
    Object.assign(state, change);
    draw();
  };
  const read = attendance(state, eventToken, draw);

  // Shows known details at once, with placeholders for the names.
  async function load() {
    const newest = isUUID(organizerToken) && (takeHTML(eventToken) || ours) && known(eventToken);
    if (newest) {
      Object.assign(state, { waiting: true, names: Array(Math.min(newest.event.attendeeCount, step)).fill('\u00a0') });
      draw();
    } else {
      head({ title: t('event.loading'), canonical: eventURL(eventToken) });
      show(loading());
    }
    const error = await look();
    if (error && !ours && !wrong && !isGone(eventToken)) unreachable(page, error, load);
  }

  /** Reads and shows the event and its guests. Resolves to the error, if any. */
  async function look() {
    const first = !state.complete;
    const error = await read();
    if (signal.aborted) return null;
    wrong = error?.code === wrongSecret;
    if (wrong) refused(page, eventToken, organizerToken);
    if (error) return error;
    if (first) {
      head({ title: t('organize.head', { title: state.event.title }), canonical: eventURL(eventToken) });
      if (page.fragment.has('organizer')) adopt(state);
      showRefusal(state);
    }
    draw();
    return null;
  }

  // In the background; after a failure, the next interval tries again.
  function poll() {
    if (!document.hidden && !wrong && !mustWait(eventToken) && (state.complete || state.asOf)) void look();
  }

  const actions: OrganizeActions = {
    ...listActions(state, set),
    ...doorActions(state, signal, set, look),
    ...endActions(state, signal, set),
    async again() {
      await look();
      if (state.asOf) announce(state.asOf.error.words);
    },
    copied() {
      copied(eventToken);
      set({ backup: 'now' });
    },
  };

  followEvent(page, eventToken, draw);
  const timer = setInterval(poll, interval);
  signal.addEventListener('abort', () => clearInterval(timer));
  onReturn(poll, signal);
  // Paper cannot unfold the list.
  addEventListener(
    'beforeprint',
    () => {
      const { shown } = state;
      set({ shown: Infinity });
      addEventListener('afterprint', () => set({ shown }), { signal, once: true });
    },
    { signal },
  );
  onOtherTabs(`here.${eventToken}`, () => set({ here: checkedIn(eventToken) }), signal);
  await load();
}
