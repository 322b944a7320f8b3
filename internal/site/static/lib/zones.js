// @ts-check
// Dates and zones as the form of an event offers them. Guests do not load this.
import { now } from './clock.js';
import { language, locale } from './i18n.js';
import { day, format, isZone, minute, offsetAt, offsetText, readerZone, timeIn, whenIn } from './time.js';

// Old names under which some browsers still list renamed zones.
/** @type {Record<string, string>} */
const renamed = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};
/** @param {string} zone */
function current(zone) {
  const name = renamed[zone];
  return name && isZone(name) ? name : zone;
}

export const ownZone = () => current(readerZone());

/**
 * The zones to choose from. Not every browser lists UTC, its own zone, or that of an old event.
 * @param {string} chosen
 */
export const zones = (chosen) => [...new Set([...Intl.supportedValuesOf('timeZone').map(current), chosen, ownZone(), 'UTC'])].sort();

/**
 * The moments of a date and time on a zone's wall clock: none if the clock skips it, two if it is
 * turned back. If there is none, `instead` is the clock's time after the jump, with the date if that
 * differs.
 * @param {string} date
 * @param {string} time
 * @param {string} zone
 */
export function moments(date, time, zone) {
  const wall = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wall)) return null;
  const before = offsetAt(wall - day, zone);
  const after = offsetAt(wall + day, zone);
  const fitting = [...new Set([before, after])].filter((offset) => offsetAt(wall - offset * minute, zone) === offset);
  const jumped = new Date(wall + (after - before) * minute).toISOString();
  return {
    found: fitting.sort((a, b) => b - a).map((offset) => ({ offset, dateTime: `${date}T${time}:00${offsetText(offset)}` })),
    instead: (jumped.startsWith(date) ? timeIn : whenIn)({ dateTime: jumped, timezone: 'UTC' }),
  };
}

/** A time of day as the reader writes it. @param {string} time such as 19:30 */
export const clockText = (time) => timeIn({ dateTime: `2000-01-01T${time}Z`, timezone: 'UTC' });

/** @param {string} zone */
export const place = (zone) => zone.split('/').slice(1).join(' / ').replaceAll('_', ' ') || zone;

// In these languages, three days with their months do not fit a phone's row.
const longMonths = ['fr', 'pt'];

/** Today in a zone, and the next Saturday and Sunday. @param {string} zone */
export function nearDays(zone) {
  const moment = now();
  const today = Math.floor((moment + offsetAt(moment, zone) * minute) / day) * day;
  const weekday = new Date(today).getUTCDay();
  /** @type {Intl.DateTimeFormatOptions} */
  const style = { weekday: 'short', day: 'numeric', month: longMonths.includes(language) ? undefined : 'short' };
  /** @param {number} days from today */
  const near = (days) => {
    const dateTime = new Date(today + days * day).toISOString();
    return { days, date: dateTime.slice(0, 10), text: format({ dateTime, timezone: 'UTC' }, 'UTC', style) };
  };
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'day');
  return [
    { ...near(0), text: word.charAt(0).toLocaleUpperCase(locale) + word.slice(1) },
    ...[6, 7].map((wanted) => near((wanted - weekday + 6) % 7 + 1)).sort((a, b) => a.days - b.days),
  ];
}
