// @ts-check
import '../app.js'; // it is there already, so the bundle shares its code
import { asOfNotice } from '../components/as-of.js';
import { button, copyButton } from '../components/buttons.js';
import { askToCancel } from '../components/cancel-event.js';
import { checkIn, hereText, idsOf, rowsOf } from '../components/check-in.js';
import { problems } from '../components/field.js';
import { arrivals, folded, guestList, step } from '../components/guest-list.js';
import { icon } from '../components/icon.js';
import { notice } from '../components/notice.js';
import { loading } from '../components/plain-page.js';
import { closed, poster, reason, turnout } from '../components/poster.js';
import { printCheckIn } from '../components/print.js';
import { keepElsewhere, privateLink, waysToKeep } from '../components/private-link.js';
import { sharePanel } from '../components/share-panel.js';
import { tally } from '../components/tally.js';
import { tellGuests } from '../components/tell-guests.js';
import { wordsOf } from '../components/unsent.js';
import { APIError, eventOrCopy, getEvent, listAttendees } from '../lib/api.js';
import { takeArrived } from '../lib/arrived.js';
import { download, onReturn } from '../lib/browser.js';
import { csv } from '../lib/csv.js';
import { announce, byId, focusOn, h, patch } from '../lib/dom.js';
import { paint } from '../lib/head.js';
import { t } from '../lib/i18n.js';
import { copied, expires, keepCopy, wasCopied } from '../lib/kept.js';
import { movedReason, reasonDraft } from '../lib/kinds.js';
import { blank } from '../lib/limits.js';
import { add, drop, items, onOutbox, sendNow } from '../lib/outbox.js';
import { newKey } from '../lib/key.js';
import { isUUID, outlives, saveAccepted, savedEvent } from '../lib/saved.js';
import { singleFlight } from '../lib/single-flight.js';
import { keeps, onOtherTab, recall, rememberIn } from '../lib/storage.js';
import { fileName } from '../lib/text.js';
import { atTheDoor, phase } from '../lib/time.js';
import { changePath, eventPath, eventURL, organizerPath } from '../lib/urls.js';
import { refused, unknownEvent, unreachable } from './errors.js';

/** @typedef {import('../lib/api.js').EventDetails} EventDetails */
/**
 * @typedef {import('../components/guest-list.js').State & {
 *   event: EventDetails, organizerToken: string, created: boolean, changed: import('../components/tell-guests.js').Cancelled | null,
 *   elsewhere: 'no' | 'now' | 'yes', waiting: boolean, loaded: number | null,
 *   door: import('../components/check-in.js').Row[] | null, here: Set<string>, problems: string[],
 *   asOf: import('../lib/api.js').AsOf | null,
 * }} State
 * Changed is the event in whose place this one was just created; elsewhere says whether the private link was kept
 * elsewhere, before or now.
 * While it is waiting for the names, others stand for them; loaded is the number of names
 * while a long list is loading; door has the rows of the check-in while it is on.
 */
/**
 * @typedef {import('../components/guest-list.js').Actions & import('../components/check-in.js').Actions
 *   & Record<'refresh' | 'again' | 'toggle' | 'cancel' | 'keep' | 'copied' | 'told', () => void> & { change: (event: Event) => void }} Actions
 */

const wrongSecret = 'invalid-organizer-token';
const interval = 20_000;

/** @param {State} state */
const isOpen = ({ event }) => !['cancelled', 'closed'].includes(phase(event));

/** Whether there is something to tell guests yet. @param {EventDetails} event */
const isComing = (event) => ['coming', 'started'].includes(phase({ ...event, cancelled: false }));

/**
 * @param {State} state
 * @param {Actions} actions
 */
function view(state, actions) {
  const { event, created, changed } = state;
  return [
    poster(event, { kicker: created ? t('organize.created') : t('organize.kicker'), marks: null, compact: true }),
    h('div', { class: 'wrap dashboard', id: 'dashboard' },
      asOfNotice(state.asOf, actions.again),
      event.cancelled ? reason(event) : !isOpen(state) && closed(event),
      event.cancelled && isComing(event) && tellGuests(event),
      unanswered(state),
      changed && isOpen(state) && tellGuests(changed, halfDone(changed, actions)),
      created && !changed && isOpen(state) && h('section', { class: 'card', 'aria-labelledby': 'created-title' },
        h('h2', { id: 'created-title' }, t('links.created')), sharePanel(event)),
      guests(state, actions),
      h('aside', { class: 'folds' }, ...folds(state, actions))),
  ];
}

/** What is not yet done to this event: it is being cancelled, or another takes its place. @param {State} state */
const underWay = ({ event }) => items(event.eventToken).find((item) => ['cancel', 'change'].includes(item.kind) && !item.refused);

/** @param {State} state */
function unanswered(state) {
  const item = underWay(state);
  return item?.error && !state.event.cancelled && h('div', { class: 'notice', id: 'waiting' }, h('p', {}, item.error.words),
    h('p', {}, wordsOf[item.kind].waiting(item)),
    button(t('waiting.now'), sendNow));
}

/**
 * Why the page of the event that was changed does not lead here.
 * @param {import('../components/tell-guests.js').Cancelled} changed
 * @param {Actions} actions
 */
function halfDone({ eventToken }, actions) {
  const item = items(eventToken).find(({ kind, refused: is }) => kind === 'change' && is);
  return item && notice('bad', h('p', {}, item.error?.words), button(t('guests.done'), actions.told));
}

/** @param {State} state @param {Actions} actions */
function guests(state, actions) {
  const { event, names, fresh, loaded, created, changed, door, waiting } = state;
  return h('section', { class: 'guest-section', id: 'guest-section', 'aria-labelledby': 'guests-title', 'aria-busy': waiting && 'true', inert: waiting },
    h('div', { class: 'row spread' },
      h('h2', { id: 'guests-title', class: 'turnout' }, turnout(event), fresh > 0 && h('span', { class: 'badge' }, t('guests.fresh', { n: fresh }))),
      h('div', { class: 'row' },
        names.length > 0 && !door && atTheDoor(event) && checkInButton(actions, 'secondary'),
        !state.asOf && button(t('guests.refresh'), actions.refresh, 'plain', { id: 'refresh' }))),
    !door && tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, fresh }),
    !door && isOpen(state) && (!created || changed) && h('details', { class: 'fold share-fold', id: 'share' },
      h('summary', { class: 'primary' }, icon('share'), t('share.open')), sharePanel(event, { code: !state.asOf })),
    loaded !== null && h('p', { class: 'hint', role: 'status' }, t('guests.loading', { n: loaded, all: event.attendeeCount })),
    problems(state.problems),
    !names.length && loaded === null && (state.asOf || isOpen(state)) && h('p', { class: 'hint' }, state.asOf ? t('kept.names') : t('guests.noneText')),
    ...(door ? checkIn({ ...state, door }, actions) : guestList(state, actions)),
    names.length > 0 && !door && exports(event, names, actions));
}

/** @param {Actions} actions @param {import('../components/buttons.js').Level} level */
const checkInButton = (actions, level) => button(t('guests.checkIn'), actions.toggle, level, { id: 'check-in' });

/** @param {EventDetails} event @param {string[]} names @param {Actions} actions */
const exports = (event, names, actions) => h('div', { class: 'row' },
  button([icon('download'), t('guests.csv')], () => download(fileName(event.title, '.csv'), 'text/csv;charset=utf-8',
    csv([[t('guests.column')], ...names.map((name) => [name])])), 'plain'),
  copyButton(t('guests.copy'), () => names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'), 'plain'),
  button(t('guests.print'), () => printCheckIn(event, names), 'plain'),
  !atTheDoor(event) && checkInButton(actions, 'plain'));

/** @param {State} state @param {Actions} actions */
function folds(state, actions) {
  const { event, organizerToken, elsewhere } = state;
  const link = { event, organizerToken, copied: actions.copied };
  const asks = elsewhere !== 'yes' && isOpen(state) && !state.door; // at the door there are other things to do
  const known = savedEvent(event.eventToken);
  const open = isOpen(state) && !underWay(state);
  return [
    asks && keepElsewhere(link, elsewhere === 'now'),
    h('details', { class: 'fold', id: 'private' }, h('summary', {}, icon('key'), t('private.title')),
      privateLink(link), !asks && waysToKeep(link),
      !(known && outlives()) && button(t('links.keep'), actions.keep, 'secondary', { id: 'keep' }),
      h('div', { 'aria-live': 'polite' }, known && (outlives()
        ? h('p', { class: 'hint' }, t('links.kept')) : !asks && h('p', { class: 'notice bad' }, t('mine.notKept'))))),
    h('p', { class: 'row' }, h('a', { href: eventPath(event.eventToken) }, t('organize.public')),
      open && h('a', { href: changePath(event.eventToken), onclick: known ? undefined : actions.change }, t('change.open')),
      h('a', { href: `/?again=${event.eventToken}` }, t('organize.again'))),
    open && h('details', { class: 'fold', id: 'cancel' }, h('summary', {}, t('cancel.title')),
      h('p', { class: 'hint' }, t('cancel.text')),
      button(t('cancel.open'), actions.cancel, 'secondary danger')),
  ];
}

/**
 * The controls of the list, which ask nobody.
 * @param {State} state @param {() => void} draw
 */
const listActions = (state, draw) => ({
  /** @param {string} search */
  search(search) {
    state.search = search;
    draw();
  },
  /** @param {'arrival' | 'name'} sort */
  sort(sort) {
    state.sort = sort;
    draw();
  },
  more() {
    state.shown = (state.shown === folded ? 0 : state.shown) + step;
    draw();
  },
});

/**
 * The check-in at the door.
 * @param {State} state @param {() => void} draw
 */
function doorActions(state, draw) {
  /** @param {Set<string>} here */
  const keepHere = (here) => {
    state.here = here;
    rememberIn('here', state.event.eventToken, here.size > 0 && [...here]);
    expires(state.event);
  };
  const renew = () => {
    state.door = rowsOf(state.names);
    const present = idsOf(state.names);
    const here = [...state.here].filter((id) => present.has(id));
    if (here.length < state.here.size) keepHere(new Set(here));
  };
  return {
    toggle() {
      if (state.door) state.door = null;
      else renew();
      state.search = '';
      draw();
      focusOn(byId(state.door ? 'guests-title' : 'check-in'));
    },
    renew() {
      renew();
      draw();
      focusOn(byId('guests-title'));
      announce(t('guests.upToDate', { n: state.names.length }));
    },
    /** @param {string} id @param {boolean} is */
    tick(id, is) {
      const kept = keeps('here');
      const here = new Set(state.here);
      here[is ? 'add' : 'delete'](id);
      keepHere(here);
      // The box shows it already: hundreds of rows stay as they are.
      if (kept === keeps('here')) patch(byId('here'), [hereText(state.names, here)]);
      else draw();
    },
  };
}

/** @param {string} eventToken @returns {Set<string>} */
const storedHere = (eventToken) => new Set(recall('here')?.[eventToken] ?? []);

/**
 * The page of an event, for its organizer.
 * @param {import('../app.js').Page} page
 * @param {string} eventToken
 * @param {string} organizerToken
 */
export async function organizePage(page, eventToken, organizerToken) {
  const { head, show, signal } = page;
  /** @type {State} */
  const state = {
    event: /** @type {any} */ (null), organizerToken, created: Boolean(history.state?.created), changed: history.state?.changed ?? null,
    elsewhere: wasCopied(eventToken) ? 'yes' : 'no', waiting: false, names: [], fresh: 0,
    search: '', sort: 'arrival', shown: folded, door: null, here: storedHere(eventToken), loaded: null, problems: [], asOf: null,
  };

  function draw() {
    if (signal.aborted || !state.event) return;
    paint(state.event.title);
    show(...view(state, actions));
  }

  /** @type {EventDetails | undefined} */
  let details;
  let complete = false;

  /** @type {string[]} */
  let part = [];

  // A long list comes in pages, which are shown as they arrive the first time. The
  // event may arrive before the first page or after it.
  function showPart() {
    if (!details || !part.length || part.length >= details.attendeeCount) return;
    state.loaded = part.length;
    if (!complete) Object.assign(state, { event: details, names: [...part], waiting: false });
    draw();
  }

  const fetchNames = () => listAttendees(eventToken, organizerToken, (names) => {
    part = names;
    showPart();
  }).finally(() => {
    part = [];
    state.loaded = null;
  });

  async function fetchBoth() {
    if (!isUUID(eventToken)) throw new APIError('missing');
    // If both fail, that there is no such event is what is shown.
    const [, names] = await Promise.all([
      (complete ? getEvent(eventToken) : known()).then((answer) => {
        details = answer;
        showPart();
      }),
      isUUID(organizerToken) ? fetchNames().catch((error) => error) : new APIError('answer', { code: wrongSecret }),
    ]);
    if (names instanceof Error) throw names;
    take(names);
  }

  // Where the service does not answer, the page shows what this device knows, without names. To
  // others than the organizer of its list, it shows nothing.
  async function known() {
    const { event, asOf } = await eventOrCopy(eventToken);
    const ours = savedEvent(eventToken)?.organizerToken === organizerToken;
    if (asOf && !ours) throw asOf.error;
    if (asOf && !state.asOf) announce(asOf.error.words);
    state.asOf = asOf;
    if (asOf) {
      Object.assign(state, { event, names: [], waiting: false });
      drawWithHead();
    }
    return event;
  }

  function drawWithHead() {
    if (signal.aborted) return;
    head({ title: t('organize.head', { title: state.event.title }), canonical: eventURL(eventToken) });
    draw();
  }

  /** @param {string[]} names */
  function take(names) {
    const seen = recall('seen')?.[eventToken] ?? 0;
    const since = complete ? arrivals(state.names, names) : seen && Math.max(0, names.length - seen);
    complete = true;
    // New names stay marked until the page is reloaded.
    state.fresh = Math.min(names.length, state.fresh + since);
    Object.assign(state, { names, waiting: false, event: { .../** @type {EventDetails} */ (details), attendeeCount: names.length } });
    rememberIn('seen', eventToken, names.length);
    expires(state.event);
  }

  // The page takes its shape from the event in the HTML: only the names are missing.
  function showArrived() {
    const arrived = isUUID(organizerToken) && takeArrived(eventToken);
    if (arrived) {
      Object.assign(state, { event: arrived, waiting: true, names: Array(Math.min(arrived.attendeeCount, step)).fill('\u00a0') });
      draw();
    } else {
      head({ title: t('event.loading'), canonical: eventURL(eventToken) });
      show(loading());
    }
  }

  async function load() {
    showArrived();
    await fetchAll();
  }

  /** @returns {Promise<unknown>} */
  async function fetchAll() {
    try {
      await fetchBoth();
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof APIError)) throw error;
      if (error.kind === 'missing') return unknownEvent(page, eventToken);
      if (error.code === wrongSecret) return refused(page, eventToken, organizerToken);
      return state.asOf ? undefined : unreachable(page, error, load);
    }
    if (signal.aborted) return undefined;
    if (page.fragment.has('organizer')) adopt();
    showRefusal();
    return drawWithHead();
  }

  // The service has accepted the secret. It leaves the address where this device keeps it: the
  // address may be the only copy. The state of this entry of the history has it even if it is deleted.
  function adopt() {
    const { title, dateTime, timezone } = state.event;
    if (!saveAccepted({ eventToken, organizerToken, title, dateTime, timezone })) return;
    keepCopy(state.event);
    history.replaceState({ ...history.state, organizer: organizerToken }, '', organizerPath(eventToken));
  }

  // In the background; after a failure the next interval tries again.
  const look = singleFlight(async () => {
    if (document.hidden || signal.aborted) return;
    if (!complete) {
      if (state.asOf) await fetchAll();
      return;
    }
    try {
      details = await getEvent(eventToken);
      state.asOf = null;
      if (!state.door && details.attendeeCount === state.names.length) state.event = details;
      else take(await fetchNames());
      draw();
    } catch {
      draw();
    }
  });

  /** @type {Actions} */
  const actions = {
    ...listActions(state, draw),
    ...doorActions(state, draw),
    refresh: singleFlight(async () => {
      try {
        await fetchBoth();
        state.problems = [];
        announce(t('guests.upToDate', { n: state.names.length }));
      } catch (error) {
        if (!(error instanceof APIError)) throw error;
        state.problems = [error.words];
      }
      draw();
    }),
    async again() {
      await fetchAll();
      if (state.asOf) announce(state.asOf.error.words);
    },
    keep() {
      adopt();
      draw();
    },
    copied() {
      copied(state.event);
      state.elsewhere = 'now';
      draw();
    },
    cancel: singleFlight(async () => {
      state.problems = [];
      draw();
      const why = await askToCancel(state.event, reasonDraft(eventToken));
      if (why === null || underWay(state)) return;
      const { title, dateTime, timezone } = state.event;
      add({ id: newKey(), kind: 'cancel', eventToken, title, dateTime, timezone, organizerToken, reason: blank(why) ? '' : why });
    }),
    // A device that does not keep the secret takes it along.
    change(event) {
      event.preventDefault();
      page.go(changePath(eventToken), { organizer: organizerToken });
    },
    told() {
      if (state.changed) drop(state.changed.eventToken);
      draw();
      focusOn(byId('tell-title'));
    },
  };

  function showRefusal() {
    const item = items(eventToken).find(({ kind, refused: is }) => kind === 'cancel' && is);
    if (!item) return;
    state.problems = state.event.cancelled ? [] : [item.error?.words ?? '', t('cancel.notDone')];
    drop(item.id);
  }

  /**
   * What comes of a cancel, or of a change.
   * @param {any} item @param {import('../lib/outbox.js').News} news
   */
  async function follow(item, { answer }) {
    if (!state.event || (item && (item.eventToken !== eventToken || !['cancel', 'change'].includes(item.kind)))) return;
    const was = state.event.cancelled;
    if (answer) state.event = { ...state.event, cancelled: true, cancellationReason: item.news === undefined ? item.reason || null : movedReason(item, answer) };
    else if (!underWay(state)) await getEvent(eventToken).then((event) => { state.event = event; }, () => {});
    if (signal.aborted) return;
    showRefusal();
    draw();
    if (state.event.cancelled && !was) {
      focusOn(document.querySelector('#state h2'));
      announce(t('cancel.done'));
    } else if (state.problems.length) {
      focusOn(byId('guest-section'));
    }
  }

  const timer = setInterval(look, interval);
  signal.addEventListener('abort', () => clearInterval(timer));
  onReturn(look, signal);
  onOutbox(follow, signal);
  addEventListener('online', look, { signal });
  onOtherTab('here', () => {
    state.here = storedHere(eventToken);
    draw();
  }, signal);
  await load();
}
