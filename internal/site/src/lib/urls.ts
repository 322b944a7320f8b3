const longest = 100; // characters of a token and what was copied after it: the search takes the square of the time

/** The token in a part of a link, without punctuation copied after it, which a path has percent-encoded. */
export const tokenIn = (part: string) =>
  part
    .slice(0, longest)
    .replace(/(%[\da-f]{2}|[^\da-z])+$/i, '')
    .toLowerCase();

/** Behind a proxy, not that of this page. */
const siteOrigin = () =>
  new URL(document.head.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? location.href).origin;

export const eventPath = (eventToken: string) => `/e/${eventToken}`;

export const eventURL = (eventToken: string) => siteOrigin() + eventPath(eventToken);

export const codePath = (eventToken: string) => `${eventPath(eventToken)}/qr.svg`;

/** The picture for messengers. */
export const cardPath = (eventToken: string) => `${eventPath(eventToken)}/card.png`;

export const calendarPath = (eventToken: string) => `${eventPath(eventToken)}/event.ics`;

export const calendarURL = (eventToken: string) => siteOrigin().replace(/^https?/, 'webcal') + calendarPath(eventToken);

/** The organizer's page on a device that has the secret: a copy of this address does not hand over the event. */
export const organizerPath = (eventToken: string) => `${eventPath(eventToken)}#organize`;

// Secrets are in the fragment, which browsers do not send.

export const organizerURL = (eventToken: string, organizerToken: string) =>
  `${eventURL(eventToken)}#organizer=${organizerToken}`;

/** The token is last: punctuation copied after the link does not become part of the name. */
export const rsvpURL = ({ eventToken, rsvpToken, name }: { eventToken: string; rsvpToken: string; name: string }) =>
  `${eventURL(eventToken)}#${new URLSearchParams({ name, rsvp: rsvpToken })}`;

/** A link to another site or program. Nothing is loaded from it before a click. */
export const link = (address: string, values: Record<string, string>) =>
  `${address}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

/** Android opens the chosen map app, Apple's systems open Apple Maps, others OpenStreetMap in the browser. */
export function map(place: string) {
  if (/Android/.test(navigator.userAgent)) return link('geo:0,0', { q: place });
  return /iPhone|iPad|Macintosh/.test(navigator.userAgent)
    ? link('https://maps.apple.com/', { q: place })
    : link('https://www.openstreetmap.org/search', { query: place });
}
