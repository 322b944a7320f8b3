import { amendVisit, setter, type Drawing, type Page } from '../lib/page';
import type { APIError, NewEvent } from '../lib/api';
import type { Announcement, Change } from '../lib/handlers';
import { confirm } from '../components/dialog';
import { check, chosenMoment, type State, type Values } from '../components/event-form';
import { focusOnError, type FieldErrors } from '../components/field';
import { announce, byId, focusOn, h, onReturn } from '../lib/dom';
import { draft, keepDraft, ownDraft, takeDraft, textDraft } from '../lib/drafts';
import { ask, known } from '../lib/events';
import { t } from '../lib/i18n';
import { add, drop, items, newKey, onOutbox, type Shown } from '../lib/outbox';
import { saved, savedEvent, type SavedEvent } from '../lib/saved';
import { blank, forTexts, texts } from '../lib/text';
import { isZone, offsetAt } from '../lib/time';
import { organizerPath } from '../lib/urls';
import { moments, ownZone } from '../lib/zones';

export type FormItem = Announcement | Change;

/** For each field about the event itself, whether it is filled. */
export const filled = ({ title, date, time, location: where, description }: Values) =>
  [title, date, time, where, description].map((text) => !blank(text));

/** The values of the form for an event. */
export function valuesOf({ timezone: zone, dateTime, ...event }: NewEvent) {
  const timezone = isZone(zone) ? zone : ownZone();
  const at = Date.parse(dateTime);
  const wall = new Date(at + offsetAt(at, timezone) * 60_000).toISOString();
  const date = wall.slice(0, 10);
  const time = wall.slice(11, 16);
  return {
    ...forTexts((name) => event[name] ?? ''),
    timezone,
    date,
    time,
    later: Date.parse(moments(date, time, timezone)?.found[1]?.dateTime ?? '') === at,
  };
}

function bodyOf(values: Values): NewEvent {
  const written = texts.filter((name) => !blank(values[name])).map((name) => [name, values[name]] as const);
  const { title, timezone } = values;
  return { title, timezone, dateTime: '', ...chosenMoment(values).chosen, ...Object.fromEntries(written) };
}

/**
 * Messages for the refused fields. The service's are in English, so each is the form's own or, if the
 * form finds nothing wrong, a general one.
 */
function refusals({ fieldErrors }: APIError, values: Values): FieldErrors {
  const found: FieldErrors = check(values);
  const general: FieldErrors = { date: t('check.moment'), timezone: t('check.zone') };
  return Object.fromEntries(
    fieldErrors
      .map(({ field }) => (field === 'dateTime' ? 'date' : field))
      .filter((name) => name in found)
      .map((name) => [name, found[name] || (general[name] ?? t('check.refused'))]),
  );
}

const blankForm: Values = { ...forTexts(() => ''), date: '', time: '', timezone: '', later: false, reason: '' };

/** The values of a draft that are those of a form. */
const valuesIn = (kept: unknown) =>
  Object.fromEntries(
    Object.entries(Object(kept) as object).filter(
      ([name, value]) => typeof value === typeof Reflect.get(blankForm, name),
    ),
  );

/**
 * The form of an event with its draft and its item in the outbox. The page calls start once it has drawn the form.
 */
export function eventEditor<One extends FormItem>(
  { signal, go }: Page,
  drawing: Drawing<unknown>,
  {
    draftName,
    until,
    first = {},
    itemOf,
    arrive,
    late = () => {},
  }: {
    draftName: () => string;
    /** when the draft may be deleted */
    until?: number;
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
  const own: Omit<State, 'sending'> = { ...withDraft({ ...blankForm, ...first }), problems: [], choosing: false };
  const set = setter(own, drawing);
  /** The item with the draft. */
  const pending = () => items().find((item) => item.draft === draftName()) as (One & Shown) | undefined;
  let isBegun = false;

  function withDraft(values: Values) {
    const all = { ...values, ...valuesIn(draft(draftName())) };
    if (!isZone(all.timezone)) all.timezone = ownZone();
    const errors: FieldErrors = chosenMoment(all).isGap ? { time: check(all).time } : {};
    return { values: all, errors, left: all.title };
  }

  function keep() {
    isBegun = true;
    keepDraft(draftName(), own.values, until);
  }

  let sent: One | null = null;

  /** Shows the state of the item. */
  async function look(answered?: SavedEvent) {
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
    const { created, refused, error } = item;
    if (refused && created) {
      arrive(created, item);
    } else if (refused && error) {
      sent = null;
      drop(item.id);
      const errors = refusals(error, own.values);
      const some = Object.values(errors).some(Boolean);
      if (!(await set({ errors, problems: [some ? t('form.refused') : error.words] }))) return;
      if (some) focusOnError('announce');
      if (refused.code === 'event-cancelled') late();
    } else {
      sent = item;
      await set();
    }
  }

  /** The form as it is to be drawn. */
  function state(): State {
    const item = pending();
    return {
      ...own,
      sending: item && !item.refused ? { words: item.error?.words, half: Boolean(item.created) } : null,
    };
  }

  const actions = {
    type(name: string, value: string | boolean) {
      if (!(name in own.values)) return;
      // What is typed while an item waits is ignored: its answer deletes the draft.
      if (pending()) {
        void set();
        return;
      }
      // Joins pasted lines: a title is one line.
      const text = name === 'title' ? String(value).replace(/\s*[\r\n]+\s*/g, ' ') : value;
      const values = { ...own.values, [name]: text };
      // A nonexistent time is reported at once, not on submit.
      const { isGap } = chosenMoment(values);
      const found: FieldErrors = check(values);
      const errors = { ...own.errors };
      for (const field of ['date', 'time', 'timezone'].includes(name) ? [name, 'time'] : [name])
        if (errors[field] || (field === 'time' && isGap)) errors[field] = found[field] ?? '';
      void set({ values, errors, problems: [], choosing: name === 'timezone' });
      keep();
    },
    leave: () => void set({ left: own.values.title }),
    choose: () => void (own.choosing || set({ choosing: true })),
    async submit() {
      if (pending()) return look();
      const errors = check(own.values);
      const wrong = Object.values(errors).filter(Boolean).length;
      const done = set({ errors, problems: [] });
      if (wrong) {
        announce(t('check.count', { n: wrong }));
        if (await done) focusOnError('announce');
        return;
      }
      keep();
      const item = itemOf(bodyOf(own.values), own.values);
      if (typeof item !== 'string') add(item);
      if (pending()) await look();
      else await set({ problems: [typeof item === 'string' ? item : t('change.notKept')] });
    },
  };

  onReturn(() => void look(), signal); // a page in the back/forward cache gets no news
  onOutbox((item, { answer }) => {
    if (item ? item.draft === draftName() : sent) void look(answer?.created);
  }, signal);

  return {
    state,
    actions,
    set,
    keep,
    isSent: () => Boolean(pending()),
    isDraft: () => filled(own.values).includes(true),
    isBegun: () => isBegun,
    load: () => void set(withDraft(own.values)),
    start: look,
  };
}

/** The host's name, which this device remembers. */
const hostDraft = 'host';

/** The form of a new event, blank or with the values of an old one. */
export function newEvent(page: Page, drawing: Drawing<unknown>) {
  const { go, signal } = page;
  const query = new URLSearchParams(location.search);
  const again = query.get('again');
  const form = eventEditor<Announcement>(page, drawing, {
    draftName: ownDraft,
    first: { host: textDraft(hostDraft) },
    itemOf(body) {
      keepDraft(hostDraft, body.host);
      return { id: newKey(), kind: 'announce', eventToken: '', draft: ownDraft(), body };
    },
    arrive: ({ eventToken, organizerToken }) =>
      go(organizerPath(eventToken), { created: true, organizer: organizerToken }),
  });

  // Fills the form with an old event, without its date. Asks first if a draft was begun meanwhile.
  async function fromOld(eventToken: string) {
    if (!known(eventToken)) await ask(eventToken);
    if (signal.aborted) return;
    const old = known(eventToken)?.event ?? savedEvent(eventToken);
    const isWanted =
      !form.isDraft() ||
      (await confirm({
        title: t('replace.title'),
        body: [<p>{t('replace.text')}</p>],
        yes: t('replace.yes'),
        no: t('replace.no'),
        level: 'primary',
      }));
    if (signal.aborted) return;
    amendVisit({}, '/?new');
    if (!old || !isWanted) return;
    const values = {
      ...form.state().values,
      ...valuesOf({ host: textDraft(hostDraft), ...old }),
      date: '',
      later: false,
    };
    const done = form.set({ values, left: values.title });
    form.keep();
    if (await done) focusOn(byId('date'));
  }

  return {
    ...form,
    asked: Boolean(again) || query.has('new'),
    async start() {
      await takeDraft(
        items().map(({ draft: name }) => name),
        form.isBegun,
      );
      if (signal.aborted) return;
      if (!form.isBegun()) form.load();
      void form.start();
      if (again && !form.isSent()) void fromOld(again);
    },
  };
}
