import type { Page } from '../app';
import type { APIError } from '../lib/api';
import { question } from '../components/moved';
import { loading } from '../components/notice';
import { onReturn } from '../lib/browser';
import { serviceTime } from '../lib/clock';
import { announce, byId } from '../lib/dom';
import { ask, isGone, keep, known, mustWait, takeHTML, targetOf } from '../lib/events';
import { paint } from '../lib/head';
import { t } from '../lib/i18n';
import { remembered } from '../lib/handlers';
import { items } from '../lib/outbox';
import { isUUID } from '../lib/guards';
import { outlives, save, savedRSVPs } from '../lib/saved';
import { blank } from '../lib/text';
import { phase } from '../lib/time';
import { eventPath, eventURL, tokenIn } from '../lib/urls';
import { followEvent, unknownEvent, unreachable } from './errors';
import { view, type EventState } from './event-view';
import { rsvpActions, typed } from './rsvps';

/** The page of an event, for its guests. */
export async function eventPage(page: Page, eventToken: string) {
  const { head, show, signal, opened } = page;
  const state: EventState = {
    event: null as any,
    closed: false,
    rsvps: [],
    items: [],
    name: typed(eventToken),
    error: '',
    away: false,
    fresh: 0,
    moment: null,
    before: 0,
    least: 0,
    most: Infinity,
    thanks: false,
    withdrawn: false,
    organize: page.fragment.has('organize'),
    asOf: null,
  };

  function draw() {
    const newest = known(eventToken, opened);
    if (signal.aborted || !newest) return;
    const { event, at, asOf } = newest;
    const { withdrawn } = state;
    if (event.cancelled && phase(event) !== (state.event && phase(state.event))) {
      announce(event.to ? question(event) : t('event.cancelled'));
    } else if (asOf && !state.asOf) announce(asOf.error.words);
    const target = targetOf(eventToken);
    state.items = items().filter((item) =>
      item.eventToken === target ? item.kind === 'rsvp' : item.eventToken === eventToken,
    );
    const leaving = state.items.filter(({ kind, refused }) => kind === 'withdraw' && !refused);
    // The service may already have carried out a withdrawal whose answer is missing.
    const fewer = leaving.filter(({ error }) => !error).length;
    const attendeeCount = Math.min(Math.max(event.attendeeCount, state.least) - fewer, state.most);
    Object.assign(state, { event: { ...event, attendeeCount: Math.max(attendeeCount, 0) }, asOf });
    state.rsvps = savedRSVPs(eventToken).filter(
      ({ rsvpToken }) => !leaving.some(({ id, early }) => id === rsvpToken && !early),
    );
    state.withdrawn = state.rsvps.filter((rsvp) => serviceTime(rsvp.at ?? Infinity) < at).length > event.attendeeCount;
    if (state.withdrawn && !withdrawn) announce(t('yours.withdrawn'));
    paint(state.event.title);
    show(...view(state, actions));
  }

  byId('main').addEventListener(
    'drawn',
    () => {
      const form = byId('rsvp');
      watcher.disconnect();
      if (form) watcher.observe(form);
      else setAway(false);
    },
    { signal },
  );

  function setAway(away: boolean) {
    if (state.away === away) return;
    state.away = away;
    draw();
  }

  // The bar is shown while the form is out of view.
  const watcher = new IntersectionObserver((entries) => {
    setAway(!entries.at(-1)?.isIntersecting); // the last entry is the current state
  });
  signal.addEventListener('abort', () => watcher.disconnect());

  async function load() {
    // A name may have been typed into the HTML's form before the script ran.
    const field = byId('name');
    const value = field instanceof HTMLInputElement ? field.value : '';
    const inHTML = takeHTML(eventToken);
    if (begin()) {
      if (inHTML && value) actions.setName(value);
      draw();
      if (inHTML && 'entered' in document.documentElement.dataset) void actions.submit(); // see early.js
      return ask(eventToken);
    }
    head({ title: t('event.loading'), canonical: eventURL(eventToken) });
    show(loading());
    if (!isUUID(eventToken)) return unknownEvent(page, eventToken);
    const error = await ask(eventToken);
    if (signal.aborted || isGone(eventToken)) return undefined;
    return begin() ? draw() : unreachable(page, error as APIError, load);
  }

  /** Reports whether there is an event to show. */
  function begin() {
    const newest = known(eventToken);
    if (!newest) return false;
    state.event = newest.event;
    head({ title: state.event.title, canonical: eventURL(eventToken) });
    adopt();
    return true;
  }

  // A guest's own link saves the RSVP on this device.
  function adopt() {
    const rsvpToken = tokenIn(page.fragment.get('rsvp') ?? '');
    const name = page.fragment.get('name') ?? '';
    if (!isUUID(rsvpToken) || blank(name)) return;
    save({ rsvps: [{ ...remembered(state.event, { rsvpToken, name }), byLink: true }] });
    keep(eventToken);
    // Unless it is stored, the address may be the only copy.
    if (outlives()) history.replaceState(history.state, '', eventPath(eventToken));
  }

  /** Resolves to whether the count was read. */
  async function refresh(within: number = 0) {
    const error = await ask(eventToken, within);
    if (!error && (state.least || state.most < Infinity)) {
      Object.assign(state, { least: 0, most: Infinity });
      draw();
    }
    return !error;
  }

  const actions = {
    ...rsvpActions(state, { page, eventToken, draw, refresh }),
    async again() {
      if (!(await refresh()) && state.asOf) announce(state.asOf.error.words);
    },
    toForm() {
      byId('panel').scrollIntoView();
      byId('name')?.focus({ preventScroll: true });
    },
  };

  followEvent(page, eventToken, draw);
  // Another day may have begun.
  function renew() {
    draw();
    if (!mustWait(eventToken)) void refresh(20_000);
  }
  onReturn(renew, signal);
  await load();
}
