import type { EventDetails } from '../lib/api';
import { isGone, known, type AsOf } from '../lib/events';
import { h, user } from '../lib/dom';
import { isDateTime } from '../lib/guards';
import { colourOf } from '../lib/head';
import { locale, t } from '../lib/i18n';
import { split } from '../lib/linkify';
import { staying, unsent, type Shown } from '../lib/outbox';
import { exportSaved, outlives, saved, withdrawnRSVPs, type SavedEvent, type SavedRSVP } from '../lib/saved';
import { sentences } from '../lib/text';
import { now, phase, relativeDay, whenIn, type Moment } from '../lib/time';
import { eventPath, eventURL, map, organizerPath } from '../lib/urls';
import { button, copyButton } from './buttons';
import { icon } from './icon';
import { asOfText, notice } from './notice';
import { withdrawnNotice } from './own-rsvp';
import { state, turnout } from './poster';
import { tally } from './tally';
import { textsOf } from './unsent';

/**
 * An event that was announced or signed up for on this device, or both, with its items in the outbox and the newest
 * known details; asOf is set if these may be out of date, gone if the service does not have the event.
 */
export type Entry = Moment & {
  eventToken: string;
  title: string;
  organizerToken?: string | undefined;
  rsvps: SavedRSVP[];
  /** elsewhere, until that is dismissed */
  withdrawn: SavedRSVP[];
  items: Shown[];
  details: EventDetails | undefined;
  asOf: AsOf | null | undefined;
  gone: boolean;
};
export type Message = { kind: 'good' | 'bad'; text: string };
export type Actions = {
  checkIn: (entry: Entry) => void;
  remove: (entry: Entry) => void;
  load: (file: File) => void;
  dismiss: (id: string) => void;
  /** forgets the RSVPs that were withdrawn elsewhere */
  forget: (entry: Entry) => void;
};

/**
 * Returns the entries by date.
 * @param opened see events.known
 */
export function entries(opened: number): Entry[] {
  const { events, rsvps } = saved();
  const found: Map<string, Entry> = new Map();
  function entryOf(source: SavedEvent | SavedRSVP | Shown) {
    const { eventToken, title = '', dateTime = '', timezone = '' } = source;
    const { event: details, asOf } = known(eventToken, opened) ?? {};
    const organizerToken = 'organizerToken' in source ? source.organizerToken : undefined;
    const gone = isGone(eventToken);
    const entry = found.get(eventToken) ?? {
      ...{ eventToken, title, dateTime, timezone, organizerToken, details, asOf, gone },
      rsvps: [],
      withdrawn: [],
      items: [],
    };
    found.set(eventToken, entry);
    return entry;
  }
  for (const event of events) entryOf(event);
  for (const rsvp of rsvps) entryOf(rsvp).rsvps.push(rsvp);
  for (const rsvp of withdrawnRSVPs()) entryOf(rsvp).withdrawn.push(rsvp);
  // A new announcement has no entry: the form shows it.
  for (const item of unsent()) if (found.has(item.eventToken) || item.title) entryOf(item).items.push(item);
  return [...found.values()].sort((a, b) => (Date.parse(a.dateTime) || 0) - (Date.parse(b.dateTime) || 0));
}

export const isPast = (entry: Entry) => ['over', 'closed'].includes(phase(entry.details ?? entry));

/** Whether an event is today for the reader, or under way. */
function isToday(entry: Entry) {
  const event = entry.details ?? entry;
  const isOn = new Date(event.dateTime).toDateString() === new Date(now()).toDateString();
  return !entry.gone && (phase(event) === 'started' || (phase(event) === 'coming' && isOn));
}

/** The events of this device. Past ones are folded unless there is news of them. */
export function savedList(all: Entry[], actions: Actions) {
  const isFolded = (entry: Entry) => isPast(entry) && !entry.items.length && !entry.withdrawn.length;
  const shown = all.filter((entry) => !isFolded(entry));
  const past = all.filter(isFolded).reverse();
  return (
    <section class="saved" id="saved" aria-labelledby="saved-title">
      {!outlives() && notice('bad', <p>{t('mine.notKept')}</p>)}
      {shown.length > 0 ? (
        <ul class="entries">{shown.map((entry) => card(entry, actions))}</ul>
      ) : (
        <p class="hint">{t('mine.noneComing')}</p>
      )}
      {past.length > 0 && (
        <details class="fold" id="past">
          <summary class="line">{t('mine.past', { n: past.length })}</summary>
          <ul class="entries">{past.map((entry) => card(entry, actions))}</ul>
        </details>
      )}
    </section>
  );
}

const strokes = 20; // at most, so that the marks and the number fit on one line

/** What is left to do on the day: to check guests in or, unless the place is an address of the web, to find it. */
function deed(entry: Entry, actions: Actions) {
  if (entry.organizerToken) return button(t('guests.checkIn'), () => actions.checkIn(entry), 'primary online');
  const place = entry.details?.location;
  return (
    place &&
    split(place).length === 1 && (
      <a class="primary" href={map(place)} target="_blank" rel="noopener noreferrer">
        {t('mine.directions')}
      </a>
    )
  );
}

function card(entry: Entry, actions: Actions) {
  const { eventToken, organizerToken, title, details, asOf, gone } = entry;
  const coming = staying(entry);
  const names = coming.filter(({ byLink }) => !byLink).map(({ name }) => name);
  const list = new Intl.ListFormat(locale).format(names);
  const done = isPast(entry) || details?.cancelled;
  const roles = [
    organizerToken && t('mine.organizer'),
    list && (done ? `${t('yours.were')} · ${list}` : t('mine.guest', { n: names.length, name: list })),
    ...coming.filter(({ byLink }) => byLink).map(({ name }) => t('yours.link', { name })),
  ]
    .filter(Boolean)
    .join(' · ');
  const n = details?.attendeeCount;
  const isBig = isToday(entry);
  const at = details?.to ?? details ?? entry;
  return (
    <li
      class={isBig ? 'entry today' : 'entry'}
      id={`entry-${eventToken}`}
      data-colour={colourOf(title)}
      data-off={details && phase(details) === 'cancelled'}
    >
      <a href={organizerToken ? organizerPath(eventToken) : eventPath(eventToken)}>{user(title)}</a>
      {/* Early versions imported dates unchecked. */}
      {isDateTime(at.dateTime) && <p>{`${whenIn(at)}\u00A0· ${relativeDay(at)}`}</p>}
      {isBig && details?.location && <p class="user">{details.location}</p>}
      {roles && <p class="user">{roles}</p>}
      <div class="unsent">{withdrawnNotice(entry.withdrawn, () => actions.forget(entry))}</div>
      {entry.items.map((item) => itemView(item, actions))}
      {/* The line is reserved before the service answers, so the layout does not shift. */}
      {!isPast(entry) && (
        <div class="row marks">
          {Boolean(n) && !details?.cancelled && tally(Number(n), { own: names.length, limit: strokes })}
          {details && <strong>{state(details) || turnout(details)}</strong>}
          {gone && <strong>{t('missing.title')}</strong>}
          {asOf && <span>{asOfText(asOf)}</span>}
        </div>
      )}
      {isBig && <p>{deed(entry, actions)}</p>}
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
          {button(t('mine.remove'), () => actions.remove(entry), 'plain')}
        </div>
      </details>
    </li>
  );
}

/** An unsent or refused item. */
function itemView(item: Shown, actions: Actions) {
  const { listed, refused } = textsOf(item);
  if (!item.refused) return <p class="unsent">{listed}</p>;
  return (
    <div class="unsent">
      <p>{refused}</p>
      <p>{item.error?.words}</p>
      {button(t('outbox.dismiss'), () => actions.dismiss(item.id), 'plain')}
    </div>
  );
}

/** Home's footer, with export and import of the list for another device. */
export const takeAlong = (count: number, message: Message | null, actions: Actions) => (
  <div class="wrap" id="take-along">
    {message && notice(message.kind, <p>{message.text}</p>)}
    <p>{sentences(t('site.foot'), count > 0 ? t('mine.secret') : t('how.kept'))}</p>
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
          onchange={({ target: { files } }) => files?.[0] && actions.load(files[0])}
        />
      </label>
    </div>
  </div>
);
