// @ts-check
import { loading } from '../components/plain-page.js';
import { APIError } from '../lib/api.js';
import { takeArrived } from '../lib/arrived.js';
import { onReturn } from '../lib/browser.js';
import { eventOrCopy, readEvent } from '../lib/details.js';
import { announce, byId } from '../lib/dom.js';
import { paint } from '../lib/head.js';
import { t } from '../lib/i18n.js';
import { copyOf, keepCopy } from '../lib/event-data.js';
import { remembered } from '../lib/handlers.js';
import { blank } from '../lib/limits.js';
import { items } from '../lib/outbox.js';
import { isUUID, onSavedElsewhere, save, savedRSVPs } from '../lib/saved.js';
import { shortIn } from '../lib/time.js';
import { eventPath, eventURL, tokenIn } from '../lib/urls.js';
import { unknownEvent, unreachable } from './errors.js';
import { view } from './event-view.js';
import { rsvpActions, typed } from './rsvps.js';

/** @typedef {import('./event-view.js').State} State */

/**
 * The page of an event, for its guests.
 * @param {import('../app.js').Page} page
 * @param {string} eventToken
 */
export async function eventPage(page, eventToken) {
  const { head, show, signal } = page;
  /** @type {State} */
  const state = {
    event: /** @type {any} */ (null), closed: false, rsvps: [], items: [],
    name: typed(eventToken), error: '', away: false, fresh: 0, moment: null, organize: page.fragment.has('organize'),
    asOf: null,
  };

  let at = Date.now(); // when the answer that is shown arrived

  function draw() {
    if (signal.aborted || !state.event) return;
    state.items = items(eventToken);
    const leaving = state.items.filter(({ kind, early, refused }) => kind === 'withdraw' && !early && !refused).map(({ id }) => id);
    state.rsvps = savedRSVPs(eventToken).filter(({ rsvpToken }) => !leaving.includes(rsvpToken));
    // When the service answered, the event was not on the list, or had a different number of guests.
    if (!state.asOf && copyOf(eventToken)?.event.attendeeCount !== state.event.attendeeCount) keepCopy(state.event, at);
    paint(state.event.title);
    show(...view(state, actions)).then(watch);
  }

  function watch() {
    if (signal.aborted) return;
    const form = byId('rsvp');
    watcher.disconnect();
    if (form) watcher.observe(form);
    else setAway(false);
  }

  /** @param {boolean} away */
  function setAway(away) {
    if (state.away === away) return;
    state.away = away;
    draw();
  }

  // The bar is shown while the form is out of view.
  const watcher = new IntersectionObserver((entries) => {
    setAway(!entries[entries.length - 1].isIntersecting); // the last entry is the current state
  });
  signal.addEventListener('abort', () => watcher.disconnect());

  async function load() {
    const arrived = takeArrived(eventToken);
    if (arrived) {
      state.event = arrived;
      // The form is in the page's HTML: a name may have been typed before the script ran.
      const { value } = /** @type {HTMLInputElement} */ (byId('name') ?? {});
      if (value) actions.setName(value);
    } else {
      head({ title: t('event.loading'), canonical: eventURL(eventToken) });
      show(loading());
      if (!isUUID(eventToken)) return unknownEvent(page, eventToken);
      try {
        Object.assign(state, await eventOrCopy(eventToken));
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!(error instanceof APIError)) throw error;
        return error.kind === 'missing' ? unknownEvent(page, eventToken) : unreachable(page, error, load);
      }
      if (signal.aborted) return undefined;
    }
    const { title, location: where } = state.event;
    head({ title, description: `${shortIn(state.event)}${where ? ` · ${where}` : ''}`, canonical: eventURL(eventToken) });
    adopt();
    draw();
    if (arrived && 'entered' in document.documentElement.dataset) actions.submit(); // see early.js
    // The late answer may be from before an RSVP.
    if (arrived || state.moment === 0) await refresh();
    else if (state.asOf?.late) await refresh(state.asOf.late);
    return undefined;
  }

  // A guest's private link saves the RSVP on this device.
  function adopt() {
    const rsvpToken = tokenIn(page.fragment.get('rsvp') ?? '');
    const name = page.fragment.get('name') ?? '';
    if (!isUUID(rsvpToken) || blank(name)) return;
    save({ rsvps: [remembered(state.event, { rsvpToken, name })] });
    history.replaceState(history.state, '', eventPath(eventToken));
  }

  // The page stays as it is if the request fails, or if the answer to a later one came
  // first. Resolves to whether the count was read.
  let asked = 0;
  let answered = 0;
  async function refresh(answer = readEvent(eventToken)) {
    asked += 1;
    const turn = asked;
    const event = await answer.catch(() => null);
    if (!event || turn < answered) return false;
    answered = turn;
    if (event.cancelled && !state.event.cancelled) announce(t('event.cancelled'));
    at = Date.now();
    Object.assign(state, { event, asOf: null });
    draw();
    return true;
  }

  const actions = {
    ...rsvpActions(state, { page, eventToken, draw, refresh }),
    async again() {
      if (!await refresh() && state.asOf) announce(state.asOf.error.words);
    },
    toForm() {
      byId('panel').scrollIntoView();
      byId('name')?.focus({ preventScroll: true });
    },
  };

  // The day and the event may have changed meanwhile.
  function renew() {
    draw();
    if (state.event) refresh();
  }
  onSavedElsewhere(draw, signal);
  onReturn(renew, signal);
  addEventListener('online', () => { if (state.asOf) refresh(); }, { signal });
  await load();
}
