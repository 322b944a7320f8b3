import { amendVisit, drawingOf, setter, type Page } from '../lib/page';
import { APIError, getRSVP, type EventDetails } from '../lib/api';
import type { PanelFacts } from '../components/own-rsvp';
import { question } from '../components/moved';
import { loading } from '../components/notice';
import { announce, byId, onReturn } from '../lib/dom';
import { ask, isGone, keep, known, mustWait, takeHTML, targetOf } from '../lib/events';
import { paint } from '../lib/head';
import { t } from '../lib/i18n';
import { remembered } from '../lib/handlers';
import { isHalfSent, items, staying } from '../lib/outbox';
import { isUUID } from '../lib/guards';
import { amend, outlives, save, savedRSVPs, withdrawnRSVPs, type SavedRSVP } from '../lib/saved';
import { blank } from '../lib/text';
import { phase } from '../lib/time';
import { eventPath, eventURL, tokenIn } from '../lib/urls';
import { followEvent, unknownEvent, unreachable } from './errors';
import { view, type EventOwn } from './event-view';
import { keepName, rsvpActions, typed } from './rsvps';

/** Returns what stores know about an event, or null. */
function factsOf(eventToken: string, opened: number): PanelFacts | null {
  const newest = known(eventToken, opened);
  if (!newest) return null;
  const { event, asOf } = newest;
  const target = targetOf(eventToken);
  const unsent = items().filter((item) =>
    item.eventToken === target ? item.kind === 'rsvp' : item.eventToken === eventToken,
  );
  const leaving = unsent.filter(({ kind, refused }) => kind === 'withdraw' && !refused);
  // The service may already have carried out a withdrawal whose answer is missing.
  const fewer = leaving.filter(({ error }) => !error).length;
  const attendeeCount = Math.max(0, event.attendeeCount - fewer);
  const rsvps = savedRSVPs(eventToken).filter(
    ({ rsvpToken }) => !isHalfSent(eventToken) && !leaving.some(({ id, early }) => id === rsvpToken && !early),
  );
  return { event: { ...event, attendeeCount }, asOf, rsvps, items: unsent, withdrawn: withdrawnRSVPs(eventToken) };
}

const pause = 60_000; // between two reads of an RSVP

/** Asks the service for an RSVP that somebody else may have withdrawn. */
async function check({ eventToken, rsvpToken, asked = 0 }: SavedRSVP) {
  if (Math.abs(Date.now() - asked) < pause) return;
  amend(rsvpToken, { asked: Date.now() });
  try {
    const { name } = await getRSVP(eventToken, rsvpToken);
    amend(rsvpToken, { name, byLink: undefined });
  } catch (error) {
    if (error instanceof APIError && error.code === 'rsvp-not-found') amend(rsvpToken, { gone: true });
  }
}

/** Why nobody can sign up any more, in words, or "". */
const end = (event: EventDetails) => (event.to ? question(event) : event.cancelled ? t('event.cancelled') : '');

/** The page of an event, for its guests. */
export async function eventPage(page: Page, eventToken: string) {
  const { head, show, signal, opened, fragment } = page;
  // A name may have been typed into the HTML's form before the script ran.
  const field = byId('name');
  const inHTML = takeHTML(eventToken);
  const written = inHTML && field instanceof HTMLInputElement ? field.value : '';
  const own: EventOwn = {
    closed: false,
    name: written || typed(eventToken),
    error: '',
    away: false,
    fresh: 0,
    number: 0,
    thanks: false,
    organize: fragment.has('organize'),
  };
  const drawing = drawingOf(signal, facts, draw);
  const set = setter(own, drawing);

  function facts() {
    const isFirst = !drawing.shown() && known(eventToken);
    if (isFirst) adopt();
    const newest = factsOf(eventToken, opened);
    if (isFirst && newest) for (const rsvp of staying(newest)) if (rsvp.shared) void check(rsvp).then(drawing.soon);
    return newest;
  }

  function draw(newest: PanelFacts, last: PanelFacts | null) {
    const { event, asOf, withdrawn } = newest;
    if (!last) head({ title: event.title, canonical: eventURL(eventToken) });
    if (last && end(event) && end(event) !== end(last.event)) announce(end(event));
    else if (asOf && !last?.asOf) announce(asOf.error.words);
    if (withdrawn.length > (last?.withdrawn.length ?? 0)) announce(t('yours.withdrawn'));
    paint(event.title, phase(event) === 'cancelled');
    show(...view({ ...own, ...newest }, actions));
  }

  byId('main').addEventListener(
    'drawn',
    () => {
      const form = byId('rsvp');
      watcher.disconnect();
      if (form) watcher.observe(form);
      else setAway(false);
    },
    { signal },
  );

  function setAway(away: boolean) {
    if (own.away !== away) void set({ away });
  }

  // The bar is shown while the form is out of view.
  const watcher = new IntersectionObserver((entries) => {
    setAway(!entries.at(-1)?.isIntersecting); // the last entry is the current state
  });
  signal.addEventListener('abort', () => watcher.disconnect());

  async function load() {
    if (known(eventToken)) {
      drawing.now();
      if (inHTML && 'entered' in document.documentElement.dataset) {
        void actions.keepWhole(); // see early.js
        void actions.submit();
      }
      return ask(eventToken);
    }
    head({ title: t('event.loading'), canonical: eventURL(eventToken) });
    show(loading());
    if (!isUUID(eventToken)) return unknownEvent(page);
    const error = await ask(eventToken);
    if (error && !signal.aborted && !known(eventToken) && !isGone(eventToken)) unreachable(page, error, load);
    return undefined;
  }

  // A guest's own link saves the RSVP on this device.
  function adopt() {
    const event = known(eventToken)?.event;
    const rsvpToken = tokenIn(fragment.get('rsvp') ?? '');
    const name = fragment.get('name') ?? '';
    if (!event || !isUUID(rsvpToken) || blank(name)) return;
    save({ rsvps: [{ ...remembered(event, { rsvpToken, name }), byLink: true, shared: true }] });
    keep(eventToken);
    // Unless it is stored, the address may be the only copy.
    if (outlives()) amendVisit({}, eventPath(eventToken));
  }

  /** Resolves to whether the count was read. */
  const refresh = async (within: number = 0) => !(await ask(eventToken, within));

  const actions = {
    ...rsvpActions(own, set, { page, eventToken, drawing, refresh }),
    async again() {
      const asOf = !(await refresh()) && drawing.shown()?.asOf;
      if (asOf) announce(asOf.error.words);
    },
    toForm() {
      byId('panel').scrollIntoView();
      byId('name')?.focus({ preventScroll: true });
    },
  };

  followEvent(page, eventToken, drawing.soon);
  // Another day may have begun.
  function renew() {
    void drawing.soon();
    if (!mustWait(eventToken)) void refresh(20_000);
  }
  onReturn(renew, signal);
  if (written) keepName(eventToken, written);
  await load();
}
