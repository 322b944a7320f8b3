import { now } from '../lib/clock';
import { isComing, listing, phase } from '../model/event';
import { readerDiffers, readerTime, relativeDay, whenParts } from '../model/time';
import { say, h, user, type keptRows } from '../lib/dom';
import { forgetAbout, isMissing, known } from '../model/events';
import { eventPath, eventURL, map, organizerPath } from '../lib/urls';
import { isDateTime } from '../lib/guards';
import { counted, guestsHere, isOnList, isPending, type Guest, unanswered } from '../model/guests';
import { colourOf } from '../lib/head';
import { locale, t } from '../lib/i18n';
import { inLine, separator } from '../lib/text';
import { isOnMap } from '../lib/linkify';
import { abandon, isKept, unsent } from '../model/outbox';
import { forget, outlives, savedEvents } from '../model/saved';
import { button, copyButton, linkTo } from './buttons';
import { confirm } from './dialog';
import { icon } from './icon';
import { asOfText, notice } from './notice';
import { withdrawnNotice } from './withdrawn';
import { state, turnout } from './event-words';
import { tally } from './tally';
import { refusal, textsOf } from './unsent';

export type Entry = ReturnType<typeof entries>[number];
type Home = {
  go: (url: string, state?: { checkIn: boolean }) => void;
  /** called once an entry or a notice is removed */
  done: () => void;
  row: ReturnType<typeof keptRows>;
};

function byEvent<One extends { eventToken: string }>(all: One[]) {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const group = groups.get(one.eventToken);
    if (group) group.push(one);
    else groups.set(one.eventToken, [one]);
  }
  return groups;
}

/**
 * The events that were announced on this device, or for which guests signed up here, with their known details, by date.
 * @param opened when the page was opened; see `known`
 */
export function entries(opened: number) {
  const guests = guestsHere();
  const items = unsent();
  // An announcement that is still being sent has no entry: the form shows it.
  const sources = [
    ...savedEvents(),
    ...guests.flatMap(({ rsvp }) => rsvp ?? []),
    ...items.filter((item) => 'title' in item),
  ];
  const first = new Map<string, (typeof sources)[number]>();
  for (const source of sources) if (!first.has(source.eventToken)) first.set(source.eventToken, source);
  const [guestsOf, itemsOf] = [byEvent(guests), byEvent(items)];
  return [...first.values()]
    .map((source) => {
      const { eventToken, title } = source;
      const { event, asOf } = known(eventToken, opened) ?? {};
      const own = guestsOf.get(eventToken) ?? [];
      const details = event && counted(event, own);
      return {
        ...{ eventToken, title, details, asOf },
        event: details ?? listing(source),
        organizerToken: 'organizerToken' in source && source.organizerToken,
        missing: isMissing(eventToken),
        guests: own,
        items: itemsOf.get(eventToken) ?? [],
      };
    })
    .sort((a, b) => (Date.parse(a.event.dateTime) || 0) - (Date.parse(b.event.dateTime) || 0));
}

export const isPast = ({ event }: Entry) => ['over', 'closed'].includes(phase(event));

/** Whether an event takes place today by the reader's clock, or is under way. */
function isToday({ event, missing }: Entry) {
  const isOn = new Date(event.dateTime).toDateString() === new Date(now()).toDateString();
  return !missing && (phase(event) === 'started' || (phase(event) === 'coming' && isOn));
}

/**
 * Lists the events of this device. Past events are folded unless there is news about them. A guest sees a moved event
 * beside its successor only while a request or a question about the moved event is open.
 */
export function savedList(all: Entry[], home: Home) {
  const isFolded = (entry: Entry) =>
    isPast(entry) && !entry.items.length && !entry.guests.some(({ stands }) => stands === 'gone');
  const byToken = new Map(all.map((entry) => [entry.eventToken, entry]));
  const hasSuccessor = ({ details, guests, items, organizerToken }: Entry) => {
    const to = byToken.get(details?.to?.eventToken ?? '');
    return to && !organizerToken && !items.length && !unanswered(guests, to.guests).length;
  };
  const shown = all.filter((entry) => !isFolded(entry) && !hasSuccessor(entry));
  const next = shown.find(({ event }) => isComing(event));
  const past = all.filter(isFolded).reverse();
  const cardOf = (entry: Entry) => keptCard(entry, home, entry === next);
  return (
    <section class="saved" id="saved" aria-labelledby="saved-title">
      {!outlives() && notice('bad', <p>{t('mine.notKept')}</p>)}
      {shown.length > 0 ? <ul class="entries">{shown.map(cardOf)}</ul> : <p class="hint">{t('mine.noneComing')}</p>}
      {past.length > 0 && (
        <details class="fold" id="past">
          <summary class="line">{t('mine.past', { n: past.length })}</summary>
          <ul class="entries">{past.map(cardOf)}</ul>
        </details>
      )}
    </section>
  );
}

const strokes = 20; // the most strokes, so that the marks and the number fit on one line

/**
 * The main button on the day. It opens the check-in for organizers and a map for guests. Without a map, because the
 * place is a URL, guests have no button.
 */
function deed({ eventToken, organizerToken, details }: Entry, { go }: Home) {
  if (organizerToken) {
    const path = organizerPath(eventToken);
    const checkIn = () => {
      history.pushState(null, '', path); // Back leads to the organizer's page
      go(path, { checkIn: true });
    };
    return button(t('guests.checkIn'), checkIn, 'primary online');
  }
  const place = details?.location;
  return place && isOnMap(place) && linkTo(map(inLine(place)), t('mine.directions'), 'primary');
}

async function forgetEntry(entry: Entry, { done }: Home) {
  const { eventToken, title } = entry;
  const sure = await confirm({
    title: t('mine.sure', { title }),
    body: [
      entry.organizerToken && <p>{t('mine.sureOrganizer')}</p>,
      entry.guests.some(isOnList) && <p>{t('mine.sureGuest')}</p>,
      ...entry.guests.filter(isPending).map(({ name }) => <p>{t('mine.sureUnsent', { name })}</p>),
    ],
    yes: t('mine.remove'),
    no: t('mine.keep'),
  });
  if (!sure) return;
  forget(eventToken);
  forgetAbout(eventToken);
  unsent(eventToken).forEach(abandon);
  say(t('mine.removed'));
  done();
}

/**
 * Keeps an unchanged card, because each response draws the list and a device may have hundreds of events. As time
 * passes, a card changes on the next day, and when its event begins or ends.
 */
const keptCard = (entry: Entry, home: Home, isNext: boolean) =>
  home.row(
    entry.eventToken,
    [
      JSON.stringify(entry),
      entry.items.every(({ id }) => isKept(id)),
      isNext,
      phase(entry.event),
      new Date(now()).toDateString(),
    ],
    () => card(entry, home, isNext),
  );

function card(entry: Entry, home: Home, isNext: boolean) {
  const { eventToken, organizerToken, title, details, asOf, missing } = entry;
  const namesOf = (how: Guest['stands']) => entry.guests.filter(({ stands }) => stands === how).map(({ name }) => name);
  const names = namesOf('in');
  const list = new Intl.ListFormat(locale).format(names);
  const done = isPast(entry) || details?.cancelled;
  const roles = [
    organizerToken && t('mine.organizer'),
    list && (done ? `${t('yours.were')}${separator}${list}` : t('mine.guest', { n: names.length, name: list })),
    ...namesOf('linked').map((name) => t('yours.link', { name })),
  ]
    .filter(Boolean)
    .join(separator);
  const n = details?.attendeeCount ?? 0;
  const isBig = isToday(entry);
  const at = details?.to ?? entry.event;
  const isDated = isDateTime(at.dateTime); // early versions imported dates unchecked
  const [before, date, after] = isDated ? whenParts(at) : [];
  const soon = isDated && relativeDay(at);
  // A line may begin between an inline-block and a no-break space, so the reader's time has the separator inside.
  const dot = soon && <span class="soon">{'\u00A0·'}</span>;
  return (
    <li
      class={isBig || isNext ? 'entry leading' : 'entry'}
      id={`entry-${eventToken}`}
      data-colour={colourOf(title)}
      data-off={details && phase(details) === 'cancelled'}
    >
      <a href={organizerToken ? organizerPath(eventToken) : eventPath(eventToken)}>
        {user(title, 'bdi', '', details?.language)}
      </a>
      {isDated && (
        <p>
          {before}
          <span>{date}</span>
          {after}
          {readerDiffers(at)
            ? [
                separator,
                <span>
                  {t('event.reader', { time: readerTime(at) })}
                  {dot}
                </span>,
              ]
            : dot}
          {soon && [' ', <span class="soon">{soon}</span>]}
        </p>
      )}
      {isBig && details?.location && (
        <p class="user" lang={details.language}>
          {inLine(details.location)}
        </p>
      )}
      {roles && <p class="user">{roles}</p>}
      <div class="unsent">{withdrawnNotice(entry.guests, home.done)}</div>
      {entry.items.map((item) =>
        item.refused ? (
          <div class="unsent">{refusal(item, home.done, 'plain')}</div>
        ) : (
          <p class="unsent">{textsOf(item).listed}</p>
        ),
      )}
      {/* Reserve the line before the service responds, so that the layout does not shift. */}
      {!isPast(entry) && (
        <div class="row marks">
          {n > 0 && !details?.cancelled && tally(n, { own: names.length, limit: strokes })}
          {details && <strong>{state(details) || turnout(details)}</strong>}
          {missing && <strong>{t('missing.title')}</strong>}
          {asOf && <span>{asOfText(asOf)}</span>}
        </div>
      )}
      {isBig && <p>{deed(entry, home)}</p>}
      <details class="menu" id={`menu-${eventToken}`}>
        <summary>
          {icon('more')}
          <span class="unseen">{t('mine.more', { title })}</span>
        </summary>
        <div class="row" role="group" aria-label={t('mine.more', { title })}>
          {copyButton(t('copy.link'), eventURL(eventToken), 'plain')}
          {organizerToken && (
            <a class="plain" href={`/?again=${eventToken}`}>
              {t('mine.again')}
            </a>
          )}
          {button(t('mine.remove'), () => forgetEntry(entry, home), 'plain')}
        </div>
      </details>
    </li>
  );
}
