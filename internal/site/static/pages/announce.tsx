import type { Page } from '../app';
import type { APIError, NewEvent } from '../lib/api';
import type { Announcement, Change } from '../lib/handlers';
import { confirm } from '../components/dialog';
import { check, chosenMoment, type State, type Values } from '../components/event-form';
import { focusOnError, type FieldErrors } from '../components/field';
import { entries } from '../components/saved-list';
import { announce, byId, focusOn, h } from '../lib/dom';
import { draft, keepDraft, ownDraft, takeDraft } from '../lib/drafts';
import { ask, known } from '../lib/events';
import { has, isFlag, isText, maybe } from '../lib/guards';
import { t } from '../lib/i18n';
import { forTexts, texts } from '../lib/limits';
import { add, drop, items, newKey, onOutbox, type Shown } from '../lib/outbox';
import { saved, type SavedEvent } from '../lib/saved';
import { blank } from '../lib/text';
import { isZone, offsetAt } from '../lib/time';
import { organizerPath } from '../lib/urls';
import { moments, ownZone } from '../lib/zones';

export type FormItem = Announcement | Change;

/** For each initially empty field, whether it is filled. */
export const filled = (values: Values) =>
  [values.date, values.time, ...texts.map((name) => values[name])].map((text) => !blank(text));

/** The values of the form for an event. */
export function valuesOf({ timezone: zone, dateTime, ...event }: NewEvent) {
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

function bodyOf(values: Values): NewEvent {
  const dateTime = (chosenMoment(values).chosen as { dateTime: string }).dateTime;
  const written = texts.filter((name) => !blank(values[name])).map((name) => [name, values[name]]);
  return { dateTime, timezone: values.timezone, ...(Object.fromEntries(written) as { title: string }) };
}

/**
 * Messages for the refused fields. The service's are in English, so each is the form's own or, if the
 * form finds nothing wrong, a general one.
 */
function refusals({ fieldErrors }: APIError, values: Values): FieldErrors {
  const { date, ...found } = check(values);
  /** by the service's names */
  const messages: Record<string, [field: string, message: string]> = {
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

const isDraft = (value: unknown): value is Partial<Values> =>
  has({
    ...forTexts(() => maybe(isText)),
    date: maybe(isText),
    time: maybe(isText),
    timezone: maybe(isText),
    later: maybe(isFlag),
    reason: maybe(isText),
  })(value);

/** The form of an event with its draft and its item in the outbox. The page calls start once it has drawn the form. */
export function eventEditor<One extends FormItem>(
  { signal, go }: Page,
  draw: () => void,
  {
    draftName,
    first = {},
    itemOf,
    arrive,
    late = () => {},
  }: {
    draftName: () => string;
    /** initial values, which the draft overrides */
    first?: Partial<Values>;
    /** returns the item, or the reason to send nothing */
    itemOf: (body: NewEvent, values: Values) => One | string;
    /** called once the event exists */
    arrive: (created: SavedEvent, item: One) => void;
    /** called if the old event is already cancelled */
    late?: () => void;
  },
) {
  const state: State = {
    values: { ...forTexts(() => ''), date: '', time: '', timezone: '', later: false, reason: '', ...first },
    errors: {},
    problems: [],
    sending: null,
    left: '',
    choosing: false,
  };
  let begun = false;

  function load() {
    const kept = draft(draftName());
    if (isDraft(kept)) state.values = { ...state.values, ...kept };
    if (!isZone(state.values.timezone)) state.values.timezone = ownZone();
    if (chosenMoment(state.values).all?.found.length === 0) state.errors = { time: check(state.values).time };
    state.left = state.values.title;
  }
  load();

  function keep() {
    begun = true;
    keepDraft(draftName(), state.values);
  }

  let sent: One | null = null;
  // Items with the name of its draft are its own.
  const pending = () => items().find((item) => item.draft === draftName()) as (One & Shown) | undefined;

  /** Shows the state of the item. */
  function look(answered?: SavedEvent) {
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
      const error = item.error as APIError;
      const errors = refusals(error, state.values);
      const some = Object.values(errors).some(Boolean);
      Object.assign(state, { sending: null, errors, problems: [some ? t('form.refused') : error.words] });
      draw();
      if (some) focusOnError('announce');
      if (item.refused.code === 'event-cancelled') late();
    }
  }

  const actions = {
    type(name: string, value: string | boolean) {
      if (!(name in state.values)) return;
      // What is typed while an item waits is ignored: its answer deletes the draft.
      if (pending()) {
        draw();
        return;
      }
      // Joins pasted lines: a title is one line.
      const text = name === 'title' ? String(value).replace(/\s*[\r\n]+\s*/g, ' ') : value;
      Object.assign(state, { values: { ...state.values, [name]: text }, problems: [], choosing: name === 'timezone' });
      // A nonexistent time is reported at once, not on submit.
      const gap = chosenMoment(state.values).all?.found.length === 0;
      const found: FieldErrors = check(state.values);
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

/** The form of a new event, blank or with the values of an old one. */
export function newEvent(page: Page, draw: () => void) {
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
  async function fromOld(eventToken: string) {
    if (!known(eventToken)) await ask(eventToken);
    const old = known(eventToken)?.event ?? entries().find((entry) => entry.eventToken === eventToken);
    const replaced =
      old &&
      !signal.aborted &&
      (!form.isDraft() ||
        (await confirm({
          title: t('replace.title'),
          body: [<p>{t('replace.text')}</p>],
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
