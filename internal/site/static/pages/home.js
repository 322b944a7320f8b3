// @ts-check
import { confirm } from '../components/dialog.js';
import { checks, chosenMoment, eventForm, posterPreview } from '../components/event-form.js';
import { focusOnError } from '../components/field.js';
import { entries, isPast, savedList, takeAlong } from '../components/saved-list.js';
import { tally } from '../components/tally.js';
import { APIError, createEvent, getEvent } from '../lib/api.js';
import { onReturn } from '../lib/browser.js';
import { announce, byId, focusOn, h } from '../lib/dom.js';
import { draft, eventDraft, keepDraft } from '../lib/drafts.js';
import { refusals } from '../lib/field-errors.js';
import { t } from '../lib/i18n.js';
import { forgetAbout } from '../lib/kept.js';
import { blank } from '../lib/limits.js';
import { newKey, repeat } from '../lib/retry.js';
import { checkSaved, forget, onSavedElsewhere, save } from '../lib/saved.js';
import { singleFlight } from '../lib/single-flight.js';
import { isZone, offsetAt, ownZone } from '../lib/time.js';
import { organizerPath } from '../lib/urls.js';

/** @typedef {import('../components/saved-list.js').Entry} Entry */
/** @typedef {import('../components/event-form.js').Values} Values */
/** @typedef {{ key: string, body: import('../lib/api.js').NewEvent }} Sent */
/**
 * @typedef {import('../components/event-form.js').State & { entries: Entry[], message: import('../components/saved-list.js').Message | null }} State
 */

const largest = 1_000_000; // bytes of a file that is read
const asked = 20; // of how many coming events the service is asked

/**
 * @param {State} state
 * @param {import('../components/event-form.js').Actions & import('../components/saved-list.js').Actions} actions
 */
function view(state, actions) {
  const known = state.entries.length > 0;
  const { title, date, time, timezone } = state.values;
  return [
    h('section', { class: `poster home ${known ? 'known' : ''}`.trim(), id: 'home' }, h('div', { class: 'wrap' },
      h('div', {}, h('h1', { tabindex: -1 }, t('home.title')), !known && blank(title) && h('p', { class: 'lead' }, t('home.lead')), posterPreview(state.values)),
      h('div', { class: 'progress' }, tally([title, date, time, timezone].filter((value) => !blank(value)).length, { ghosts: 5 })))),
    h('div', { class: 'wrap' },
      known && savedList(state.entries, actions),
      known && h('h2', { class: 'another' }, t('home.another')),
      eventForm(state, actions),
      !known && h('section', { class: 'how', 'aria-labelledby': 'how-title' }, h('h2', { id: 'how-title' }, t('how.title')),
        h('ol', {}, h('li', {}, t('how.announce')), h('li', {}, t('how.share')), h('li', {}, t('how.kept')))),
      takeAlong(state.entries.length, state.message, actions)),
  ];
}

/** @param {Values} values */
const isDraft = ({ title, date, location, description }) => [title, date, location, description].some((text) => !blank(text));

/** @param {import('../app.js').Page} page */
export async function homePage(page) {
  const { head, show, go, signal } = page;
  head({ indexed: true });
  const draftName = await eventDraft();
  const { sent, ...typed } = draft(draftName) ?? {};
  /** @type {State} */
  const state = {
    values: { title: '', date: '', time: '', timezone: '', later: false, location: '', description: '', ...typed },
    errors: {}, problems: [], sending: null, choosing: false, entries: entries(), message: null,
  };
  if (!isZone(state.values.timezone)) state.values.timezone = ownZone();
  let sendNow = () => {};

  const draw = () => show(...view(state, actions));

  /** @type {Sent | undefined} */
  let unanswered;
  const keep = () => keepDraft(draftName, { ...state.values, sent: unanswered });

  // Fills the form with an old event, without its date.
  async function fromOld(/** @type {string} */ eventToken) {
    if (isDraft(state.values) && !await confirm({
      title: t('replace.title'), body: [h('p', {}, t('replace.text'))], yes: t('replace.yes'), no: t('replace.no'), level: 'primary',
    })) {
      if (!signal.aborted) history.replaceState(history.state, '', '/');
      return;
    }
    try {
      const { title, description = '', location = '', timezone, dateTime } = await getEvent(eventToken);
      const at = Date.parse(dateTime);
      const time = new Date(at + offsetAt(at, timezone) * 60_000).toISOString().slice(11, 16);
      state.values = { ...state.values, title, description, location, timezone, time, date: '' };
    } catch {
      const old = state.entries.find((entry) => entry.eventToken === eventToken);
      if (old) state.values = { ...state.values, title: old.title, timezone: old.timezone };
    }
    if (signal.aborted) return;
    history.replaceState(history.state, '', '/');
    keep();
    draw();
    focusOn(byId('date'));
  }

  async function askForEntries() {
    await Promise.all(state.entries.filter((entry) => !isPast(entry)).slice(0, asked).map(async (entry) => {
      try {
        entry.details = await getEvent(entry.eventToken);
      } catch {
        // The list shows what is stored.
      }
    }));
    draw();
  }

  /** @param {Sent} request */
  async function send(request) {
    // Stored before it is sent: after a reload it is sent again.
    unanswered = request;
    keep();
    state.sending = {};
    draw();
    /** @type {import('../lib/saved.js').SavedEvent} */
    let created;
    try {
      created = await repeat(() => createEvent(request.body, request.key), {
        signal,
        waiting(error, now) {
          state.sending = { words: error.words };
          sendNow = now;
          draw();
          announce(error.words);
        },
      });
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      // The page was left without a certain answer; the next page sends it again.
      if (error.uncertain || signal.aborted) return;
      unanswered = undefined;
      state.sending = null;
      keep();
      explain(error);
      return;
    }
    save({ events: [created] });
    keepDraft(draftName, null);
    if (!signal.aborted) go(organizerPath(created.eventToken, created.organizerToken), { created: true });
  }

  /** @param {APIError} error */
  function explain(error) {
    const { dateTime = '', ...others } = refusals(error, {
      dateTime: () => checks.date(state.values), timezone: () => '',
      ...Object.fromEntries(['title', 'location', 'description'].map((name) => [name, () => checks[name](state.values)])),
    });
    const errors = { date: dateTime, ...others };
    const some = Object.values(errors).some(Boolean);
    Object.assign(state, { errors, problems: [some ? t('form.refused') : error.words] });
    draw();
    if (some) focusOnError('announce');
  }

  const actions = {
    /** @param {string} name @param {string} value */
    type(name, value) {
      if (!(name in state.values)) return;
      // A title is one line, even if more are pasted.
      const text = name === 'title' ? value.replace(/\s*[\r\n]+\s*/g, ' ') : value;
      state.values = { ...state.values, [name]: text };
      state.choosing = name === 'timezone';
      // A time that does not exist is an error at once, not only when sending.
      const gap = chosenMoment(state.values).all?.found.length === 0;
      for (const field of ['date', 'time', 'timezone'].includes(name) ? [name, 'time'] : [name]) {
        if (state.errors[field] || (field === 'time' && gap)) state.errors = { ...state.errors, [field]: checks[field]?.(state.values) ?? '' };
      }
      keep();
      draw();
    },
    /** @param {boolean} later */
    later(later) {
      state.values = { ...state.values, later };
      keep();
      draw();
    },
    choose() {
      if (state.choosing) return;
      state.choosing = true;
      draw();
    },
    sendNow: () => sendNow(),
    submit: singleFlight(async () => {
      if (state.sending) return;
      state.problems = [];
      state.errors = Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, check(state.values)]));
      const wrong = Object.values(state.errors).filter(Boolean).length;
      draw();
      if (wrong) {
        focusOnError('announce');
        announce(t('check.count', { n: wrong }));
        return;
      }
      const { title, timezone, location, description } = state.values;
      const dateTime = /** @type {{ dateTime: string }} */ (chosenMoment(state.values).chosen).dateTime;
      const body = { title, dateTime, timezone, ...(blank(location) ? {} : { location }), ...(blank(description) ? {} : { description }) };
      await send({ key: newKey(), body });
    }),
    /** @param {Entry} entry */
    async remove(entry) {
      const body = [
        entry.organizerToken && h('p', {}, t('mine.sureOrganizer')),
        entry.rsvps.length > 0 && h('p', {}, t('mine.sureGuest')),
      ];
      if (!await confirm({ title: t('mine.sure', { title: entry.title }), body, yes: t('mine.remove'), no: t('mine.keep') })) return;
      for (const token of [entry.organizerToken, ...entry.rsvps.map(({ rsvpToken }) => rsvpToken)]) if (token) forget(token);
      forgetAbout(entry.eventToken);
      state.entries = entries();
      draw();
      focusOn(byId('saved-title') ?? document.querySelector('h1'));
      announce(t('mine.removed'));
    },
    /** @param {File} [file] */
    async load(file) {
      if (!file) return;
      let text;
      let kind = /** @type {'good' | 'bad'} */ ('good');
      try {
        if (file.size > largest) throw new SyntaxError('size');
        const added = checkSaved(JSON.parse(await file.text()));
        save(added);
        text = t('mine.imported', { n: added.events.length + added.rsvps.length });
      } catch (error) {
        kind = 'bad';
        text = error instanceof SyntaxError ? t('mine.notJSON') : t('mine.notMine', { field: /** @type {Error} */ (error).message });
      }
      state.message = { kind, text };
      state.entries = entries();
      draw();
      focusOn(byId('take-along'));
      announce(text);
      await askForEntries();
    },
  };

  onSavedElsewhere(() => {
    state.entries = entries();
    draw();
  }, signal);
  onReturn(askForEntries, signal);
  if (chosenMoment(state.values).all?.found.length === 0) state.errors = { time: checks.time(state.values) };
  draw();
  const again = new URLSearchParams(location.search).get('again');
  if (sent?.key) send(sent);
  else if (again) fromOld(again);
  await askForEntries();
}
