// @ts-check
// Links to other sites and programs. Nothing is loaded from them before a click.

/** @param {string} address @param {Record<string, string>} values */
export const link = (address, values) =>
  `${address}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

/**
 * Android opens the chosen map app, Apple's systems open Apple Maps, others
 * OpenStreetMap in the browser.
 * @param {string} place
 */
export function map(place) {
  if (/Android/.test(navigator.userAgent)) return link('geo:0,0', { q: place });
  return /iPhone|iPad|Macintosh/.test(navigator.userAgent)
    ? link('https://maps.apple.com/', { q: place })
    : link('https://www.openstreetmap.org/search', { query: place });
}
