// The model of an event: its facts, the event that it has moved to, and its states.
import { day, now } from '../lib/clock';
import { has, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guard, type Guarded } from '../lib/guards';
import { atMost, forTexts, inLine, limits, sameName, visible } from '../lib/text';

const longest = 100; // characters of a date-time or the name of a time zone

// What the service would refuse is not read from storage: it came from a link or a file, and may freeze the page.

/** The members of each event in a list. */
export const listed = { title: visible(limits.title), dateTime: atMost(longest), timezone: atMost(longest) };
/** The members that an organizer writes. */
export const ofOrganizer = { ...forTexts((name) => maybe(atMost(limits[name]))), ...listed };
export const isNewEvent = has(ofOrganizer);
export type NewEvent = Guarded<typeof isNewEvent>;

/** The text before a date, the date without the weekday, and the text after it. */
const isWhen = (value: unknown): value is [string, string, string] => listOf(isText)(value) && value.length === 3;

/** The server's words for an event's date and time, in the language of the tag; closes is the last day with RSVPs. */
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
/** The service's answer: an imported event may have texts beyond the bounds. */
export const isDetails = detailsWith({ ...forTexts(() => maybe(isText)), ...anyText }, isText);
/** A copy of that on this device. */
export const isKept = detailsWith(ofOrganizer, atMost(limits.reason));
/**
 * `to` is the event that it has moved to, with the old facts while it is `unread`. model/events.ts adds it if at most
 * three moves lead to an event that accepts RSVPs, as internal/site/move.go does.
 */
export type EventDetails = Guarded<typeof isDetails> & { to?: EventDetails | undefined; unread?: boolean };

/** The target of its move, else the event itself. */
export const newest = (event: EventDetails) => event.to ?? event;

export function changeOf(event: EventDetails) {
  const to = newest(event);
  if (Date.parse(event.dateTime) !== Date.parse(to.dateTime)) return 'date';
  return to.location && inLine(to.location) !== inLine(event.location) ? 'place' : 'anew';
}

/** Whether readers see the same title on both events. */
export const sameTitle = (event: EventDetails) => sameName(event.title, newest(event).title);

/** `words` are the server's, final in their language. */
export type Moment = { dateTime: string; timezone: string; words?: Words | undefined };

export const closesAt = (event: { dateTime: string }) => Date.parse(event.dateTime) + 7 * day;

/** An event has no end: it is over half a day after its start. A week after it, the service accepts no RSVPs. */
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

/** Whether it is time for the check-in: from six hours before the start. */
export const isCheckInTime = (event: Moment & { cancelled?: boolean }) =>
  isComing(event) && now() >= Date.parse(event.dateTime) - day / 4;
