import type { Page } from '../lib/page';
import { folded, step } from '../components/guest-list';
import { loading } from '../components/notice';
import { layCheckIn } from '../components/print';
import { onReturn } from '../lib/browser';
import { announce } from '../lib/dom';
import { drawingOf } from '../lib/drawing';
import { isGone, known, mustWait, takeHTML } from '../lib/events';
import { isUUID } from '../lib/guards';
import { checkedIn, doorNames } from '../lib/guest-data';
import { paint } from '../lib/head';
import { visit } from '../lib/history';
import { t } from '../lib/i18n';
import { onOtherTabs } from '../lib/storage';
import { plain } from '../lib/text';
import { eventURL } from '../lib/urls';
import { attendance, wrongSecret } from './attendance';
import { followEvent, refused, unreachable } from './errors';
import { door } from './organize-door';
import { ending } from './organize-end';
import { organizersLink } from './organize-link';
import { guestsList } from './organize-list';
import { view, type OrganizeFacts } from './organize-view';

const interval = 20_000;

/** The page of an event, for its organizer. */
export async function organizePage(page: Page, eventToken: string, organizerToken: string) {
  const { head, show, signal, opened } = page;
  const { created = false, changed = null } = visit();
  const secret = { eventToken, organizerToken };
  let isWrong = false;

  const drawing = drawingOf(signal, factsOf, draw);
  const kept = visit().door ? doorNames(eventToken) : null;
  const guests = attendance(secret, drawing, { kept, accepted: accept });
  const link = organizersLink(page, secret, drawing);
  const list = guestsList(drawing, created ? 0 : folded);
  const atDoor = door(page, eventToken, drawing, {
    names: () => (guests.own.complete ? guests.own.names : kept),
    look,
  });
  const end = ending({ ...secret, changed }, drawing);
  // Known details are shown at once, with placeholders for the names.
  const isEarly = isUUID(organizerToken) && (takeHTML(eventToken) || link.isOurs) && Boolean(known(eventToken));

  /** Returns what stores know, and the names, or null if there is nothing to show yet. */
  function factsOf(): OrganizeFacts | null {
    const { complete, loaded, fresh } = guests.own;
    const isRead = complete || loaded !== null;
    // Until the names have been read, the details count as old.
    const newest = known(eventToken, complete ? opened : Infinity);
    const asOf = loaded === null && newest ? newest.asOf : null;
    // Before the service accepts the secret, only the saved one opens the copy.
    if (isWrong || !newest || (!isRead && !link.isOurs && (asOf || !isEarly))) return null;
    const { event } = newest;
    const names = isRead || !asOf || kept ? guests.own.names : [];
    const waiting = event.attendeeCount > 0 && !isRead && !asOf && !names.length;
    return {
      event,
      asOf,
      names: waiting ? Array<string>(Math.min(event.attendeeCount, step)).fill('\u00a0') : names,
      fresh,
      complete,
      loaded,
      waiting,
      here: checkedIn(eventToken),
    };
  }

  function draw(facts: OrganizeFacts, last: OrganizeFacts | null) {
    if (facts.asOf && !last?.asOf) announce(facts.asOf.error.words);
    paint(facts.event.title);
    show(
      ...view(
        { ...facts, organizerToken, created, changed, list: list.own, door: atDoor.own, link: link.own, end: end.own },
        { again, list: list.actions, door: { ...atDoor.actions, open }, link: link.actions, end: end.actions },
      ),
    );
  }

  /** The service has accepted the secret. */
  function accept() {
    const event = known(eventToken)?.event;
    if (!event || signal.aborted) return;
    head({ title: plain(t('organize.head', { title: event.title })), canonical: eventURL(eventToken) });
    link.adopt();
    end.takeRefusal();
    void atDoor.follow();
  }

  async function load() {
    if (isEarly) {
      void atDoor.follow();
      drawing.now();
    }
    if (!drawing.shown()) {
      head({ title: t('event.loading'), canonical: eventURL(eventToken) });
      show(loading());
    }
    const error = await look();
    if (error && !link.isOurs && !isWrong && !isGone(eventToken)) unreachable(page, error, load);
  }

  /** Reads and shows the event and its guests. Resolves to the error, if any. */
  async function look() {
    const error = await guests.read(Boolean(atDoor.own.guests));
    if (signal.aborted) return null;
    isWrong = error?.code === wrongSecret;
    if (isWrong) refused(page, eventToken, organizerToken);
    atDoor.keep();
    return error;
  }

  async function again() {
    await look();
    const asOf = drawing.shown()?.asOf;
    if (asOf) announce(asOf.error.words);
  }

  function open() {
    void list.set({ search: '' });
    atDoor.actions.open();
  }

  // In the background; after a failure, the next interval tries again.
  function poll() {
    if (!document.hidden && !isWrong && !mustWait(eventToken) && (guests.own.complete || drawing.shown()?.asOf))
      void look();
  }

  followEvent(page, eventToken, drawing.soon);
  const timer = setInterval(poll, interval);
  signal.addEventListener('abort', () => clearInterval(timer));
  onReturn(poll, signal);
  addEventListener(
    'beforeprint',
    () => {
      const facts = drawing.shown();
      if (facts) layCheckIn({ ...facts, names: guests.own.names });
    },
    { signal },
  );
  onOtherTabs(`here.${eventToken}`, drawing.soon, signal);
  await load();
}
