import type { Page } from '../app';
import { confirm } from '../components/dialog';
import { eventForm, posterPreview } from '../components/event-form';
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
import { onReturn } from '../lib/browser';
import { synchronized } from '../lib/clock';
import { announce, byId, focusOn, h } from '../lib/dom';
import { ask, isGone, known, mustWait, onEvents } from '../lib/events';
import { t } from '../lib/i18n';
import { forgetAbout } from '../lib/event-data';
import { checkSaved } from '../lib/import';
import { abandon, drop, onOutbox, staying, unsent } from '../lib/outbox';
import { forget, save } from '../lib/saved';
import { blank } from '../lib/text';
import { filled, newEvent } from './announce';

export { changePage } from './change';

export type Form = ReturnType<typeof newEvent>;
export type State = {
  entries: Entry[];
  message: Message | null;
  /** whether the form is shown instead of the list */
  announcing: boolean;
};

const largest = 1_000_000; // bytes of an imported file
const most = 20; // coming events to read from the service

const listView = (state: State, actions: Actions) => [
  <section class="poster home known" id="home">
    <div class="wrap">
      <h1 id="saved-title" tabindex={-1}>
        {t('mine.title')}
      </h1>
    </div>
  </section>,
  <div class="wrap">
    {savedList(state.entries, actions)}
    <a class="primary large new" href="/?new">
      {icon('plus')}
      {t('form.name')}
    </a>
    {takeAlong(state.entries.length, state.message, actions)}
  </div>,
];

/** Visitors without events also get an explanation. */
function formView(form: Form, state: State, actions: Actions) {
  const listed = state.entries.length > 0;
  const steps = filled(form.state.values);
  return [
    <section class={listed ? 'poster home known' : 'poster home'} id="home">
      <div class="wrap">
        <div>
          <h1 tabindex={-1}>{t('home.title')}</h1>
          {!listed && blank(form.state.values.title) && <p class="lead">{t('home.lead')}</p>}
          {posterPreview(form.state)}
        </div>
        <div class="progress">{tally(steps.filter(Boolean).length, { ghosts: steps.length })}</div>
      </div>
    </section>,
    <div class="wrap">
      {listed && (
        <a class="plain" href="/">
          {t('mine.title')}
        </a>
      )}
      {eventForm(form.state, form.actions)}
      {!listed && takeAlong(0, state.message, actions)}
    </div>,
  ];
}

export async function homePage(page: Page) {
  const { head, show, signal, opened } = page;
  head({ indexed: true });
  const showsForm = () => state.announcing || state.entries.length === 0;
  const draw = () => show(...(showsForm() ? formView(form, state, actions) : listView(state, actions)));
  const drawForm = () => {
    if (showsForm()) draw();
  };
  const form = newEvent(page, drawForm);
  const listed = () =>
    entries().map((entry) => {
      const { event: details, asOf } = known(entry.eventToken, opened) ?? {};
      return { ...entry, details, asOf, gone: isGone(entry.eventToken) };
    });
  const state: State = { entries: listed(), message: null, announcing: form.asked };

  const askForEntries = () => {
    const ahead = state.entries.filter((entry) => !isPast(entry));
    // One answer is enough to check this device's clock, by which all are past.
    for (const { eventToken } of ahead.length ? ahead.slice(0, most) : state.entries.slice(-1))
      if (!mustWait(eventToken)) void ask(eventToken, undefined, false);
  };

  /** Rereads the list, but keeps a form with a draft on the screen. */
  function update() {
    state.announcing ||= state.entries.length === 0 && form.isDraft();
    state.entries = listed();
    draw();
  }

  /** Draws the answers about several events at once. */
  let waiting = 0;
  const updateSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 50);
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
      update();
      focusOn(byId('saved-title') ?? document.querySelector('h1'));
      announce(t('mine.removed'));
    },
    /** @param id of an item that was refused */
    dismiss(id: string) {
      drop(id);
      focusOn(byId('saved-title') ?? document.querySelector('h1'));
    },
    async load(file?: File) {
      if (!file) return;
      let text;
      let kind = 'good' as 'good' | 'bad';
      try {
        if (file.size > largest) throw new SyntaxError('size');
        const added = checkSaved(JSON.parse(await file.text()));
        save(added);
        text = t('mine.imported', { n: added.events.length + added.rsvps.length });
      } catch (error) {
        kind = 'bad';
        text =
          error instanceof SyntaxError ? t('mine.notJSON') : t('mine.notMine', { field: (error as Error).message });
      }
      Object.assign(state, { entries: listed(), message: { kind, text }, announcing: false });
      update();
      focusOn(byId('take-along'));
      announce(text);
      askForEntries();
    },
  };

  onEvents(updateSoon, signal);
  onOutbox((item, { answer }) => {
    update();
    if (answer && item?.kind === 'rsvp' && !item.door) announce(t('rsvp.done', { name: item.name }));
    if (!answer) return;
    if (item?.eventToken) void ask(item.eventToken, 0, false);
    askForEntries();
  }, signal);
  // Another day may have begun.
  const back = () => {
    updateSoon();
    askForEntries();
  };
  onReturn(back, signal);
  draw();
  void form.start().then(() => {
    state.announcing ||= form.isSent();
    drawForm();
  });
  askForEntries();
  void synchronized.then(back);
}
