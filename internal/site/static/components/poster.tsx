import { changeOf, newest, reasonOf, sameTitle, type EventDetails } from '../lib/api';
import { h, type Child } from '../lib/dom';
import { map } from '../lib/urls';
import { t } from '../lib/i18n';
import { linkify } from '../lib/linkify';
import {
  dateIn,
  isComing,
  phase,
  readerDiffers,
  readerTime,
  relativeDay,
  whenIn,
  whenParts,
  zoneName,
} from '../lib/time';
import { characters, excerpt } from '../lib/text';
import { icon } from './icon';
import { tally } from './tally';

/** Long titles are set smaller, so that the form stays on the first screen. */
export const size = (title: string) =>
  characters(title) > 60 ? 'long' : characters(title) > 24 ? 'middling' : 'short';

export function state(event: EventDetails) {
  const over = t('state.over');
  return {
    moved: t('state.moved'),
    unread: '',
    cancelled: t('state.cancelled'),
    closed: over,
    over,
    started: t('state.started'),
    coming: '',
  }[phase(event)];
}

export function turnout(event: EventDetails) {
  const n = event.attendeeCount;
  if (event.unread) return t('moved.unread');
  if (isComing(event)) return n ? t('event.coming', { n }) : t('event.nobody');
  if (n && phase(event) === 'cancelled') return t('event.saidYes', { n });
  return n ? t('event.signedUp', { n }) : t('event.nobodyCame');
}

/** @param name of the icon @param label for screen readers */
const fact = (name: Parameters<typeof icon>[0], label: string, ...content: Child[]) => (
  <div>
    <dt>
      {icon(name)}
      <span class="unseen">{label}</span>
    </dt>
    <dd>{content}</dd>
  </div>
);

/** A fact that has changed since the event moved. */
const former = (text: string) => (
  <s class="user" dir="auto">
    <span class="unseen">{`${t('moved.before')} `}</span>
    {text}
  </s>
);

function when(event: EventDetails) {
  const shown = newest(event);
  const [before, date, after] = whenParts(shown);
  const isOff = ['cancelled', 'unread'].includes(phase(shown));
  return fact(
    'when',
    t('event.when'),
    <p class="big">
      <time datetime={shown.dateTime}>
        {before}
        <span>{date}</span>
        {after}
      </time>
    </p>,
    <p class="small">
      {[
        changeOf(event) === 'date' && former(whenIn(event)),
        !isOff && relativeDay(shown),
        (isOff || readerDiffers(shown)) && zoneName(shown), // never an empty line
        readerDiffers(shown) && t('event.reader', { time: readerTime(shown) }),
      ]
        .filter(Boolean)
        .flatMap((part, index, { length }) => [
          index > 0 && ' ',
          <span>
            {part}
            {index < length - 1 && '\u00A0·'}
          </span>,
        ])}
    </p>,
  );
}

function where(event: EventDetails) {
  const { location: place } = newest(event);
  const was = event.location !== place && event.location;
  return (
    Boolean(place || was) &&
    fact(
      'where',
      t('event.where'),
      place && (
        <p class="big user" dir="auto">
          {spot(place)}
        </p>
      ),
      was && <p class="small">{former(was)}</p>,
    )
  );
}

/** A place that contains web addresses links to them, any other to a map. */
function spot(text: string) {
  const parts = linkify(text);
  return parts.length > 1
    ? parts
    : [
        <a class="spot" href={map(text)} target="_blank" rel="noopener noreferrer" title={t('event.map')}>
          {text}
        </a>,
      ];
}

/** As for tally. */
export type Marks = { own?: number; fresh?: number; next?: number };

/** The strokes of the guests, and whose the coloured ones are. */
function who(event: EventDetails, marks: Marks) {
  const { own = 0, next = 0 } = marks;
  const n = event.attendeeCount;
  const dashed = next > 0 && (n ? t('event.dashed', { n: next }) : t('event.firstIs'));
  return (
    <div class="who">
      <dt class="unseen">{t('event.who')}</dt>
      <dd>
        {tally(n, marks)}
        <p class="big">
          {next && !n ? t('event.first') : turnout(event)}
          {(own > 0 || dashed) && (
            <span class={!own && 'next'} aria-hidden="true">
              {own ? t('event.red', { n: own }) : dashed}
            </span>
          )}
        </p>
      </dd>
    </div>
  );
}

/** The line above the title. An event that invites has its host there. */
function invitation(event: EventDetails) {
  const line = state(event) || t('event.kicker');
  if (!event.host || !isComing(event)) return line;
  return [
    <strong class="user" dir="auto">
      {event.host}
    </strong>,
    ` · ${line}`,
  ];
}

/** The facts of an event in its colour, with the form beside them. Of one that has moved, those of the new event. */
export function poster(
  event: EventDetails,
  {
    kicker,
    marks = {},
    aside,
    compact,
  }: {
    /** instead of the invitation, if the event has no state to show; null for no line at all */
    kicker?: Child | Child[];
    /** null for no tally */
    marks?: Marks | null;
    aside?: Child;
    /** whether the poster is only a heading */
    compact?: boolean;
  } = {},
) {
  const shown = newest(event);
  const isOff = phase(event) === 'cancelled';
  const counts = marks && !isOff && (shown === event || shown.attendeeCount > 0); // at first nobody can have said yes again
  return (
    <section
      class={['poster', event.to && 'former', compact && 'compact'].filter(Boolean).join(' ')}
      id={compact && 'organizer'}
    >
      <div class={aside ? 'wrap split' : 'wrap'}>
        <div class="headline">
          {kicker !== null && <p class="kicker">{kicker ? state(event) || kicker : invitation(event)}</p>}
          {!sameTitle(event) && <p class="small">{former(event.title)}</p>}
          <h1 class={`user ${size(shown.title)}`} dir="auto" tabindex={-1}>
            {shown.title}
          </h1>
          {shown.description && !isOff && !compact && (
            <p class="excerpt user" dir="auto" aria-hidden="true">
              {excerpt(shown.description)}
            </p>
          )}
          <dl class="facts">
            {when(event)}
            {where(event)}
            {counts && who(shown, marks)}
          </dl>
        </div>
        {aside}
      </div>
    </section>
  );
}

/** Why an event is cancelled; for guests with their number, which the organizer's page has elsewhere. */
export function reason(event: EventDetails, { isGuest = false } = {}) {
  const text = reasonOf(event);
  return (
    <section class="notice bad" id="state">
      {text ? (
        <p class="user prose" dir="auto" tabindex={-1}>
          {linkify(text)}
        </p>
      ) : (
        <p tabindex={-1}>{t('event.noReason')}</p>
      )}
      {isGuest && event.attendeeCount > 0 && <p class="hint">{turnout(event)}</p>}
    </section>
  );
}

export const closed = (event: EventDetails) => (
  <section class="notice" id="state">
    <h2 tabindex={-1}>{t('event.closed')}</h2>
    <p>{t('event.closedText', { date: dateIn(event) })}</p>
  </section>
);
