// The model of an event: its facts, its states, and the event to which it has moved.
import { day, now } from '../lib/clock';
import { has, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guard, type Guarded } from '../lib/guards';
import { atMost, forTexts, inLine, limits, sameName } from '../lib/text';

const longest = 100; // characters of a date-time or the name of a time zone

// A value that the service would refuse is not read from storage: such a value came from a link or a file, and its
// length may freeze the page.

/** The members that every listed event has. */
export const listed = { title: atMost(limits.title), dateTime: atMost(longest), timezone: atMost(longest) };
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

const anyText = { title: isText, dateTime: isText, timezone: isText };
/**
 * An event with a date-time that every browser reads. RFC 3339 allows t and z in lower case, and any number of digits
 * after the second.
 */
export const dated = <Of extends { dateTime: string }>(event: Of): Of => ({
  ...event,
  dateTime: event.dateTime.toUpperCase().replace(/(\.\d{3})\d+/, '$1'),
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
  if (Date.parse(event.dateTime) !== Date.parse(to.dateTime)) return 'date';
  return to.location && inLine(to.location) !== inLine(event.location) ? 'place' : 'anew';
}

/** Whether visitors see the same title before and after a move. */
export const sameTitle = (event: EventDetails) => sameName(event.title, newest(event).title);

/** An event's start. If `words` of the server are in the page's language, pages show them unchanged. */
export type Moment = { dateTime: string; timezone: string; words?: Words | undefined };

export const closesAt = (event: { dateTime: string }) => Date.parse(event.dateTime) + 7 * day;

/**
 * The state of an event by the service's clock. An event has no end, so it counts as over half a day after its start.
 * The service accepts no RSVPs from a week after the start on.
 */
export function phase(event: Moment & { cancelled?: boolean; to?: object | undefined; unread?: boolean }) {
  const age = now() - Date.parse(event.dateTime);
  if (event.to) return 'moved';
  if (event.unread) return 'unread';
  if (event.cancelled) return 'cancelled';
  if (age > 7 * day) return 'closed';
  if (age > day / 2) return 'over';
  return age >= 0 ? 'started' : 'coming';
}

export const isComing = (event: Parameters<typeof phase>[0]) => ['coming', 'started'].includes(phase(event));

/** Whether the service accepts RSVPs. */
export const isOpen = (event: Parameters<typeof phase>[0]) => isComing(event) || phase(event) === 'over';

/** Whether an event's check-in is open, which begins six hours before the start. */
export const isCheckInTime = (event: Moment & { cancelled?: boolean }) =>
  isComing(event) && now() >= Date.parse(event.dateTime) - day / 4;
