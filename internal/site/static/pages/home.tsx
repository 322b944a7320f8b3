import { drawingOf, setter, type Page } from '../lib/page';
import { confirm } from '../components/dialog';
import { eventForm, homeHead, posterPreview } from '../components/event-form';
import { icon } from '../components/icon';
import {
  entries,
  isPast,
  savedList,
  takeAlong,
  type Actions,
  type Entry,
  type Message,
} from '../components/saved-list';
import { tally } from '../components/tally';
import { synchronized } from '../lib/time';
import { announce, byId, focusOn, h, onReturn, patch } from '../lib/dom';
import { ask, forgetAbout, mustWait, onEvents } from '../lib/events';
import { t } from '../lib/i18n';
import { checkSaved } from '../lib/import';
import { abandon, drop, onOutbox, staying, unsent } from '../lib/outbox';
import { forget, save } from '../lib/saved';
import { blank } from '../lib/text';
import { organizerPath } from '../lib/urls';
import { filled, newEvent } from './announce';

export { changePage } from './change';

type Form = ReturnType<typeof newEvent>;
/** What only the page knows. */
type Own = {
  message: Message | null;
  /** whether the form is shown instead of the list */
  announcing: boolean;
};

const largest = 1_000_000; // bytes of an imported file; a longer one is cut, and is no list then
const most = 20; // coming events to read from the service

const listView = (all: Entry[], actions: Actions) => [
  homeHead(
    true,
    <div class="titled">
      <h1 id="saved-title" tabindex={-1}>
        {t('mine.title')}
      </h1>
      <a href="/?new" aria-label={t('form.name')}>
        {icon('plus')}
      </a>
    </div>,
  ),
  <div class="wrap">{savedList(all, actions)}</div>,
];

/** Visitors without events also get an explanation. */
function formView(form: Form, isListed: boolean) {
  const state = form.state();
  const steps = filled(state.values);
  return [
    homeHead(
      isListed,
      <div>
        <h1 tabindex={-1}>{t('home.title')}</h1>
        {!isListed && blank(state.values.title) && <p class="lead">{t('home.lead')}</p>}
        {posterPreview(state)}
      </div>,
      <div class="progress">{tally(steps.filter(Boolean).length, { ghosts: steps.length })}</div>,
    ),
    <div class="wrap">
      {isListed && (
        <a class="plain" href="/">
          {t('mine.title')}
        </a>
      )}
      {eventForm(state, form.actions)}
    </div>,
  ];
}

/** Adds the entries of a file to the list. */
async function importFrom(file: File): Promise<Message> {
  try {
    const added = checkSaved(JSON.parse(await file.slice(0, largest).text()));
    save(added);
    return { kind: 'good', text: t('mine.imported', { n: added.events.length + added.rsvps.length }) };
  } catch (error) {
    const field = error instanceof SyntaxError ? '' : (error as Error).message;
    return { kind: 'bad', text: field ? t('mine.notMine', { field }) : t('mine.notJSON') };
  }
}

export async function homePage(page: Page) {
  const { head, show, go, signal, opened } = page;
  head({ indexed: true });
  const drawing = drawingOf(signal, () => entries(opened), draw);
  const form = newEvent(page, drawing);
  const own: Own = { message: null, announcing: form.asked };
  const set = setter(own, drawing);

  function draw(all: Entry[]) {
    // A form with a draft stays on the screen when the list gets an entry.
    own.announcing ||= form.isSent() || (!all.length && form.isDraft());
    if (own.announcing || !all.length) show(...formView(form, all.length > 0));
    else show(...listView(all, actions));
    patch(byId('bottom'), takeAlong(all.length, own.message, actions));
  }

  const toHeading = () => focusOn(document.querySelector('h1'));

  const askForEntries = () => {
    const all = entries(opened);
    const ahead = all.filter((entry) => !isPast(entry));
    // One answer is enough to check this device's clock, by which all are past.
    for (const { eventToken, rsvps } of ahead.length ? ahead.slice(0, most) : all.slice(-1))
      if (!mustWait(eventToken)) void ask(eventToken, undefined, rsvps.length > 0); // a guest is told of a move
  };

  const actions = {
    async remove(entry: Entry) {
      const body = [
        entry.organizerToken && <p>{t('mine.sureOrganizer')}</p>,
        staying(entry).length > 0 && <p>{t('mine.sureGuest')}</p>,
        ...entry.items.map(
          (item) =>
            item.kind === 'rsvp' && !item.door && !item.refused && <p>{t('mine.sureUnsent', { name: item.name })}</p>,
        ),
      ];
      if (
        !(await confirm({
          title: t('mine.sure', { title: entry.title }),
          body,
          yes: t('mine.remove'),
          no: t('mine.keep'),
        }))
      )
        return;
      forget(entry.eventToken);
      forgetAbout(entry.eventToken);
      unsent(entry.eventToken).forEach(abandon);
      announce(t('mine.removed'));
      if (await set()) toHeading();
    },
    checkIn({ eventToken }: Entry) {
      history.pushState(null, '', organizerPath(eventToken)); // for Back
      go(organizerPath(eventToken), { door: true });
    },
    /** @param id of an item that was refused */
    async dismiss(id: string) {
      drop(id);
      if (await set()) toHeading();
    },
    async forget({ eventToken, withdrawn }: Entry) {
      for (const { rsvpToken } of withdrawn) forget(eventToken, rsvpToken);
      if (await set()) toHeading();
    },
    async load(file: File) {
      const message = await importFrom(file);
      announce(message.text);
      askForEntries();
      if (await set({ message, announcing: false })) focusOn(byId('take-along'));
    },
  };

  onEvents(drawing.soon, signal);
  onOutbox((item, { answer }) => {
    void set();
    if (!answer || !item) return;
    if (item.kind === 'rsvp' && !item.door) announce(t('rsvp.done', { name: item.name }));
    if (item.eventToken) void ask(item.eventToken, 0, false);
    askForEntries();
  }, signal);
  // Another day may have begun.
  const back = () => {
    void drawing.soon();
    askForEntries();
  };
  onReturn(back, signal);
  drawing.now();
  void form.start();
  askForEntries();
  void synchronized.then(back);
}
