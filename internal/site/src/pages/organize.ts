import { listing, phase, type EventDetails } from '../model/event';
import { drawingOf } from '../lib/drawing';
import { amendVisit, visit, type Page } from './page';
import { few, folded, guestList, step } from '../components/guest-list';
import { loading } from '../components/notice';
import { documentTitle, turnout } from '../components/event-words';
import { layCheckIn } from '../components/print';
import { say, focusOn, onReturn } from '../lib/dom';
import { isMissing, keep, known, mustWait, takeHTML } from '../model/events';
import { isUUID } from '../lib/guards';
import { checkInNames } from '../model/attendees';
import { paint } from '../lib/head';
import { locale, t } from '../lib/i18n';
import { saveAccepted, savedEvent } from '../model/saved';
import { onOtherTabs } from '../lib/storage';
import { plain } from '../lib/text';
import { eventURL, organizerPath } from '../lib/urls';
import { attendance, wrongSecret, type OrganizeFacts } from './attendance';
import { followEvent, refused, unreachable } from './errors';
import { checkIn } from './check-in';
import { ending } from './organize-end';
import { outcome, view, type OrganizeParts } from './organize-view';

const interval = 20_000;

/** The names of the last n guests, or the number of all guests if n is more than a few. */
const newGuests = ({ event, names }: OrganizeFacts, n: number) =>
  n > few ? turnout(event) : t('mine.guest', { n, name: new Intl.ListFormat(locale).format(names.slice(-n)) });

export async function organizePage(page: Page, eventToken: string, organizerToken: string) {
  const { head, show, signal, opened, fragment } = page;
  const { created, changed, checkIn: isCheckIn } = visit();
  const entry = savedEvent(eventToken);
  const isOurs = entry?.organizerToken === organizerToken; // whether this device has saved the link
  const isGiven = fragment.has('organizer');
  let isWrong = false;
  // Show known details at once, with placeholders for the names.
  const isEarly = isUUID(organizerToken) && (takeHTML(eventToken) || isOurs) && Boolean(known(eventToken));
  const atFirst = known(eventToken)?.event;
  const hadNone = atFirst ? !atFirst.attendeeCount : Boolean(created);

  const drawing = drawingOf(signal, factsOf, draw);
  const kept = isCheckIn ? checkInNames(eventToken) : null;
  const guests = attendance(eventToken, organizerToken, drawing, kept, accept);
  const checkingIn = checkIn(page, eventToken, drawing, guests.names, look);
  const parts: OrganizeParts = {
    organizerToken,
    hadNone,
    created,
    changed,
    hadCopy: isGiven || Boolean(isOurs && entry.copied),
    soon: drawing.soon,
    async dismissed() {
      if (await drawing.soon()) focusOn(document.querySelector('h1'));
    },
    again,
    list: guestList(drawing, created || hadNone ? 0 : folded()),
    checkIn: checkingIn,
    cancel: ending(eventToken, organizerToken, drawing),
  };

  /** Returns the facts for drawing, or null if the page cannot show anything yet. */
  function factsOf(): OrganizeFacts | null {
    const { complete, fresh } = guests.own;
    // Until the names have been read, show that the details are old.
    const newest = known(eventToken, complete ? opened : Infinity);
    const asOf = newest ? newest.asOf : null;
    // Before the service accepts the secret, show this device's copy only to the holder of the saved secret.
    if (isWrong || !newest || (!complete && !isOurs && (asOf || !isEarly))) return null;
    const { event } = newest;
    const names = complete || !asOf || kept ? guests.own.names : [];
    const waiting = event.attendeeCount > 0 && !complete && !asOf && !names.length;
    const placeholders = Array<string>(Math.min(event.attendeeCount, step)).fill('\u00a0');
    return { event, asOf, names: waiting ? placeholders : names, fresh, complete, waiting };
  }

  const entitle = (event: EventDetails) =>
    head({
      title: event.cancelled ? documentTitle(event) : plain(t('organize.head', event)),
      canonical: eventURL(eventToken),
    });

  function draw(facts: OrganizeFacts, last: OrganizeFacts | null) {
    if (last?.complete && phase(last.event) !== phase(facts.event)) entitle(facts.event);
    if (facts.asOf && !last?.asOf) say(facts.asOf.error.words);
    const news = !last && outcome({ ...facts, ...parts });
    if (news) say(news);
    else if (last?.complete && facts.fresh > last.fresh && !checkingIn.own.guests)
      say(newGuests(facts, facts.fresh - last.fresh));
    paint(facts.event.title, phase(facts.event) === 'cancelled');
    return show(...view({ ...facts, ...parts }));
  }

  /**
   * Saves the event of a private link once the service has accepted the link's secret. Only then does the secret leave
   * the URL, which may be the only copy. The state of this history entry outlives the stored list.
   */
  function accept() {
    const event = known(eventToken)?.event;
    if (!event) return;
    entitle(event);
    if (isGiven && saveAccepted({ ...listing(event), organizerToken, copied: true })) {
      keep(eventToken);
      amendVisit({ organizer: organizerToken }, organizerPath(eventToken));
    }
    void checkingIn.follow();
  }

  async function load() {
    if (isEarly) {
      void checkingIn.follow();
      void drawing.now();
    }
    if (!drawing.shown()) {
      head({ title: t('event.loading'), canonical: eventURL(eventToken) });
      void show(loading());
    }
    const error = await look();
    if (error && !isOurs && !isWrong && !isMissing(eventToken)) unreachable(page, error, load);
  }

  /** Reads and shows the event and its guests. Resolves to the error, if any. */
  async function look() {
    const error = await guests.read(Boolean(checkingIn.own.guests));
    if (signal.aborted) return null;
    isWrong = error?.code === wrongSecret;
    if (isWrong) refused(page, eventToken, organizerToken);
    checkingIn.keep();
    return error;
  }

  async function again() {
    await look();
    const asOf = drawing.shown()?.asOf;
    if (asOf) say(asOf.error.words);
  }

  // Reads in the background. After a failure, the next interval tries again.
  function poll() {
    if (!document.hidden && !isWrong && !mustWait(eventToken) && (guests.own.complete || drawing.shown()?.asOf))
      void look();
  }

  followEvent(page, eventToken, drawing.soon);
  const timer = setInterval(poll, interval);
  signal.addEventListener('abort', () => clearInterval(timer));
  onReturn(poll, signal);
  const print = () => {
    const facts = drawing.shown();
    if (facts) layCheckIn({ ...facts, names: guests.own.names });
  };
  addEventListener('beforeprint', print, { signal });
  onOtherTabs(`here.${eventToken}`, drawing.soon, signal);
  await load();
}
