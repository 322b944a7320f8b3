import { isComing, newest, phase, type EventDetails } from '../model/event';
import { drawingOf, setter } from '../lib/drawing';
import { APIError } from '../model/api';
import { amendVisit, type Page } from './page';
import { button } from '../components/buttons';
import { calendarLink, otherCalendars } from '../components/calendar-links';
import { eventOfForm, whatMoved } from '../components/moved';
import { loading, notice } from '../components/notice';
import { newPanel, rowsOf, type PanelFacts } from '../components/own-rsvp';
import { documentTitle } from '../components/event-words';
import { poster } from '../components/poster';
import { withdrawnText } from '../components/withdrawn';
import { dashed, rsvpPanel } from '../components/rsvp-panel';
import { shareLink } from '../components/share-link';
import { hadStranger, refresh } from '../model/refresh';
import { say, byId, focusOn, h, keptRows, onReturn, part } from '../lib/dom';
import { ask, isMissing, keep, known, mustWait, takeHTML, targetOf } from '../model/events';
import { isUUID } from '../lib/guards';
import { counted, guestsHere, isOnList, type Guest } from '../model/guests';
import { paint } from '../lib/head';
import { t } from '../lib/i18n';
import { outlives, rsvpOf, save, savedEvent, type SavedRSVP } from '../model/saved';
import { isName } from '../lib/text';
import { tokenIn } from '../lib/paths';
import { eventPath, eventURL, organizerPath } from '../lib/urls';
import { followEvent, unknownEvent, unreachable } from './errors';
import { keepName, rsvpActions, typed } from './rsvps';

/** Returns the stores' facts about an event, or null. */
function factsOf(eventToken: string, opened: number): PanelFacts | null {
  const found = known(eventToken, opened);
  if (!found) return null;
  const target = targetOf(eventToken);
  const guests = guestsHere(eventToken);
  const there = target ? guestsHere(target) : [];
  const stranger = hadStranger(eventToken);
  return { event: counted(found.event, guests), asOf: found.asOf, guests, there, stranger };
}

const pause = 60_000; // milliseconds between two reads of an RSVP
const again = 20_000; // milliseconds after a read that failed

/**
 * Asks the service for an RSVP that somebody else may have withdrawn. Resolves to the milliseconds after which to ask
 * again; 0 means never.
 */
async function check(rsvp: SavedRSVP) {
  const isRecent = Math.abs(Date.now() - (rsvp.asked ?? 0)) < pause;
  try {
    if (!isRecent) await refresh(rsvp);
    return 0;
  } catch (error) {
    return Math.max(again, error instanceof APIError ? error.retryAfter * 1000 : 0);
  }
}

const numberOf = (how: Guest['stands'], guests: Guest[]) => guests.filter(({ stands }) => stands === how).length;

/** The reason in words why nobody can sign up any more, or "". */
const end = (event: EventDetails) => (event.to ? whatMoved(event) : event.cancelled ? t('event.cancelled') : '');

function about(eventToken: string, event: EventDetails, isGuest: boolean) {
  const calendar = !isGuest && calendarLink(event, false);
  return (
    <div class="wrap about">
      {savedEvent(eventToken) && (
        <p class="manage">
          <a href={organizerPath(eventToken)}>{t('event.manage')}</a>
        </p>
      )}
      {calendar && (
        <div class="tools row">
          {calendar}
          {shareLink(event)}
          {otherCalendars(event)}
        </div>
      )}
    </div>
  );
}

/** Saves the RSVP of a guest's own link on this device. */
function adoptLink({ fragment }: Page, event: EventDetails) {
  const { eventToken } = event;
  const rsvpToken = tokenIn(fragment.get('rsvp') ?? '');
  const name = fragment.get('name') ?? '';
  if (!isUUID(rsvpToken) || !isName(name)) return;
  save({ rsvps: [{ ...rsvpOf(event, { rsvpToken, name }), byLink: true, shared: true }] });
  keep(eventToken);
  // Keep the link in the URL unless storage has the RSVP: the URL may be the only copy.
  if (outlives()) amendVisit({}, eventPath(eventToken));
}

/** Reports whether the form is out of view, after each drawing and while the visitor scrolls. */
function watchForm(signal: AbortSignal, changed: (isAway: boolean) => void) {
  const watcher = new IntersectionObserver((entries) => {
    changed(!entries.at(-1)?.isIntersecting); // the last entry is the current state
  });
  signal.addEventListener('abort', () => watcher.disconnect());
  const watch = () => {
    const form = byId('rsvp');
    watcher.disconnect();
    if (form) watcher.observe(form);
    else changed(false);
  };
  part('main').addEventListener('drawn', watch, { signal });
}

const prose = () => document.querySelector<HTMLElement>('.description .prose');

/** Reports whether the description is cut off, after each drawing and when the window changes. */
function measureDescription(signal: AbortSignal, changed: (isCut: boolean) => void) {
  const measure = () => {
    const { scrollHeight = 0, clientHeight = 0 } = prose() ?? {};
    changed(scrollHeight > clientHeight + 1);
  };
  part('main').addEventListener('drawn', measure, { signal });
  addEventListener('resize', measure, { signal });
}

/** The page of an event, for its guests. */
export async function eventPage(page: Page, eventToken: string) {
  const { head, show, signal, opened, fragment } = page;
  // A visitor may have typed a name into the HTML's form before the script ran.
  const field = byId('name');
  const inHTML = takeHTML(eventToken);
  const written = inHTML && field instanceof HTMLInputElement ? field.value : '';
  /**
   * `away` says whether the form is out of view, `isCut` whether the description is cut off, `isWhole` whether it is
   * unfolded.
   */
  const own = { ...newPanel, name: written || typed(eventToken), away: false, isCut: false, isWhole: false };
  const drawing = drawingOf(signal, () => factsOf(eventToken, opened), draw);
  const set = setter(own, drawing);
  const row = keptRows();

  let isKnown = false;

  let asking = 0;

  /** Checks RSVPs that others may have withdrawn. After a failure, a visible page asks again after a pause. */
  async function checkGuests() {
    clearTimeout(asking);
    const shared = guestsHere(eventToken).filter(({ rsvp }) => rsvp?.shared);
    const pauses = shared.filter(isOnList).map(({ rsvp }) => check(rsvp).finally(drawing.soon));
    const wait = Math.max(0, ...(await Promise.all(pauses)));
    clearTimeout(asking);
    if (wait) asking = setTimeout(() => signal.aborted || document.hidden || checkGuests(), wait);
  }

  /** Saves the RSVP of an own link, and checks it. The event must be known. */
  function meet() {
    const event = known(eventToken)?.event;
    if (isKnown || !event) return;
    isKnown = true;
    adoptLink(page, event);
    void checkGuests();
  }

  function draw(found: PanelFacts, last: PanelFacts | null) {
    const { event, asOf, guests } = found;
    const title = documentTitle(event);
    if (!last || documentTitle(last.event) !== title) head({ title, canonical: eventURL(eventToken) });
    const ended = end(event);
    if (last && ended && ended !== end(last.event)) say(ended);
    else if (asOf && !last?.asOf) say(asOf.error.words);
    if (numberOf('gone', guests) > numberOf('gone', last?.guests ?? [])) say(withdrawnText(guests));
    if (found.stranger && !last?.stranger) say(t('yours.stranger'));
    paint(event.title, phase(event) === 'cancelled');
    const panel = { ...own, ...found, ...actions, row };
    const made = numberOf('in', event.to ? found.there : guests);
    const isGuest = rowsOf(found).length > 0;
    return show(
      fragment.has('organize') && !savedEvent(eventToken) && notice('bad', <p>{t('event.noSecret')}</p>),
      poster(event, made ? '' : t('event.kicker'), {
        own: made,
        fresh: own.fresh,
        next: isComing(newest(event)) ? Math.max(0, dashed(panel) - made) : 0,
        aside: rsvpPanel(panel),
        isCut: own.isCut,
        unfold: own.isWhole ? undefined : unfold,
      }),
      about(eventToken, eventOfForm(panel), isGuest),
      own.away && !isGuest && !own.thanks && isComing(eventOfForm(panel)) && (
        <div class="bar" id="bar">
          {button(t('rsvp.submit'), toForm, 'primary')}
        </div>
      ),
    );
  }

  async function unfold() {
    if (await set({ isWhole: true })) focusOn(prose());
  }

  function toForm() {
    byId('panel')?.scrollIntoView();
    byId('name')?.focus({ preventScroll: true });
  }

  measureDescription(signal, (isCut) => void (own.isCut === isCut || set({ isCut })));
  // Show the bar while the form is out of view.
  watchForm(signal, (away) => void (own.away === away || set({ away })));

  async function load() {
    if (known(eventToken)) {
      meet();
      void drawing.now();
      if (inHTML && 'entered' in document.documentElement.dataset) {
        void actions.keepWhole(); // early.js has noted that the visitor pressed Enter
        void actions.submit();
      }
      return void ask(eventToken);
    }
    head({ title: t('event.loading'), canonical: eventURL(eventToken) });
    void show(loading());
    if (!isUUID(eventToken)) return unknownEvent(page);
    const error = await ask(eventToken);
    if (error && !signal.aborted && !known(eventToken) && !isMissing(eventToken)) unreachable(page, error, load);
  }

  const actions = rsvpActions(page, eventToken, own, drawing);
  followEvent(page, eventToken, () => {
    meet();
    void drawing.soon();
  });
  onReturn(() => {
    void checkGuests();
    if (!mustWait(eventToken)) void ask(eventToken);
  }, signal);
  if (written) keepName(eventToken, written);
  await load();
}
