import { minute } from '../lib/clock';
import { closesAt, listing, type NewEvent } from '../model/event';
import { draftOf, type Announcement, type Change, type Item, type OfKind } from '../model/items';
import { drawingOf, setter, type Drawing } from '../lib/drawing';
import { amendVisit, type Page } from './page';
import type { APIError } from '../model/api';
import { confirm } from '../components/dialog';
import { composer, homeHead, posterPreview, type Form } from '../components/event-form';
import { loading } from '../components/notice';
import { say, byId, focusOn, h, onReturn } from '../lib/dom';
import { changeDraft, draft, keepDraft, textDraft } from '../model/drafts';
import {
  anew,
  bodyOf,
  check,
  filled,
  isSame,
  refusals,
  restored,
  typed,
  valuesOf,
  type Field,
  type Values,
} from '../components/event-values';
import { ask, isMissing, known } from '../model/events';
import { t } from '../lib/i18n';
import { add, drop, newKey, onOutbox, unsent } from '../model/outbox';
import { savedEvent, savedEvents, type SavedEvent } from '../model/saved';
import { ownDraft, takeDraft } from '../model/tab-draft';
import { blank, forTexts } from '../lib/text';
import { organizerPath } from '../lib/urls';
import { refused, unknownEvent, unreachable } from './errors';

const focusOnError = () => focusOn(document.querySelector<HTMLElement>('#announce [aria-invalid]'));

type Outcome =
  { is: 'sending' } | { is: 'created'; event: SavedEvent } | { is: 'refused'; error: APIError } | { is: 'gone' };

/** The outcome of an item. The item's event is on this device's list as soon as the event exists. */
function outcomeOf(item: Announcement | Change): Outcome {
  const now = unsent().find(({ id }) => id === item.id);
  if (now && !now.refused) return { is: 'sending' };
  const made = item.kind === 'change' ? item.createKey : item.id;
  const event = savedEvents().find(({ key }) => key === made);
  if (event) return { is: 'created', event };
  return now?.error ? { is: 'refused', error: now.error } : { is: 'gone' };
}

type Drafting = {
  draftName: () => string;
  /** when the draft may be deleted */
  until?: number;
  /** initial values, which the draft overrides */
  first: Partial<Values>;
};
type Editing<Kind extends 'announce' | 'change'> = Drafting & {
  kind: Kind;
  /** returns the item, or the reason to send nothing */
  itemOf: (body: NewEvent, values: Values) => OfKind<Kind> | string;
  /** called once the event exists */
  arrive: (created: SavedEvent, item: OfKind<Kind>) => void;
  /** called if the old event is already cancelled */
  late?: () => void;
};

/** Keeps the state of a form and its draft. */
function drafting(drawing: Drawing<unknown>, { draftName, until, first }: Drafting) {
  const own = { ...withDraft(first), problem: '', choosing: false };
  const set = setter(own, drawing);
  let isBegun = false;

  function withDraft(values: Partial<Values>) {
    const written = restored(values, draft(draftName()));
    return { ...written, left: written.values.title };
  }

  function keep() {
    isBegun = true;
    keepDraft(draftName(), own.values, until);
  }

  return {
    own,
    set,
    keep,
    load: () => void set(withDraft(own.values)),
    isBegun: () => isBegun,
    isDraft: () => filled(own.values).includes(true),
  };
}

/** The form of an event with its draft and its item in the outbox. The page calls start once it has drawn the form. */
function eventEditor<Kind extends 'announce' | 'change'>(
  { signal, go }: Page,
  drawing: Drawing<unknown>,
  { kind, itemOf, arrive, late, ...rest }: Editing<Kind>,
) {
  const form = drafting(drawing, rest);
  const { own, set, keep } = form;
  const isOurs = <One extends Item>(item: One): item is One & OfKind<Kind> =>
    item.kind === kind && draftOf(item) === rest.draftName();
  const pending = () => unsent().find(isOurs);
  /** The item, as it was last seen in the outbox. */
  let last: OfKind<Kind> | null = null;

  /** Shows the outcome of the item. @param answered the item, if the service has just responded to it */
  async function look(answered?: OfKind<Kind>) {
    const item = answered ?? pending() ?? last;
    const outcome = item && outcomeOf(item);
    last = outcome?.is === 'sending' ? item : null;
    if (!outcome) return;
    if (outcome.is === 'sending') await set();
    else if (outcome.is === 'created') arrive(outcome.event, item);
    else if (outcome.is === 'gone') go('/');
    else await reopen(item, outcome.error);
  }

  async function reopen({ id }: Item, error: APIError) {
    drop(id);
    const errors = refusals(error, own.values);
    const some = Object.values(errors).some(Boolean);
    if (!(await set({ errors, problem: some ? t('form.refused') : error.words }))) return;
    if (some) focusOnError();
    if (error.code === 'event-cancelled') late?.();
  }

  const actions = {
    type<Name extends Field>(name: Name, value: Values[Name]) {
      // Ignore typing while an item waits: the response deletes the draft.
      if (pending()) return void set();
      void set({ ...typed(own, name, value), problem: '', choosing: name === 'timezone' });
      keep();
    },
    leave: () => void set({ left: own.values.title }),
    choose: () => void (own.choosing || set({ choosing: true })),
    async submit() {
      if (pending()) return look();
      const errors = check(own.values);
      const wrong = Object.values(errors).filter(Boolean).length;
      const done = set({ errors, problem: '' });
      if (wrong) {
        say(t('check.count', { n: wrong }));
        if (await done) focusOnError();
        return;
      }
      keep();
      const item = itemOf(bodyOf(own.values), own.values);
      if (typeof item === 'string') return void set({ problem: item });
      add(item);
      if (pending()) await look();
      else await set({ problem: t('change.notKept') });
    },
  };

  let clock = 0;
  onReturn(() => void look(), signal); // a page in the back/forward cache misses the response
  onOutbox((item, { answer }) => {
    if (!item) void look();
    else if (isOurs(item)) void look(answer && item);
  }, signal);

  return {
    ...form,
    /** The form for drawing. Draws the form again after a minute, because it shows the time in the event's zone. */
    state(): Form {
      clearTimeout(clock);
      clock = setTimeout(drawing.soon, minute);
      const item = pending();
      return { ...own, ...actions, sending: item && !item.refused && item };
    },
    isSent: () => Boolean(pending()),
    start: look,
  };
}

/** This device remembers the host's name. */
const hostDraft = 'host';

/** The form of a new event: blank, or with the values of an old event. */
export function newEvent(page: Page, drawing: Drawing<unknown>) {
  const { go, signal } = page;
  const query = new URLSearchParams(location.search);
  const again = query.get('again');
  const form = eventEditor(page, drawing, {
    kind: 'announce',
    draftName: ownDraft,
    first: { host: textDraft(hostDraft) },
    itemOf(body) {
      keepDraft(hostDraft, body.host);
      return { id: newKey(), kind: 'announce', eventToken: '', draft: ownDraft(), body };
    },
    arrive: ({ eventToken, organizerToken }) =>
      go(organizerPath(eventToken), { created: true, organizer: organizerToken }),
  });

  return {
    ...form,
    asked: Boolean(again) || query.has('new'),
    async start() {
      await takeDraft(unsent().map(draftOf), form.isBegun);
      if (signal.aborted) return;
      if (!form.isBegun()) form.load();
      void form.start();
      if (!again || form.isSent()) return;
      // Fill the form with an old event, without its date. Ask first if the visitor has begun a draft meanwhile.
      if (!known(again)) await ask(again);
      if (signal.aborted) return;
      const old = known(again)?.event ?? savedEvent(again);
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
      const values = { ...form.state().values, ...anew({ host: textDraft(hostDraft), ...old }) };
      const done = form.set({ values, left: values.title });
      form.keep();
      if (await done) focusOn(byId('date'));
    },
  };
}

/** The form of an event that replaces another event. The other event is then cancelled. */
export async function changePage(page: Page, eventToken: string) {
  const { head, show, go, signal } = page;
  const organizerToken = savedEvent(eventToken)?.organizerToken ?? '';
  const begun = () => unsent(eventToken).find((item) => item.kind === 'change');
  head({ title: t('change.title') });
  if (!organizerToken && !begun()) return refused(page, eventToken, '');

  // Replace this page: the organizer's page says that the event is cancelled, and Back skips this form.
  const leave = () => location.replace(organizerPath(eventToken));

  async function load(): Promise<unknown> {
    void show(loading());
    const error = begun() ? null : await ask(eventToken);
    if (signal.aborted) return undefined;
    const old = begun() ?? known(eventToken)?.event;
    if (!old) return error && (isMissing(eventToken) ? unknownEvent(page) : unreachable(page, error, load));
    if ('cancelled' in old && old.cancelled) return leave();

    const { title } = old;
    const facts = { ...forTexts((name) => old[name]), ...listing({ ...old, eventToken }) };
    const first = valuesOf(facts);
    const draw = (state: Form) =>
      show(
        homeHead(true, <h1 tabindex={-1}>{t('change.title')}</h1>, posterPreview(state)),
        composer(
          state,
          <div class="notice replaces">
            <p>{t('change.replaces', { title })}</p>
            <ul>
              <li>{t('change.link')}</li>
              <li>{t('change.guests')}</li>
              <li>{t('change.page')}</li>
            </ul>
          </div>,
          first.date,
        ),
      );
    const drawing: Drawing<Form> = drawingOf(signal, () => form.state(), draw);
    const form = eventEditor(page, drawing, {
      kind: 'change',
      draftName: () => changeDraft(eventToken),
      until: closesAt(old),
      first,
      late: leave,
      itemOf: (body, { reason }) =>
        isSame(old, body)
          ? t('change.nothing')
          : {
              id: eventToken,
              kind: 'change',
              ...facts,
              draft: changeDraft(eventToken),
              organizerToken,
              body,
              createKey: newKey(),
              cancelKey: newKey(),
              reason: blank(reason) ? '' : reason.trim(),
            },
      arrive: (created, item) =>
        go(organizerPath(created.eventToken), {
          created: true,
          organizer: created.organizerToken,
          changed: {
            ...facts,
            cancellationReason: item.reason || null,
            movedTo: created.eventToken,
            attendeeCount: item.before ?? 0,
            cancelled: true,
          },
        }),
    });
    void drawing.now();
    return form.start();
  }

  return load();
}
