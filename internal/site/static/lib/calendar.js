// @ts-check
import { changes, isZone, moments, offsetAt, offsetText } from './time.js';
import { eventURL, rsvpURL } from './urls.js';

// Every character that a reader could take for the end of a line becomes an escaped one.
/** @param {string} text */
const escaped = (text) => text
  .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
  .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  .replace(/[\\;,]/g, '\\$&')
  .replaceAll('\n', '\\n');

// Lines hold at most 75 octets; a continuation starts with a space.
/** @param {string} line */
function folded(line) {
  const encoder = new TextEncoder();
  let result = '';
  let room = 75;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (size > room) {
      result += '\r\n ';
      room = 74;
    }
    result += character;
    room -= size;
  }
  return result;
}

/** @param {number} epoch */
const stamp = (epoch) => new Date(epoch).toISOString().replace(/[-:]|\.\d+/g, '');
/** @param {number} epoch @param {number} offset */
const wall = (epoch, offset) => stamp(epoch + offset * 60_000).slice(0, -1);

/** @param {number} epoch @param {string} zone */
function zoneLines(epoch, zone) {
  const around = changes(epoch, zone);
  const offsets = [offsetAt(epoch, zone), ...around.flatMap(({ before, after }) => [before, after])];
  const standard = Math.min(...offsets);
  const first = around[0]?.before ?? offsets[0];
  // The first observance starts where those that Outlook writes do.
  /** @type {{ at: number, before: number, after: number, start?: string }[]} */
  const observances = [{ at: 0, before: first, after: first, start: '16010101T000000' }, ...around];
  return [
    'BEGIN:VTIMEZONE', `TZID:${zone}`,
    ...observances.flatMap(({ at, before, after, start }) => {
      const kind = after > standard ? 'DAYLIGHT' : 'STANDARD';
      return [
        `BEGIN:${kind}`, `DTSTART:${start ?? wall(at, before)}`,
        `TZOFFSETFROM:${offsetText(before, '')}`, `TZOFFSETTO:${offsetText(after, '')}`, `END:${kind}`,
      ];
    }),
    'END:VTIMEZONE',
  ];
}

const hour = 3_600_000;
/** An event has no end of its own: a calendar keeps these two hours free for it. */
const duration = 2 * hour;

/**
 * Start and end, in UTC as calendars write it.
 * @param {import('./api.js').EventDetails} event
 */
export function span({ dateTime }) {
  const start = Date.parse(dateTime);
  return { start: stamp(start), end: stamp(start + duration) };
}

/**
 * A time that the clock shows twice is the first one to a calendar (RFC 5545,
 * section 3.3.5).
 * @param {number} epoch
 * @param {string} zone
 */
function isSecond(epoch, zone) {
  const offset = offsetAt(epoch, zone);
  const wallTime = new Date(epoch + offset * 60_000).toISOString();
  const [date, time] = wallTime.split('T');
  return moments(date, time.slice(0, 8), zone)?.found[0]?.offset !== offset;
}

/**
 * @param {import('./api.js').EventDetails} event
 * @param {import('./saved.js').SavedRSVP} [rsvp] whose private link goes into the entry
 */
export function calendar(event, rsvp) {
  const epoch = Date.parse(event.dateTime);
  const zone = event.timezone;
  const zoned = isZone(zone) && zone !== 'UTC' && ![epoch, epoch + duration].some((moment) => isSecond(moment, zone));
  /** @param {string} name @param {number} moment */
  const at = (name, moment) => (zoned ? `${name};TZID=${zone}:${wall(moment, offsetAt(moment, zone))}` : `${name}:${stamp(moment)}`);
  const url = eventURL(event.eventToken);
  return [
    'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Turnout//Turnout//EN', 'CALSCALE:GREGORIAN',
    ...(zoned ? zoneLines(epoch, zone) : []),
    'BEGIN:VEVENT',
    `UID:${event.eventToken}@turnout`,
    `DTSTAMP:${stamp(Date.now())}`,
    at('DTSTART', epoch), at('DTEND', epoch + duration),
    `SUMMARY:${escaped(event.title)}`,
    `DESCRIPTION:${escaped([event.description, rsvp ? rsvpURL(rsvp) : url].filter(Boolean).join('\n\n'))}`,
    ...(event.location ? [`LOCATION:${escaped(event.location)}`] : []),
    `URL:${url}`,
    // A calendar replaces an entry only by one with a higher number.
    `SEQUENCE:${event.cancelled ? 1 : 0}`,
    `STATUS:${event.cancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    ...(event.cancelled ? [] : ['BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${escaped(event.title)}`, 'TRIGGER:-PT1H', 'END:VALARM']),
    'END:VEVENT', 'END:VCALENDAR',
  ].map((line) => `${folded(line)}\r\n`).join('');
}
