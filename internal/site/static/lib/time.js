// @ts-check
import { now } from './clock.js';
import { language, locale, own, pinned } from './i18n.js';

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** @typedef {{ dateTime: string, timezone: string }} Moment */

// A browser may report a zone that its own Intl does not accept.
export function readerZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isZone(zone) ? zone : 'UTC';
}

/** @param {string} zone */
export function isZone(zone) {
  try {
    return Boolean(zone && new Intl.DateTimeFormat('en', { timeZone: zone }));
  } catch {
    return false;
  }
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const clocks = new Map();

/** @param {string} zone */
function clock(zone) {
  if (!clocks.has(zone)) {
    clocks.set(zone, new Intl.DateTimeFormat('en-US', {
      timeZone: zone, hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn', era: 'short',
      year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit',
    }));
  }
  return /** @type {Intl.DateTimeFormat} */ (clocks.get(zone));
}

/**
 * Minutes east of UTC at a moment. Offsets that are not whole minutes ended
 * in 1972 and cannot be written in a date-time; they are rounded.
 * @param {number} epoch
 * @param {string} zone
 */
export function offsetAt(epoch, zone) {
  /** @type {any} */
  const at = Object.fromEntries(clock(zone).formatToParts(epoch).map(({ type, value }) => [type, value]));
  // Date.UTC maps the years before 100 to others; the year 0 is 1 BC.
  const wall = new Date(0).setUTCFullYear(at.era[0] === 'B' ? 1 - at.year : at.year, at.month - 1, at.day)
    + (at.hour * 60 + Number(at.minute)) * minute + at.second * 1000;
  return Math.round((wall - Math.floor(epoch / 1000) * 1000) / minute);
}

/** @param {number} minutes */
export function offsetText(minutes) {
  const size = Math.abs(minutes);
  /** @param {number} value */
  const two = (value) => String(Math.floor(value)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

/** An offset for readers, such as UTC+5:30; as the server writes it. @param {number} minutes */
export function utcOffset(minutes) {
  const size = Math.abs(minutes);
  const rest = size % 60 ? `:${String(size % 60).padStart(2, '0')}` : '';
  return `UTC${minutes ? `${minutes < 0 ? '\u2212' : '+'}${Math.floor(size / 60)}${rest}` : ''}`;
}

const week = 7 * day;

/** @param {{ dateTime: string }} event */
export const closesAt = (event) => Date.parse(event.dateTime) + week;

/**
 * An event has no end: it counts as over half a day after its start. A week after
 * its start, the service no longer accepts RSVPs.
 * @param {Moment & { cancelled?: boolean, to?: object | undefined }} event
 * @returns {'moved' | 'cancelled' | 'closed' | 'over' | 'started' | 'coming'}
 */
export function phase(event) {
  const age = now() - Date.parse(event.dateTime);
  if (event.to) return 'moved';
  if (event.cancelled) return 'cancelled';
  if (age > week) return 'closed';
  if (age > day / 2) return 'over';
  return age >= 0 ? 'started' : 'coming';
}

/**
 * Whether it is time for the check-in: from six hours before the start until the event is over.
 * @param {Moment & { cancelled?: boolean }} event
 */
export const atTheDoor = (event) => ['coming', 'started'].includes(phase(event)) && now() >= Date.parse(event.dateTime) - day / 4;

/** @param {string} dateTime */
const written = (dateTime) => {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(dateTime) ?? ['', '+', '0', '0'];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

/**
 * The organizer's offset stands in for a zone unknown to this browser.
 * @param {Moment} event
 * @param {string} zone
 * @param {Intl.DateTimeFormatOptions} options
 */
export function format(event, zone, options) {
  const known = isZone(zone);
  const hourCycle = options.hour && clockHabit();
  const parts = new Intl.DateTimeFormat(locale, { ...options, ...pinned, hourCycle, timeZone: known ? zone : 'UTC' })
    .formatToParts(Date.parse(event.dateTime) + (known ? 0 : written(event.dateTime) * minute));
  // German says "19:30 Uhr", which CLDR has for full hours only.
  const after = language === 'de' && hourCycle === 'h23' ? ' Uhr' : '';
  const first = parts.some(({ type, value }) => type === 'month' && /\d/.test(value)) ? undefined : firstDays[language];
  return parts.map(({ type, value }) => {
    if (type === 'minute') return value + after;
    return type === 'day' && value === '1' ? first ?? value : value;
  }).join('');
}

/**
 * The first day of a month in dates that name the month. CLDR uses the plain number.
 * @type {Record<string, string>}
 */
const firstDays = { fr: '1er', pt: '1º' };

// 12 or 24 hours depends on the reader's own tag, not on the language of the page.
const clockHabit = () => new Intl.DateTimeFormat(own(), { hour: 'numeric' }).resolvedOptions().hourCycle;

/** @type {Intl.DateTimeFormatOptions} */
const dateStyle = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
/** @type {Intl.DateTimeFormatOptions} */
const timeStyle = { hour: 'numeric', minute: '2-digit' };

/**
 * The year of a moment in the event's zone.
 * @param {Moment} event
 * @param {number} epoch
 */
function yearOf({ dateTime, timezone }, epoch) {
  const offset = isZone(timezone) ? offsetAt(epoch, timezone) : written(dateTime);
  return new Date(epoch + offset * minute).getUTCFullYear();
}

/** The date and time in the event's zone, without the year if it is the current one. @param {Moment} event */
export const whenIn = (event) => format(event, event.timezone, {
  ...dateStyle, ...timeStyle, year: yearOf(event, Date.parse(event.dateTime)) === yearOf(event, now()) ? undefined : 'numeric',
});
/** @param {Moment} event @param {string} [zone] */
export const dateIn = (event, zone = event.timezone) => format(event, zone, dateStyle);
/** @param {Moment} event @param {string} [zone] */
export const timeIn = (event, zone = event.timezone) => format(event, zone, timeStyle);
/** @param {Moment} event @param {string} [zone] */
export const shortIn = (event, zone = event.timezone) =>
  format(event, zone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', ...timeStyle });

/**
 * A moment in the reader's zone, with the day unless it is today. Today is by this device's clock: the service's
 * time may come from HTML of any age.
 * @param {number} epoch
 */
export function agoText(epoch) {
  /** @param {number} at */
  const moment = (at) => ({ dateTime: new Date(at).toISOString(), timezone: readerZone() });
  return (dateIn(moment(epoch)) === dateIn(moment(Date.now())) ? timeIn : shortIn)(moment(epoch));
}

/** The time of an event in the reader's zone, with the day if that differs. @param {Moment} event */
export function readerTime(event) {
  const zone = readerZone();
  return dateIn(event, zone) === dateIn(event) ? timeIn(event, zone) : format(event, zone, { ...dateStyle, ...timeStyle, year: undefined });
}

/** The name of the event's zone in the language of the page. @param {Moment} event */
export function zoneName({ dateTime, timezone }) {
  if (!isZone(timezone)) return utcOffset(written(dateTime));
  if (timezone === 'UTC') return 'UTC';
  const parts = new Intl.DateTimeFormat(locale, { ...pinned, timeZone: timezone, timeZoneName: 'longGeneric' }).formatToParts(Date.parse(dateTime));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
}

/** When an event is, for readers in unknown zones. @param {Moment} event */
export const whenAnywhere = (event) => `${whenIn(event)} (${zoneName(event)})`;

/** @param {Moment} event */
export function readerDiffers(event) {
  const epoch = Date.parse(event.dateTime);
  const there = isZone(event.timezone) ? offsetAt(epoch, event.timezone) : written(event.dateTime);
  return there !== offsetAt(epoch, readerZone());
}

/** The relative day of an event in the visitor's zone: today, tomorrow, in 12 days. @param {Moment} event */
export function relativeDay(event) {
  const epoch = Date.parse(event.dateTime);
  /** @param {number} at */
  const dayOf = (at) => Math.floor((at + offsetAt(at, readerZone()) * minute) / day);
  const days = dayOf(epoch) - dayOf(now());
  // 46 days round to two months; one month would be "next month", which may be wrong.
  const [count, unit] = Math.abs(days) < 46 ? [days, /** @type {const} */ ('day')]
    : Math.abs(days) < 700 ? [days / 30.44, /** @type {const} */ ('month')] : [days / 365.25, /** @type {const} */ ('year')];
  const text = new Intl.RelativeTimeFormat(new Intl.Locale(locale, pinned), { numeric: 'auto' }).format(Math.round(count), unit);
  // Japanese is written without the spaces that CLDR puts around digits.
  return language === 'ja' ? text.replaceAll(' ', '') : text;
}
