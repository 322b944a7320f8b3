// @ts-check
// Links to other sites and programs. Nothing is loaded from them before a click.

/** @param {string} address @param {Record<string, string>} values */
const link = (address, values) => `${address}?${Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

/** @param {string} text @param {string} url */
export const whatsApp = (text, url) => link('https://wa.me/', { text: `${text}\n${url}` });

/** @param {string} text @param {string} url */
export const telegram = (text, url) => link('https://t.me/share/url', { url, text });

/** @param {string} subject @param {string} text @param {string} url */
export const email = (subject, text, url) => link('mailto:', { subject, body: `${text}\n\n${url}\n`.replaceAll('\n', '\r\n') });

/**
 * @typedef {object} Entry a calendar entry
 * @property {string} title
 * @property {number} start in milliseconds since the epoch
 * @property {number} end
 * @property {string} text
 * @property {string} place
 */

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
