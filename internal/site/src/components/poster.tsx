import { type Child, h, person, user } from '../lib/dom';
import { changeOf, isComing, newest, phase, sameTitle, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { isOnMap, linkify } from '../lib/linkify';
import { readerDiffers, readerTime, relativeDay, whenIn, whenParts, zoneName } from '../model/time';
import { characters, inLine, inLines, separator } from '../lib/text';
import { map } from '../lib/urls';
import { button } from './buttons';
import { state, turnout } from './event-words';
import { icon } from './icon';
import { tally, type Marks } from './tally';

const fact = (name: 'when' | 'where', label: string, ...content: Child[]) => (
  <div>
    <dt>
      {icon(name)}
      <span class="unseen">{label}</span>
    </dt>
    <dd>{content}</dd>
  </div>
);

/** A former fact, which the move has changed. */
const former = (text: string, lang?: string) =>
  user([<span class="unseen">{`${t('moved.before')} `}</span>, <span lang={lang}>{text}</span>], 's');

function when(event: EventDetails) {
  const shown = newest(event);
  const [before, date, after] = whenParts(shown);
  const isUnread = phase(shown) === 'unread';
  const isElsewhere = readerDiffers(shown);
  const soon = !isUnread && relativeDay(shown);
  const more = [
    changeOf(event) === 'date' && former(whenIn(event)),
    (!soon || isElsewhere) && zoneName(shown), // keeps the line from being empty
    isElsewhere && t('event.reader', { time: readerTime(shown) }),
    soon, // after the reader's date, from which it counts
  ].filter(Boolean);
  // Paper shows no relative day, so on paper the part before the relative day is the last part.
  const last = more.at(-1) === soon ? more.length - 2 : -1;
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
    phase(shown) !== 'cancelled' && (
      <p class="small">
        {more.map((part, index) => [
          index > 0 && ' ',
          <span class={part === soon && 'soon'}>
            {part}
            {more[index + 1] && <span class={index === last && 'soon'}>{'\u00A0·'}</span>}
          </span>,
        ])}
      </p>
    ),
  );
}

function where(event: EventDetails) {
  const { location: place = '', language } = newest(event);
  const was = inLine(event.location) !== inLine(place) && inLine(event.location);
  const spot = isOnMap(inLines(place)) ? (
    <a class="spot" href={map(inLine(place))} target="_blank" rel="noopener noreferrer" title={t('event.map')}>
      {inLines(place)}
    </a>
  ) : (
    linkify(inLines(place))
  );
  return (
    Boolean(place || was) &&
    fact(
      'where',
      t('event.where'),
      place && user(spot, 'p', 'big', language),
      was && <p class="small">{former(was, event.language)}</p>,
    )
  );
}

/** The strokes of the guests, and a legend for the coloured strokes. */
function who(event: EventDetails, marks: Marks) {
  const { own = 0, next = 0 } = marks;
  const n = event.attendeeCount;
  const dashed = n || next > 1 ? t('event.dashed', { n: next }) : t('event.firstIs');
  // Once the event is over, the panel says who was on the list.
  const legend = own ? isComing(event) && t('event.red', { n: own }) : next > 0 && dashed;
  return (
    <div class="who">
      <dt class="unseen">{t('event.who')}</dt>
      <dd>
        {tally(n, marks)}
        <p class="big">
          {next && !n ? t('event.first') : turnout(event)}
          {legend && (
            <span class={!own && 'next'} aria-hidden="true">
              {legend}
            </span>
          )}
        </p>
      </dd>
    </div>
  );
}

/**
 * `isCut` says whether a phone shows only the beginning of the description. `unfold` shows the whole text, and is
 * undefined once the text is unfolded.
 */
type Unfolding = { isCut: boolean; unfold: (() => unknown) | undefined };

const description = (text: string, language: string | undefined, { isCut, unfold }: Unfolding) => (
  <div class={unfold ? 'description' : 'description whole'} dir="auto">
    <div class="user prose" lang={language}>
      {linkify(text)}
    </div>
    {unfold && isCut && button(t('event.more'), unfold, 'rest')}
  </div>
);

/**
 * Shows an event's facts in its colour. If the event has moved, shows the new event's facts.
 * @param kicker the text above the title, after the host, unless the event has a state to show
 * @param guests the marks of the tally and the panel beside the facts; without them the poster is only a heading
 */
export function poster(event: EventDetails, kicker: string, guests?: Marks & Unfolding & { aside: Child }) {
  const shown = newest(event);
  const isOff = phase(event) === 'cancelled';
  const line = state(event) || kicker;
  const host = guests && shown.host;
  // Set long titles smaller, so that the form stays on the first screen.
  const length = characters(shown.title);
  const size = length > 60 ? 'long' : length > 24 ? 'middling' : 'short';
  // Right after a move the new event has no RSVPs: show no 0.
  const counts = guests && !isOff && (shown === event || shown.attendeeCount > 0 || Boolean(guests.next));
  return (
    <section
      class={['poster', event.to && 'former', !guests && 'compact'].filter(Boolean).join(' ')}
      id={!guests && 'organizer'}
    >
      <div class={guests ? 'wrap split' : 'wrap'}>
        <div class="headline">
          {(host || line) && (
            <p class="kicker">
              {host && person(host, 'strong', '', shown.language)}
              {host && line && <span>{separator}</span>}
              {line && <span id="phase">{line}</span>}
            </p>
          )}
          {!sameTitle(event) && <p class="small">{former(event.title, event.language)}</p>}
          <h1
            class={`user ${size}`}
            dir="auto"
            lang={shown.language}
            tabindex={-1}
            aria-describedby={state(event) ? 'phase' : undefined}
          >
            {shown.title}
          </h1>
          <dl class="facts">
            {when(event)}
            {where(event)}
            {counts && who(shown, guests)}
          </dl>
          {guests && shown.description && description(shown.description, shown.language, guests)}
        </div>
        {guests?.aside}
      </div>
    </section>
  );
}

/** The reason for the cancellation. */
export const reason = (text: string, { language }: EventDetails) => (
  <section class="notice bad" id="state">
    <p class="user prose" dir="auto" lang={language} tabindex={-1}>
      {linkify(text)}
    </p>
  </section>
);

export const closed = () => (
  <section class="notice" id="state">
    <h2 tabindex={-1}>{t('event.closed')}</h2>
    <p>{t('event.closedText')}</p>
  </section>
);
