// @ts-check
import { confirm } from '../components/dialog';
import { check, chosenMoment } from '../components/event-form';
import { focusOnError } from '../components/field';
import { entries } from '../components/saved-list';
import { announce, byId, focusOn, h } from '../lib/dom';
import { draft, keepDraft, ownDraft, takeDraft } from '../lib/drafts';
import { ask, known } from '../lib/events';
import { t } from '../lib/i18n';
import { forTexts, texts } from '../lib/limits';
import { add, drop, items, newKey, onOutbox } from '../lib/outbox';
import { saved } from '../lib/saved';
import { blank } from '../lib/text';
import { isZone, offsetAt } from '../lib/time';
import { organizerPath } from '../lib/urls';
import { moments, ownZone } from '../lib/zones';

/** @typedef {import('../components/event-form').Values} Values */
/** @typedef {import('../lib/api').NewEvent} NewEvent */
/** @typedef {import('../lib/saved').SavedEvent} SavedEvent */
/** @typedef {import('../lib/handlers').Announcement | import('../lib/handlers').Change} FormItem */

/** For each initially empty field, whether it is filled. @param {Values} values */
export const filled = (values) =>
  [values.date, values.time, ...texts.map((name) => values[name])].map((text) => !blank(text));

/**
 * The values of the form for an event.
 * @param {import('../lib/api').NewEvent} event
 */
export function valuesOf({ timezone: zone, dateTime, ...event }) {
  const timezone = isZone(zone) ? zone : ownZone();
  const at = Date.parse(dateTime);
  const wall = new Date(at + offsetAt(at, timezone) * 60_000).toISOString();
  const date = wall.slice(0, 10);
  const time = wall.slice(11, 16);
  const second = moments(date, time, timezone)?.found[1];
  return {
    ...forTexts((name) => event[name] ?? ''),
    timezone,
    date,
    time,
    later: Boolean(second) && Date.parse(second?.dateTime ?? '') === at,
  };
}

/** @param {Values} values @returns {NewEvent} */
function bodyOf(values) {
  const dateTime = /** @type {{ dateTime: string }} */ (chosenMoment(values).chosen).dateTime;
  const written = texts.filter((name) => !blank(values[name])).map((name) => [name, values[name]]);
  return { dateTime, timezone: values.timezone, .../** @type {{ title: string }} */ (Object.fromEntries(written)) };
}

/**
 * Messages for the refused fields. The service's are in English, so each is the form's own or, if the
 * form finds nothing wrong, a general one.
 * @param {import('../lib/api').APIError} error
 * @param {Values} values
 * @returns {import('../components/field').FieldErrors}
 */
function refusals({ fieldErrors }, values) {
  const { date, ...found } = check(values);
  /** @type {Record<string, [field: string, message: string]>} by the service's names */
  const messages = {
    dateTime: ['date', date || t('check.moment')],
    timezone: ['timezone', t('check.zone')],
    ...forTexts((name) => [name, found[name] || t('check.refused')]),
  };
  return Object.fromEntries(
    Object.entries(messages)
      .filter(([name]) => fieldErrors.some(({ field }) => field === name))
      .map(([, message]) => message),
  );
}

/**
 * The form of an event with its draft and its item in the outbox. The page calls start once it has
 * drawn the form.
 * @template {FormItem} One
 * @param {import('../app').Page} page
 * @param {() => void} draw
 * @param {object} way
 * @param {() => string} way.draftName
 * @param {Partial<Values>} [way.first] initial values, which the draft overrides
 * @param {(body: NewEvent, values: Values) => One | string} way.itemOf returns the item, or the reason to send nothing
 * @param {(created: SavedEvent, item: One) => void} way.arrive called once the event exists
 * @param {() => void} [way.late] called if the old event is already cancelled
 */
export function eventEditor({ signal, go }, draw, { draftName, first = {}, itemOf, arrive, late = () => {} }) {
  /** @type {import('../components/event-form').State} */
  const state = {
    values: { ...forTexts(() => ''), date: '', time: '', timezone: '', later: false, reason: '', ...first },
    errors: {},
    problems: [],
    sending: null,
    left: '',
    choosing: false,
  };
  let begun = false;

  function load() {
    state.values = { ...state.values, ...draft(draftName()) };
    if (!isZone(state.values.timezone)) state.values.timezone = ownZone();
    if (chosenMoment(state.values).all?.found.length === 0) state.errors = { time: check(state.values).time };
    state.left = state.values.title;
  }
  load();

  function keep() {
    begun = true;
    keepDraft(draftName(), state.values);
  }

  /** @type {One | null} */
  let sent = null;
  // Items with the name of its draft are its own.
  const pending = () =>
    /** @type {(One & import('../lib/outbox').Shown) | undefined} */ (
      items().find((item) => item.draft === draftName())
    );

  /** Shows the state of the item. @param {SavedEvent} [answered] */
  function look(answered) {
    const item = pending();
    if (!item) {
      const last = sent;
      sent = null;
      if (!last) return;
      // Another tab got the answer, and saved the event.
      const created =
        answered ??
        last.created ??
        saved().events.findLast(
          ({ title, dateTime }) => title === last.body.title && Date.parse(dateTime) === Date.parse(last.body.dateTime),
        );
      if (created) arrive(created, last);
      else go('/');
      return;
    }
    sent = item;
    if (!item.refused) {
      const words = item.error?.words;
      if (words && words !== state.sending?.words) announce(words);
      state.sending = { words, half: Boolean(item.created) };
      draw();
    } else if (item.created) {
      arrive(item.created, item);
    } else {
      sent = null;
      drop(item.id);
      const error = /** @type {import('../lib/api').APIError} */ (item.error);
      const errors = refusals(error, state.values);
      const some = Object.values(errors).some(Boolean);
      Object.assign(state, { sending: null, errors, problems: [some ? t('form.refused') : error.words] });
      draw();
      if (some) focusOnError('announce');
      if (item.refused.code === 'event-cancelled') late();
    }
  }

  const actions = {
    /** @param {string} name @param {string | boolean} value */
    type(name, value) {
      if (!(name in state.values)) return;
      // Joins pasted lines: a title is one line.
      const text = name === 'title' ? String(value).replace(/\s*[\r\n]+\s*/g, ' ') : value;
      Object.assign(state, { values: { ...state.values, [name]: text }, problems: [], choosing: name === 'timezone' });
      // A nonexistent time is reported at once, not on submit.
      const gap = chosenMoment(state.values).all?.found.length === 0;
      /** @type {import('../components/field').FieldErrors} */
      const found = check(state.values);
      for (const field of ['date', 'time', 'timezone'].includes(name) ? [name, 'time'] : [name]) {
        if (state.errors[field] || (field === 'time' && gap))
          state.errors = { ...state.errors, [field]: found[field] ?? '' };
      }
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
    submit() {
      if (state.sending || pending()) {
        look();
        return;
      }
      state.problems = [];
      state.errors = check(state.values);
      const wrong = Object.values(state.errors).filter(Boolean).length;
      draw();
      if (wrong) {
        focusOnError('announce');
        announce(t('check.count', { n: wrong }));
        return;
      }
      keep();
      const item = itemOf(bodyOf(state.values), state.values);
      if (typeof item !== 'string') add(item);
      if (pending()) look();
      else state.problems = [typeof item === 'string' ? item : t('change.notKept')];
      draw();
    },
  };

  onOutbox((item, { answer }) => {
    if (item ? item.draft === draftName() : sent) look(answer?.created);
  }, signal);

  return {
    state,
    actions,
    keep,
    isSent: () => Boolean(pending()),
    isDraft: () => filled(state.values).includes(true),
    isBegun: () => begun,
    load,
    start: look,
  };
}

/**
 * The form of a new event, blank or with the values of an old one.
 * @param {import('../app').Page} page
 * @param {() => void} draw
 */
export function newEvent(page, draw) {
  const { go, signal } = page;
  const query = new URLSearchParams(location.search);
  const again = query.get('again');
  const form = eventEditor(page, draw, {
    draftName: ownDraft,
    itemOf: (body) => ({ id: newKey(), kind: 'announce', eventToken: '', draft: ownDraft(), body }),
    arrive: ({ eventToken, organizerToken }) =>
      go(organizerPath(eventToken), { created: true, organizer: organizerToken }),
  });
  const { state, keep } = form;

  // Fills the form with an old event, without its date. Asks first if a draft was begun meanwhile.
  async function fromOld(/** @type {string} */ eventToken) {
    if (!known(eventToken)) await ask(eventToken);
    const old = known(eventToken)?.event ?? entries().find((entry) => entry.eventToken === eventToken);
    const replaced =
      old &&
      !signal.aborted &&
      (!form.isDraft() ||
        (await confirm({
          title: t('replace.title'),
          body: [h('p', {}, t('replace.text'))],
          yes: t('replace.yes'),
          no: t('replace.no'),
          level: 'primary',
        })));
    if (signal.aborted) return;
    history.replaceState(history.state, '', '/?new');
    if (!replaced) return;
    state.values = { ...state.values, ...valuesOf(old), date: '', later: false };
    state.left = state.values.title;
    keep();
    draw();
    focusOn(byId('date'));
  }

  return {
    ...form,
    asked: form.isSent() || Boolean(again) || query.has('new'),
    async start() {
      await takeDraft(
        items().map(({ draft: name }) => name),
        form.isBegun,
      );
      if (signal.aborted) return;
      if (!form.isBegun()) form.load();
      draw();
      form.start();
      if (again && !form.isSent()) void fromOld(again);
    },
  };
}
