import { synchronized } from '../lib/clock';
import { drawingOf, setter } from '../lib/drawing';
import { visit, type Page } from './page';
import { button } from '../components/buttons';
import { composer, homeHead, posterPreview, type Form } from '../components/event-form';
import { icon } from '../components/icon';
import { imprint, notice } from '../components/notice';
import { entries, isPast, savedList, type Entry } from '../components/saved-list';
import { afterPaint, say, byId, focusOn, h, keptRows, onReturn, part, patch } from '../lib/dom';
import { ask, mustWait, onEvents } from '../model/events';
import { t } from '../lib/i18n';
import { NoList, readSaved } from '../model/import';
import { onOutbox } from '../model/outbox';
import { exportSaved, save } from '../model/saved';
import { sentences } from '../lib/text';
import { newEvent } from './announce';

export { changePage } from './announce';

/** The state of the page itself. */
type Own = {
  /** the outcome of importing a file */
  message: { kind: 'good' | 'bad'; text: string } | null;
  /** whether the form is shown instead of the list */
  announcing: boolean;
};

const largest = 1_000_000; // bytes of an imported file; a longer file is cut, so that it is no valid list
const first = 10; // cards before the first paint
const batch = 20; // cards that a further task draws
const asked = 20; // the number of coming events to read from the service

/** The form of a new event. Visitors without events also get an explanation. */
const formView = (state: Form, isListed: boolean) => [
  homeHead(
    isListed,
    <h1 tabindex={-1}>{t('home.title')}</h1>,
    !isListed && <p class="lead">{t('home.lead')}</p>,
    posterPreview(state),
  ),
  composer(
    state,
    isListed && (
      <a class="plain" href="/">
        {t('mine.title')}
      </a>
    ),
  ),
];

/** Adds the entries of a file to the list, and returns the message about the outcome. */
async function importFrom(file: File): Promise<NonNullable<Own['message']>> {
  try {
    const added = readSaved(
      await file
        .slice(0, largest)
        .text()
        .catch(() => ''),
    );
    save(added);
    const events = new Set([...added.events, ...added.rsvps].map(({ eventToken }) => eventToken));
    return { kind: 'good', text: t('mine.imported', { n: events.size }) };
  } catch (error) {
    if (!(error instanceof NoList)) throw error;
    const { line } = error;
    return { kind: 'bad', text: line ? t('mine.wrongLine', { line }) : t('mine.notMine') };
  }
}

export async function homePage(page: Page) {
  const { head, show, go, signal, opened } = page;
  head({ indexed: true });
  const drawing = drawingOf(signal, () => entries(opened), draw);
  const form = newEvent(page, drawing);
  const { scroll } = visit();
  // The cards that drawings may still describe before the next paint. At a former position, cards fill the window, and
  // 90 pixels have three cards at most.
  let left = scroll ? (scroll + innerHeight) / 30 : first;
  let nextPaint = 0; // the request of a frame
  const own: Own = { message: null, announcing: form.asked };
  const kept = keptRows();
  const row: typeof kept = (id, inputs, describe) => kept(id, inputs, () => left-- > 0 && describe());
  const set = setter(own, drawing);

  function draw(all: Entry[]) {
    patch(part('bottom'), [takeAlong(all.length), imprint()]);
    const content = own.announcing || !all.length ? formView(formState(), all.length > 0) : listView(all);
    cancelAnimationFrame(nextPaint);
    const isPart = left < 0;
    nextPaint = afterPaint(() => {
      left = batch;
      // Draw the rest from the facts of the last drawing: otherwise each part would read all of storage.
      if (isPart && !signal.aborted) void draw(drawing.shown() ?? all);
    });
    return show(...content);
  }

  /** Typing keeps the form on the screen, even if the list gets an entry meanwhile. */
  function formState(): Form {
    const state = form.state();
    const type: Form['type'] = (name, value) => {
      own.announcing = true;
      state.type(name, value);
    };
    return { ...state, type };
  }

  const listView = (all: Entry[]) => [
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
    <div class="wrap">{savedList(all, { go, done, row })}</div>,
  ];

  /** The footer, which exports and imports the list for another device. */
  const takeAlong = (count: number) => (
    <div class="wrap" id="take-along">
      {own.message && notice(own.message.kind, <p>{own.message.text}</p>)}
      <p>{count > 0 ? sentences(t('site.foot'), t('mine.secret')) : t('site.foot')}</p>
      <div class="row">
        {count > 0 && button(t('mine.export'), exportSaved, 'plain')}
        <label class="plain">
          {t('mine.import')}
          <input
            type="file"
            id="import"
            value=""
            class="unseen"
            accept=".json,application/json"
            onchange={({ target: { files } }) => files?.[0] && load(files[0])}
          />
        </label>
      </div>
    </div>
  );

  async function load(file: File) {
    const message = await importFrom(file);
    say(message.text);
    askForEntries();
    if (await set({ message, announcing: false })) focusOn(byId('take-along'));
  }

  async function done() {
    if (await set()) focusOn(document.querySelector('h1'));
  }

  function askForEntries() {
    const all = entries(opened);
    const ahead = all.filter((entry) => !isPast(entry));
    // If all events are past by this device's clock, one response is enough to check the clock.
    for (const { eventToken, guests } of ahead.length ? ahead.slice(0, asked) : all.slice(-1))
      if (!mustWait(eventToken)) void ask(eventToken, undefined, guests.length > 0); // guests need the target
  }

  onEvents(drawing.later, signal);
  onOutbox((item, { answer }) => {
    drawing.later();
    if (!answer || !item) return;
    if (item.kind === 'rsvp' && !item.nth) say(t('rsvp.done', { name: item.name }));
    if (item.eventToken) void ask(item.eventToken, 0, false);
    askForEntries();
  }, signal);
  onReturn(askForEntries, signal);
  void drawing.now();
  // A draft that was taken over also keeps the form on the screen. Take the draft over before the outbox starts:
  // otherwise the form would miss the response to its announcement.
  void form.start().then(() => {
    if (form.isSent() || (!entries(opened).length && form.isDraft())) void set({ announcing: true });
  });
  afterPaint(() => signal.aborted || askForEntries());
  void synchronized.then(() => {
    void drawing.soon(); // draw with the corrected clock
    askForEntries();
  });
}
