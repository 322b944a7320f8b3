// @ts-check
import { button } from '../components/buttons.js';
import { calendarLinks } from '../components/calendar-links.js';
import { confirm } from '../components/dialog.js';
import { tooLong } from '../components/field.js';
import { loading } from '../components/plain-page.js';
import { poster } from '../components/poster.js';
import { rsvpPanel } from '../components/rsvp-panel.js';
import { shareLink } from '../components/share-link.js';
import { APIError, createRSVP, getEvent } from '../lib/api.js';
import { takeArrived } from '../lib/arrived.js';
import { onReturn } from '../lib/browser.js';
import { announce, byId, focusOn, h } from '../lib/dom.js';
import { draft, keepDraft, keepUnanswered, leaving, unanswered } from '../lib/drafts.js';
import { refusals } from '../lib/field-errors.js';
import { t } from '../lib/i18n.js';
import { expires } from '../lib/kept.js';
import { blank, limits } from '../lib/limits.js';
import { linkify } from '../lib/linkify.js';
import { newKey, repeat } from '../lib/retry.js';
import { isUUID, onSavedElsewhere, save, savedEvent, savedRSVPs } from '../lib/saved.js';
import { singleFlight } from '../lib/single-flight.js';
import { shortIn } from '../lib/time.js';
import { eventPath, eventURL, organizerPath, tokenIn } from '../lib/urls.js';
import { unknownEvent, unreachable } from './errors.js';
import { withdrawals } from './withdrawals.js';

/** @typedef {import('../components/rsvp-panel.js').State & { away: boolean, fresh: number }} State */
/** @typedef {import('../lib/saved.js').SavedRSVP} SavedRSVP */

/** @param {string} name */
const simplified = (name) => name.normalize('NFKC').trim().toLocaleLowerCase();

/**
 * @param {State} state
 * @param {import('../components/rsvp-panel.js').Actions & { toForm: () => void }} actions
 */
function view(state, actions) {
  const { event, rsvps } = state;
  const organizer = savedEvent(event.eventToken);
  return [
    poster(event, { marks: { own: event.cancelled ? 0 : rsvps.length, fresh: state.fresh }, aside: rsvpPanel(state, actions) }),
    h('div', { class: 'wrap about' },
      organizer && h('p', { class: 'manage' }, h('a', { href: organizerPath(event.eventToken, organizer.organizerToken) }, t('event.manage'))),
      event.description && h('section', {}, h('h2', { class: 'label' }, t('event.about')),
        h('div', { class: 'user prose', dir: 'auto' }, ...linkify(event.description))),
      rsvps.length === 0 && h('section', { class: 'tools' }, h('h2', { class: 'label' }, t('event.keep')),
        h('div', { class: 'row' }, calendarLinks(event, false), shareLink(event)))),
    state.away && rsvps.length === 0 && h('div', { class: 'bar', id: 'bar' }, button(t('rsvp.submit'), actions.toForm, 'primary')),
  ];
}

/**
 * The page of an event, for its guests.
 * @param {import('../app.js').Page} page
 * @param {string} eventToken
 */
export async function eventPage(page, eventToken) {
  const { head, show, signal } = page;
  const draftName = `rsvp:${eventToken}`;
  /** @type {State} */
  const state = {
    event: /** @type {any} */ (null), closed: false, rsvps: [], leaving: new Set(), sending: null,
    name: draft(draftName) ?? '', error: '', problems: [], away: false, fresh: 0,
  };
  let sendNow = () => {};

  function draw() {
    if (signal.aborted || !state.event) return;
    state.rsvps = savedRSVPs(eventToken);
    show(...view(state, actions));
    const form = byId('rsvp');
    watcher.disconnect();
    if (form) watcher.observe(form);
  }

  // The bar is shown while the form is out of view.
  const watcher = new IntersectionObserver(([{ isIntersecting }]) => {
    if (state.away === !isIntersecting) return;
    state.away = !isIntersecting;
    draw();
  });
  signal.addEventListener('abort', () => watcher.disconnect());

  async function load() {
    const arrived = takeArrived(eventToken);
    if (arrived) {
      state.event = arrived;
      // The form came with the page, and could be written in before the script ran.
      const { value } = /** @type {HTMLInputElement} */ (byId('name') ?? {});
      if (value) setName(value);
    } else {
      head({ title: t('event.loading'), canonical: eventURL(eventToken) });
      show(loading());
      if (!isUUID(eventToken)) return unknownEvent(page, eventToken);
      try {
        state.event = await getEvent(eventToken);
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
    for (const { rsvp, due } of leaving()) if (rsvp.eventToken === eventToken) schedule(rsvp, due);
    draw();
    const sent = unanswered(eventToken);
    for (const one of sent) await send(one);
    if (arrived && !sent.length) await refresh();
    return undefined;
  }

  // A guest's private link saves the RSVP on this device.
  function adopt() {
    const rsvpToken = tokenIn(page.fragment.get('rsvp') ?? '');
    const name = page.fragment.get('name') ?? '';
    if (!isUUID(rsvpToken) || blank(name)) return;
    save({ rsvps: [remembered({ rsvpToken, name })] });
    history.replaceState(history.state, '', eventPath(eventToken));
  }

  /** @param {{ rsvpToken: string, name: string }} rsvp @returns {SavedRSVP} */
  const remembered = ({ rsvpToken, name }) => {
    const { title, dateTime, timezone } = state.event;
    return { eventToken, rsvpToken, name, title, dateTime, timezone };
  };

  // The page stays as it is if the request fails, or if the answer to a later one came
  // first.
  let asked = 0;
  let answered = 0;
  async function refresh() {
    asked += 1;
    const turn = asked;
    const event = await getEvent(eventToken).catch(() => null);
    if (!event || turn < answered) return;
    answered = turn;
    if (event.cancelled && !state.event.cancelled) announce(t('event.cancelled'));
    state.event = event;
    draw();
  }

  /** @param {string} name */
  function setName(name) {
    state.name = name;
    keepDraft(draftName, name);
    if (name) expires(state.event);
  }

  const checkName = () => (blank(state.name) ? t('check.name') : tooLong(state.name, limits.name));

  /** @param {import('../lib/drafts.js').SentRSVP} sent */
  async function send(sent) {
    // Stored before it is sent: after a reload it is sent again.
    keepUnanswered(sent.key, sent);
    expires(state.event);
    state.sending = { ...sent };
    draw();
    let rsvp;
    try {
      rsvp = await repeat(() => createRSVP(eventToken, sent.name, sent.key), {
        signal,
        waiting(error, now) {
          const first = !state.sending?.words;
          state.sending = { ...sent, words: error.words };
          sendNow = now;
          draw();
          if (first) focusOn(byId('waiting-title'));
        },
      });
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      // The page was left without a certain answer; the next page sends it again.
      if (error.uncertain) return;
      keepUnanswered(sent.key, null);
      state.sending = null;
      await refused(error, sent.name);
      return;
    }
    save({ rsvps: [remembered(rsvp)] });
    keepUnanswered(sent.key, null);
    // Another name may have been typed in the meantime.
    if (draft(draftName) === sent.name) setName('');
    if (signal.aborted) return;
    Object.assign(state, { sending: null, error: '', fresh: 1, event: { ...state.event, attendeeCount: state.event.attendeeCount + 1 } });
    draw();
    focusOn(byId('yours-title'));
    announce(t('rsvp.done', { name: sent.name }));
    state.fresh = 0;
    // Not awaited: the next name can be sent at once.
    refresh();
  }

  /** @param {APIError} error @param {string} name */
  async function refused(error, name) {
    if (signal.aborted) return undefined;
    if (error.kind === 'missing') return unknownEvent(page, eventToken);
    if (error.code === 'event-cancelled' || error.code === 'event-expired') {
      // The service's clock decides; this one may be behind.
      state.closed = error.code === 'event-expired';
      state.event = { ...state.event, cancelled: !state.closed };
      draw();
      focusOn(document.querySelector('#state h2'));
      await refresh();
      return undefined;
    }
    state.error = refusals(error, { name: checkName }).name ?? '';
    state.problems = state.error ? [] : [error.words, t('rsvp.notSent', { name })];
    if (blank(state.name)) setName(name);
    draw();
    return state.error && focusOn(byId('name'));
  }

  const { schedule, withdraw, undo } = withdrawals(state, { draw, refresh, signal });

  const actions = {
    /** @param {string} name */
    type(name) {
      setName(name);
      if (state.error) state.error = checkName();
      draw();
    },
    submit: singleFlight(async () => {
      if (state.sending) return;
      state.problems = [];
      state.error = checkName();
      draw();
      if (state.error) return focusOn(byId('name'));
      const { name } = state;
      if (state.rsvps.some((rsvp) => simplified(rsvp.name) === simplified(name)) && !await confirm({
        title: t('again.title', { name: name.trim() }), body: [h('p', {}, t('again.text'))], yes: t('again.yes'), no: t('again.no'), level: 'primary',
      })) return undefined;
      return send({ eventToken, name, key: newKey() });
    }),
    sendNow: () => sendNow(),
    withdraw,
    undo,
    toForm() {
      byId('panel').scrollIntoView();
      byId('name')?.focus({ preventScroll: true });
    },
  };

  onSavedElsewhere(draw, signal);
  onReturn(() => state.event && refresh(), signal);
  await load();
}
