// Dates and zones for the form of an event. Guests do not load this module.
import { day, minute, now } from '../lib/clock';
import { locale, pinned, relative } from '../lib/i18n';
import { formatter, isZone, offsetAt, readerZone, timeIn, whenIn } from '../model/time';

// Old names under which some browsers still list renamed zones.
const renamed: Record<string, string> = {
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
function current(zone: string) {
  const [, sign, hours] = /^([+-])(\d\d):?(?:00)?$/.exec(zone) ?? [];
  const offset = Number(hours) ? `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}` : 'UTC';
  const name = sign ? offset : renamed[zone];
  return name && isZone(name) ? name : zone;
}

/** Whether a zone is an offset. Some devices report an offset in place of a name, but the service refuses it. */
export const isOffset = (zone: string) => /^[+-]/.test(zone);

export const ownZone = () => current(readerZone());

/** The names of all zones. The list of some browsers lacks UTC, the device's own zone, or the zone of an old event. */
export const zones = (chosen: string) =>
  [...new Set([...Intl.supportedValuesOf('timeZone').map(current), chosen, ownZone(), 'UTC'])].sort();

/**
 * The instants at which a zone's wall clock shows a date and time. `found` is empty if the clock skips the time, and
 * has two instants if the clock is turned back. `instead` is the clock's time after the jump, with the date if the date
 * differs.
 */
export function moments(date: string, time: string, zone: string) {
  const wall = Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wall)) return null;
  const before = offsetAt(wall - day, zone);
  const after = offsetAt(wall + day, zone);
  const fitting = [...new Set([before, after])].filter((offset) => offsetAt(wall - offset * minute, zone) === offset);
  const jumped = new Date(wall + (after - before) * minute).toISOString();
  const textOfOffset = (offset: number) =>
    (offset < 0 ? '-' : '+') + new Date(Math.abs(offset) * minute).toISOString().slice(11, 16);
  return {
    found: fitting
      .sort((a, b) => b - a)
      .map((offset) => ({ offset, dateTime: `${date}T${time}:00${textOfOffset(offset)}` })),
    instead: (jumped.startsWith(date) ? timeIn : whenIn)({ dateTime: jumped, timezone: 'UTC' }),
  };
}

/** @param time such as 19:30 */
export const clockText = (time: string) => timeIn({ dateTime: `2000-01-01T${time}Z`, timezone: 'UTC' });

export const place = (zone: string) => zone.split('/').slice(1).join(' / ').replaceAll('_', ' ') || zone;

export const capitalized = (text: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** The date after some days, or "" if there is no such date. @param date such as 2026-11-28 */
export const daysAfter = (date: string, days: number) =>
  (new Date(Date.parse(date) + days * day).toJSON() as string | null)?.slice(0, 10) ?? '';

export const daysBetween = (a: string, b: string) => (Date.parse(b) - Date.parse(a)) / day;

/** Formats a date or time of a clock on the wall, without converting it to a zone. */
const textOf = (wall: string, style: Intl.DateTimeFormatOptions) =>
  formatter(locale, { ...pinned, ...style, timeZone: 'UTC' }).format(Date.parse(wall));

/** The date and the time on a zone's wall clock. */
export function wallClock(epoch: number, zone: string) {
  const wall = new Date(epoch + offsetAt(epoch, zone) * minute).toISOString();
  return [wall.slice(0, 10), wall.slice(11, 16)] as const;
}

/**
 * Popular days: today, until 18:00 in the zone, and the weekends of the next two weeks. The first day of another month
 * has the month. On the other days the month would take the room that five days in a row need on a small phone.
 */
export function nearDays(zone: string) {
  const [today, time] = wallClock(now(), zone);
  let said = today.slice(0, 7);
  return Array.from({ length: 15 }, (_, days) => daysAfter(today, days))
    .filter((date) => (date === today ? time < '18' : new Date(date).getUTCDay() % 6 === 0))
    .map((value) => {
      if (value === today) return { value, texts: [capitalized(relative.format(0, 'day'))] };
      const month = value.startsWith(said) ? undefined : 'short';
      said = value.slice(0, 7);
      return { value, texts: [textOf(value, { weekday: 'short' }), textOf(value, { day: 'numeric', month })] };
    });
}

/** Popular times that are not in the past. */
export function nearTimes(date: string, zone: string) {
  return ['15:00', '18:00', '19:30', '20:00']
    .filter((value) => Date.parse(moments(date, value, zone)?.found[0]?.dateTime ?? '') > now())
    .map((value) => ({ value, texts: [clockText(value).replace('\u00A0Uhr', '')] }));
}
