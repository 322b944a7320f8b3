// @ts-check
// Links to other sites and programs. Nothing is loaded from them before a click.

/** @param {string} address @param {Record<string, string>} values */
export const link = (address, values) => `${address}?${Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

/** A calendar entry; times are in milliseconds since the epoch. @typedef {{ title: string, start: number, end: number, text: string, place: string }} Entry */

/** @param {number} moment */
const extended = (moment) => new Date(moment).toISOString().replace(/\.\d+/, '');
/** @param {number} moment */
const basic = (moment) => extended(moment).replace(/[-:]/g, '');

/** @param {Entry} entry */
export const googleCalendar = ({ title, start, end, text, place }) => link('https://calendar.google.com/calendar/render', {
  action: 'TEMPLATE', text: title, dates: `${basic(start)}/${basic(end)}`, details: text, location: place,
});

/** @param {Entry} entry */
export const outlook = ({ title, start, end, text, place }) =>
  link('https://outlook.live.com/calendar/0/action/compose', {
    rru: 'addevent', subject: title, startdt: extended(start), enddt: extended(end), body: text, location: place,
  });

/**
 * Android opens the chosen map app, Apple's systems open Apple Maps, others
 * OpenStreetMap in the browser.
 * @param {string} place
 */
export function map(place) {
  if (/Android/.test(navigator.userAgent)) return link('geo:0,0', { q: place });
  return /iPhone|iPad|Macintosh/.test(navigator.userAgent)
    ? link('https://maps.apple.com/', { q: place }) : link('https://www.openstreetmap.org/search', { query: place });
}
