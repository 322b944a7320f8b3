// @ts-check
import { confirm } from '../components/dialog';
import { eventForm, posterPreview } from '../components/event-form';
import { icon } from '../components/icon';
import { entries, isPast, savedList, takeAlong } from '../components/saved-list';
import { tally } from '../components/tally';
import { onReturn } from '../lib/browser';
import { synchronized } from '../lib/clock';
import { announce, byId, focusOn, h } from '../lib/dom';
import { ask, isGone, known, mustWait, onEvents } from '../lib/events';
import { t } from '../lib/i18n';
import { forgetAbout } from '../lib/event-data';
import { checkSaved } from '../lib/import';
import { abandon, drop, items, onOutbox, staying } from '../lib/outbox';
import { forget, save } from '../lib/saved';
import { blank } from '../lib/text';
import { filled, newEvent } from './announce';

export { changePage } from './change';

/** @typedef {import('../components/saved-list').Entry} Entry */
/** @typedef {import('../components/saved-list').Message} Message */
/** @typedef {import('../components/saved-list').Actions} Actions */
/** @typedef {ReturnType<typeof newEvent>} Form */
/**
 * @typedef {object} State
 * @property {Entry[]} entries
 * @property {Message | null} message
 * @property {boolean} announcing whether the form is shown instead of the list
 */

const largest = 1_000_000; // bytes of an imported file
const most = 20; // coming events to read from the service

/** @param {State} state @param {Actions} actions */
const listView = (state, actions) => [
  h(
    'section',
    { class: 'poster home known', id: 'home' },
    h('div', { class: 'wrap' }, h('h1', { id: 'saved-title', tabindex: -1 }, t('mine.title'))),
  ),
  h(
    'div',
    { class: 'wrap' },
    savedList(state.entries, actions),
    h('a', { class: 'primary large new', href: '/?new' }, icon('plus'), t('form.name')),
    takeAlong(state.entries.length, state.message, actions),
  ),
];

/**
 * Visitors without events also get an explanation.
 * @param {Form} form
 * @param {State} state
 * @param {Actions} actions
 */
function formView(form, state, actions) {
  const listed = state.entries.length > 0;
  const steps = filled(form.state.values);
  return [
    h(
      'section',
      { class: listed ? 'poster home known' : 'poster home', id: 'home' },
      h(
        'div',
        { class: 'wrap' },
        h(
          'div',
          {},
          h('h1', { tabindex: -1 }, t('home.title')),
          !listed && blank(form.state.values.title) && h('p', { class: 'lead' }, t('home.lead')),
          posterPreview(form.state),
        ),
        h('div', { class: 'progress' }, tally(steps.filter(Boolean).length, { ghosts: steps.length })),
      ),
    ),
    h(
      'div',
      { class: 'wrap' },
      listed && h('a', { class: 'plain', href: '/' }, t('mine.title')),
      eventForm(form.state, form.actions),
      !listed && takeAlong(0, state.message, actions),
    ),
  ];
}

/** @param {import('../app').Page} page */
export async function homePage(page) {
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
  /** @type {State} */
  const state = { entries: listed(), message: null, announcing: form.asked };

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
    /** @param {Entry} entry */
    async remove(entry) {
      const body = [
        entry.organizerToken && h('p', {}, t('mine.sureOrganizer')),
        staying(entry).length > 0 && h('p', {}, t('mine.sureGuest')),
        ...entry.items.map(
          (item) => item.kind === 'rsvp' && !item.refused && h('p', {}, t('mine.sureUnsent', { name: item.name })),
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
      items(entry.eventToken).forEach(abandon);
      update();
      focusOn(byId('saved-title') ?? document.querySelector('h1'));
      announce(t('mine.removed'));
    },
    /** @param {string} id of an item that was refused */
    dismiss(id) {
      drop(id);
      focusOn(byId('saved-title') ?? document.querySelector('h1'));
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
        text =
          error instanceof SyntaxError
            ? t('mine.notJSON')
            : t('mine.notMine', { field: /** @type {Error} */ (error).message });
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
    if (answer && item?.kind === 'rsvp') announce(t('rsvp.done', { name: item.name }));
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
