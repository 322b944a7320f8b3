// @ts-check
import { confirm } from '../components/dialog.js';
import { checks, chosenMoment } from '../components/event-form.js';
import { focusOnError } from '../components/field.js';
import { entries } from '../components/saved-list.js';
import { APIError, createEvent, getEvent } from '../lib/api.js';
import { announce, byId, focusOn, h } from '../lib/dom.js';
import { draft, eventDraft, keepDraft } from '../lib/drafts.js';
import { refusals } from '../lib/field-errors.js';
import { t } from '../lib/i18n.js';
import { blank } from '../lib/limits.js';
import { newKey, repeat } from '../lib/retry.js';
import { save } from '../lib/saved.js';
import { singleFlight } from '../lib/single-flight.js';
import { isZone, offsetAt, ownZone } from '../lib/time.js';
import { organizerPath } from '../lib/urls.js';

/** @typedef {import('../components/event-form.js').Values} Values */
/** @typedef {{ key: string, body: import('../lib/api.js').NewEvent }} Sent */

/** @param {Values} values */
const isDraft = ({ title, date, location, description }) => [title, date, location, description].some((text) => !blank(text));

/**
 * The form of a new event with its draft. Its page calls start once it is drawn.
 * @param {import('../app.js').Page} page
 * @param {() => void} draw
 */
export async function newEvent({ go, signal }, draw) {
  const draftName = await eventDraft();
  const { sent, ...typed } = draft(draftName) ?? {};
  const again = new URLSearchParams(location.search).get('again');
  /** @type {import('../components/event-form.js').State} */
  const state = {
    values: { title: '', date: '', time: '', timezone: '', later: false, location: '', description: '', ...typed },
    errors: {}, problems: [], sending: null, left: '', choosing: false,
  };
  if (!isZone(state.values.timezone)) state.values.timezone = ownZone();
  if (chosenMoment(state.values).all?.found.length === 0) state.errors = { time: checks.time(state.values) };
  state.left = state.values.title;
  let sendNow = () => {};

  /** @type {Sent | undefined} */
  let unanswered;
  const keep = () => keepDraft(draftName, { ...state.values, sent: unanswered });

  // Fills the form with an old event, without its date.
  async function fromOld(/** @type {string} */ eventToken) {
    if (isDraft(state.values) && !await confirm({
      title: t('replace.title'), body: [h('p', {}, t('replace.text'))], yes: t('replace.yes'), no: t('replace.no'), level: 'primary',
    })) {
      if (!signal.aborted) history.replaceState(history.state, '', '/?new');
      return;
    }
    try {
      const { title, description = '', location = '', timezone, dateTime } = await getEvent(eventToken);
      const at = Date.parse(dateTime);
      const time = new Date(at + offsetAt(at, timezone) * 60_000).toISOString().slice(11, 16);
      state.values = { ...state.values, title, description, location, timezone, time, date: '' };
    } catch {
      const old = entries().find((entry) => entry.eventToken === eventToken);
      if (old) state.values = { ...state.values, title: old.title, timezone: old.timezone };
    }
    state.left = state.values.title;
    if (signal.aborted) return;
    history.replaceState(history.state, '', '/?new');
    keep();
    draw();
    focusOn(byId('date'));
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
    if (!signal.aborted) go(organizerPath(created.eventToken), { created: true, organizer: created.organizerToken });
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
    leave() {
      state.left = state.values.title;
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
  };

  return {
    state,
    actions,
    asked: Boolean(sent?.key || again || new URLSearchParams(location.search).has('new')),
    isDraft: () => isDraft(state.values),
    start() {
      if (sent?.key) send(sent);
      else if (again) fromOld(again);
    },
  };
}
