// Dates and times in words.
import { day, minute, now } from '../lib/clock';
import { closesAt, endsAt, phase, type Moment } from './event';
import { language, languageOf, locale, pinned, readerTag, relative, t } from '../lib/i18n';
import { plain } from '../lib/text';

/** The device's time zone during a microtask. A drawing needs the zone for each event, and a look-up takes long. */
let zoneOfMicrotask = '';

/** The device's time zone. A browser may report a zone that its own Intl does not accept. */
function deviceZone() {
  if (!zoneOfMicrotask) queueMicrotask(() => (zoneOfMicrotask = ''));
  return (zoneOfMicrotask ||= Intl.DateTimeFormat().resolvedOptions().timeZone);
}

export const readerZone = () => (isZone(deviceZone()) ? deviceZone() : 'UTC');

/** Formatters by their arguments, kept because making a formatter takes long. */
const formatters: Map<string, Intl.DateTimeFormat> = new Map();

export function formatter(tag: string, options: Intl.DateTimeFormatOptions) {
  const key = JSON.stringify([tag, options]);
  const known = formatters.get(key) ?? new Intl.DateTimeFormat(tag, options);
  formatters.set(key, known);
  return known;
}

export function isZone(zone: string) {
  try {
    return Boolean(zone && formatter('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

const zonePart = (epoch: number, tag: string, options: Intl.DateTimeFormatOptions) =>
  formatter(tag, options)
    .formatToParts(epoch)
    .find(({ type }) => type === 'timeZoneName')?.value;

/** Minutes east of UTC at an instant, rounded: offsets with seconds ended in 1972, and date-times cannot have them. */
export const offsetAt = (epoch: number, zone: string) =>
  written(zonePart(epoch, 'en', { timeZone: zone, timeZoneName: 'longOffset' }) ?? '');

/** The offset in minutes at the end of a text, such as a date-time or GMT+05:30. */
function written(text: string) {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  return Math.round((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60));
}

/** Writes an offset as the server does, such as UTC+5:30. */
export function utcOffset(minutes: number) {
  const size = Math.abs(minutes);
  const rest = size % 60 ? `:${String(size % 60).padStart(2, '0')}` : '';
  return `UTC${minutes ? `${minutes < 0 ? '\u2212' : '+'}${Math.floor(size / 60)}${rest}` : ''}`;
}

type Style = Intl.DateTimeFormatOptions;

const format = (event: Moment, style: Style) =>
  partsOf(event, style)
    .map(({ value }) => value)
    .join('');

/** Formats an event's start in parts, on the clock of the event's zone. */
function partsOf(event: Moment, style: Style) {
  const options = {
    ...style,
    ...pinned,
    weekday: language === 'ja' && style.weekday ? 'short' : style.weekday,
    hourCycle: style.hour && clockHabit(),
    timeZone: 'UTC',
  } as const;
  const parts = formatter(locale, options).formatToParts(wallAt(event));
  const correct = corrections[language];
  return parts.map((part, index) => ({
    type: part.type,
    value: correct?.(part, parts[index + 1], parts) || part.value,
  }));
}

type Part = Intl.DateTimeFormatPart;
/** Returns the correct text of a part if CLDR's text is wrong. */
type Correction = (part: Part, next: Part | undefined, all: Part[]) => string | false | undefined;

/** Writes the first of a month as an ordinal, for which CLDR has the plain number, unless the month is a number too. */
const firstDay =
  (text: string): Correction =>
  ({ type, value }, _, all) =>
    type === 'day' && value === '1' && !all.some((part) => part.type === 'month' && /\d/.test(part.value)) && text;

/** Replaces CLDR's text between the date and the time. */
const joint =
  (cldr: string, text: string): Correction =>
  ({ value }, next) =>
    next?.type === 'hour' && value === cldr && text;

const each =
  (...all: Correction[]): Correction =>
  (...part) =>
    all.map((correct) => correct(...part)).find(Boolean);

/** Corrections by language. */
const corrections: Record<string, Correction> = {
  ar: joint(' في ', ' الساعة\u00a0'),
  // German wants "19:30 Uhr"; CLDR adds "Uhr" to full hours only.
  de: ({ type, value }) => type === 'minute' && clockHabit() === 'h23' && `${value}\u00a0Uhr`,
  // French wants "19 h 30"; CLDR writes the h for Canada only.
  fr: each(firstDay('1er'), ({ value }, next) => next?.type === 'minute' && value === ':' && '\u00a0h\u00a0'),
  it: firstDay('1º'),
  pl: joint(' ', ' o\u00a0'),
  pt: firstDay('1º'),
  // Drop CLDR's "о", which would have to be "об" before 11. Replace CLDR's apostrophe, which the fonts lack.
  uk: ({ value }, next) => (next?.type === 'hour' ? value.replace(/ о $/, ', ') : value.replace('\u02bc', '’')),
};

/** The clock of 12 or 24 hours that the visitor's own language tag, not the page's, asks for. */
const clockHabit = () => formatter(readerTag(), { hour: 'numeric' }).resolvedOptions().hourCycle;

const dateStyle: Style = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
const timeStyle: Style = { hour: 'numeric', minute: '2-digit' };

/** The offset of an event's zone. If this browser does not know the zone, the organizer's offset replaces it. */
const offsetOf = ({ dateTime, timezone }: Moment, epoch: number) =>
  isZone(timezone) ? offsetAt(epoch, timezone) : written(dateTime);

/** The clock on the wall in an event's zone, as an instant in UTC. */
const wallAt = (event: Moment, epoch: number = Date.parse(event.dateTime)) => epoch + offsetOf(event, epoch) * minute;

const dayAt = (event: Moment, epoch?: number) => Math.floor(wallAt(event, epoch) / day);

/**
 * The end of an event as a moment, or undefined. `isOther` says whether the words for the event have the date of the
 * end: not on the day of the start, and not until six o'clock in the first night.
 */
function endOf(event: Moment) {
  const at = endsAt(event);
  if (!at) return undefined;
  const end = { ...event, dateTime: event.endDateTime ?? '' };
  const isNight = at - Date.parse(event.dateTime) < day && wallAt(end) % day <= day / 4;
  return { ...end, isOther: !isNight && dayAt(end) > dayAt(event) };
}

/** The format option that writes the year, unless all dates are in the current year of the event's zone. */
function year(event: Moment) {
  const end = endOf(event);
  const yearAt = (at: Moment, epoch?: number) => new Date(wallAt(at, epoch)).getUTCFullYear();
  const isCurrent = (at: Moment) => yearAt(at) === yearAt(at, now());
  return isCurrent(event) && (!end?.isOther || isCurrent(end)) ? undefined : 'numeric';
}

/** Joins start and end as CLDR does: with spaces around the dash if the start has a space. */
const joined = ([from = '', to = '']: string[]) =>
  from + (language === 'ja' ? '\uff5e' : /\s/.test(from) ? '\u00a0\u2013 ' : '\u2013') + to;

/** The times of the start and of the end. A word after both times, such as "PM", is only after the second. */
const hours = (start: Moment, end: Moment) =>
  joined(`${timeIn(start)}\0${timeIn(end)}`.replace(/(\D*)\0(.*\d)\1$/, '\0$2$1').split('\0'));

/** The server's words, if they are in the language of the page. */
const wordsOf = ({ words }: Moment) => (words && languageOf(words.tag) === language ? words : undefined);

type Parts = [before: string, date: string, after: string];

/**
 * The date and time in the event's zone, with the end: the text before the date of the start, this date without the
 * weekday, and the text after it. No line breaks inside a date that fits in the line, or before a comma.
 */
export function whenParts(event: Moment): Parts {
  const words = wordsOf(event);
  if (words) return year(event) ? words.whenWithYear : words.when;
  return partsIn(event, year(event));
}

function partsIn(event: Moment, ofYear?: Style['year']): Parts {
  const end = endOf(event);
  const isSpan = end && !end.isOther;
  const comma = { ar: '\u060c ', ja: ' ', tr: ' ' }[language] ?? ', ';
  const marked = partsOf(event, { ...dateStyle, ...(!isSpan && timeStyle), year: ofYear })
    .map(({ type, value }) => (type === 'day' || type === 'month' ? `\0${value}` : value))
    .join('');
  const [, before = '', date = '', after = ''] =
    /^(.*?)([^ ]*\0.*\0[^ ]*)(.*)$/.exec(isSpan ? marked + comma : marked) ?? [];
  const last = end && (isSpan ? after + hours(event, end) : joined([after, partsIn(end, ofYear).join('')]));
  return [before, date.replaceAll('\0', ''), last ?? after];
}

export const whenIn = (event: Moment) => whenParts(event).join('');
export const dayIn = (event: Moment) => format(event, { day: 'numeric', month: 'long', year: year(event) });
export const dateIn = (event: Moment) => wordsOf(event)?.date ?? format(event, dateStyle);
/** The last day with RSVPs. */
export const lastDay = (event: Moment) =>
  wordsOf(event)?.closes ?? dateIn({ ...event, dateTime: new Date(closesAt(event)).toISOString(), words: undefined });
export const timeIn = (event: Moment) => format(event, timeStyle);

/** An instant in the visitor's zone, with its day unless that day is today. */
export function agoText(epoch: number) {
  const moment = (at: number) => ({ dateTime: new Date(at).toISOString(), timezone: readerZone() });
  const isToday = dateIn(moment(epoch)) === dateIn(moment(now()));
  const shortDate: Style = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' };
  return format(moment(epoch), { ...(isToday ? {} : shortDate), ...timeStyle });
}

/** An event's time in the visitor's zone, with the day if it is not the event's day. */
export function readerTime(event: Moment) {
  const there = { ...event, timezone: readerZone(), words: undefined };
  const end = endOf(there);
  if (end?.isOther || dateIn(there) !== dateIn(event)) return partsIn(there).join('');
  return end ? hours(there, end) : timeIn(there);
}

export function zoneName({ dateTime, timezone }: Moment) {
  if (!isZone(timezone)) return utcOffset(written(dateTime));
  if (timezone === 'UTC') return 'UTC';
  return (
    zonePart(Date.parse(dateTime), locale, { ...pinned, timeZone: timezone, timeZoneName: 'longGeneric' }) ?? timezone
  );
}

/** The date for people elsewhere. It names the zone unless this device surely has the event's offset at its start. */
export const whenAnywhere = (event: Moment, date: string = whenIn(event)) =>
  isZone(deviceZone()) && !readerDiffers(event) ? date : plain(t('event.anywhere', { date, zone: zoneName(event) }));

export function readerDiffers(event: Moment) {
  const epoch = Date.parse(event.dateTime);
  return offsetOf(event, epoch) !== offsetAt(epoch, readerZone());
}

/** The number of midnights between now and an event, in a zone. */
export function daysUntil(event: Moment, timezone: string = event.timezone) {
  const there = { ...event, timezone };
  return dayAt(there) - dayAt(there, now());
}

/** Words such as "tomorrow" or "in 12 days", in the visitor's zone; "" while an event of an earlier day goes on. */
export function relativeDay(event: Parameters<typeof phase>[0]) {
  const days = daysUntil(event, readerZone());
  if (days < 0 && phase(event) === 'started') return '';
  // From 46 days on, the months round to two or more. One month would be "next month", which may be wrong.
  const unit = Math.abs(days) < 46 ? 'day' : Math.abs(days) < 700 ? 'month' : 'year';
  const text = relative.format(Math.round(days / { day: 1, month: 30.44, year: 365.25 }[unit]), unit);
  // CLDR puts spaces around Japanese digits, which is wrong. CLDR's Arabic means "within 5 days", not "in 5 days".
  return language === 'ja' ? text.replaceAll(' ', '') : text.replace('خلال', 'بعد');
}
