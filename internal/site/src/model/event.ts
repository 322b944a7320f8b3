// The model of an event: its facts, its states, and the event to which it has moved.
import { day, now } from '../lib/clock';
import { has, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guard, type Guarded } from '../lib/guards';
import { atMost, forTexts, inLine, limits, sameName } from '../lib/text';

const longest = 100; // characters of a date-time or the name of a time zone

// A value that the service would refuse is not read from storage: such a value came from a link or a file, and its
// length may freeze the page.

/** The members that every listed event has. Only some events have an end. */
export const listed = {
  title: atMost(limits.title),
  dateTime: atMost(longest),
  endDateTime: maybe(atMost(longest)),
  timezone: atMost(longest),
};
type Listed = Pick<EventDetails, 'eventToken' | keyof typeof listed>;
/** An event's members for the list. */
export const listing = ({ eventToken, title, dateTime, endDateTime, timezone }: Listed): Listed => {
  return { eventToken, title, dateTime, endDateTime, timezone };
};

const bounds: Record<string, number> = { ...limits, timezone: longest, cancellationReason: limits.reason };

/** Cuts an event's texts to their limits, for storage. An imported event may have longer texts. */
export const cut = <Of extends object>(event: Of) =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]: [string, unknown]) => [
      name,
      isText(value) ? [...value].slice(0, bounds[name]).join('') : value,
    ]),
  ) as Of;

/** The members that an organizer writes. */
export const ofOrganizer = { ...forTexts((name) => maybe(atMost(limits[name]))), ...listed };
export const isNewEvent = has(ofOrganizer);
export type NewEvent = Guarded<typeof isNewEvent>;

/** Accepts a date and time in parts: the text before the date, the date without the weekday, and the rest. */
const isWhen = (value: unknown): value is [string, string, string] => listOf(isText)(value) && value.length === 3;

/** The server's words for an event's date and time, in the language of `tag`. `closes` is the last day with RSVPs. */
const isWords = has({ tag: isText, when: isWhen, whenWithYear: isWhen, date: isText, closes: isText });
export type Words = Guarded<typeof isWords>;

const detailsWith = (of: typeof ofOrganizer, isReason: Guard<string>) =>
  has({
    ...of,
    eventToken: isUUID,
    attendeeCount: isNumber,
    words: maybe(isWords),
    cancelled: isFlag,
    movedTo: maybe(isUUID),
    cancellationReason: (value): value is string | null | undefined => maybe(isReason)(value) || value === null,
  });

const anyText = { title: isText, dateTime: isText, endDateTime: maybe(isText), timezone: isText };
const readable = (dateTime: string) => dateTime.toUpperCase().replace(/(\.\d{3})\d+/, '$1');
/**
 * An event with date-times that every browser reads. RFC 3339 allows t and z in lower case, and any number of digits
 * after the second.
 */
export const dated = <Of extends Dates>(event: Of): Of => ({
  ...event,
  dateTime: readable(event.dateTime),
  endDateTime: event.endDateTime && readable(event.endDateTime),
});

/** Accepts an event in a response. An imported event may have texts beyond the limits. */
export const isDetails = detailsWith({ ...forTexts(() => maybe(isText)), ...anyText }, isText);
/** Accepts an event's copy in this device's storage. */
export const isKept = detailsWith(ofOrganizer, atMost(limits.reason));
/**
 * `to` is the event to which this event has moved; `to` has this event's facts while it is `unread`. Like
 * internal/site/move.go, model/events.ts adds `to` if at most three moves lead to an event that accepts RSVPs.
 */
export type EventDetails = Guarded<typeof isDetails> & { to?: EventDetails | undefined; unread?: boolean };

/** The event to which an event has moved, or else the event itself. */
export const newest = (event: EventDetails) => event.to ?? event;

export function changeOf(event: EventDetails) {
  const to = newest(event);
  if (!sameDates(event, to)) return 'date';
  return to.location && inLine(to.location) !== inLine(event.location) ? 'place' : 'anew';
}

/** Whether visitors see the same title before and after a move. */
export const sameTitle = (event: EventDetails) => sameName(event.title, newest(event).title);

type Dates = { dateTime: string; endDateTime?: string | undefined };
/** An event's start and end. If `words` of the server are in the page's language, pages show them unchanged. */
export type Moment = Dates & { timezone: string; words?: Words | undefined };

export const closesAt = (event: Dates) => Date.parse(event.dateTime) + 7 * day;

/** The end of an event. An end that the service would refuse counts as no end: it came from a file or from storage. */
export function endsAt(event: Dates) {
  const end = Date.parse(event.endDateTime ?? '');
  return end > Date.parse(event.dateTime) && end <= closesAt(event) ? end : undefined;
}

/** Whether two events have the same start and the same end. */
export const sameDates = (a: Dates, b: Dates) =>
  Date.parse(a.dateTime) === Date.parse(b.dateTime) && endsAt(a) === endsAt(b);

/**
 * The state of an event by the service's clock. An event without an end counts as over half a day after its start. The
 * service accepts no RSVPs from a week after the start on.
 */
export function phase(event: Moment & { cancelled?: boolean; to?: object | undefined; unread?: boolean }) {
  const start = Date.parse(event.dateTime);
  if (event.to) return 'moved';
  if (event.unread) return 'unread';
  if (event.cancelled) return 'cancelled';
  if (now() > closesAt(event)) return 'closed';
  if (now() > (endsAt(event) ?? start + day / 2)) return 'over';
  return now() >= start ? 'started' : 'coming';
}

export const isComing = (event: Parameters<typeof phase>[0]) => ['coming', 'started'].includes(phase(event));

/** Whether the service accepts RSVPs. */
export const isOpen = (event: Parameters<typeof phase>[0]) => isComing(event) || phase(event) === 'over';

/** Whether an event's check-in is open, which begins six hours before the start. */
export const isCheckInTime = (event: Moment & { cancelled?: boolean }) =>
  isComing(event) && now() >= Date.parse(event.dateTime) - day / 4;
