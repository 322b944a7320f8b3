/**
 * The token in a part of a link, without punctuation copied after it. In a path, non-ASCII characters
 * are percent-encoded.
 */
export const tokenIn = (part: string) => part.replace(/(%[\da-f]{2}|[^\da-z])+$/i, '').toLowerCase();

/** The site's origin. Behind a proxy, it differs from the origin of this page. */
const siteOrigin = () =>
  new URL(document.head.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? location.href).origin;

export const eventPath = (eventToken: string) => `/e/${eventToken}`;

export const eventURL = (eventToken: string) => siteOrigin() + eventPath(eventToken);

export const codePath = (eventToken: string) => `${eventPath(eventToken)}/qr.svg`;

/** The picture for messengers. */
export const cardPath = (eventToken: string) => `${eventPath(eventToken)}/card.png`;

export const calendarPath = (eventToken: string) => `${eventPath(eventToken)}/event.ics`;

export const calendarURL = (eventToken: string) => siteOrigin().replace(/^https?/, 'webcal') + calendarPath(eventToken);

/**
 * The organizer's page on a device that has the secret. The address does not contain it, so copying the
 * address from the browser does not hand over the right to cancel.
 */
export const organizerPath = (eventToken: string) => `${eventPath(eventToken)}#organize`;

// Secrets are in the fragment, which browsers do not send.

export const organizerURL = (eventToken: string, organizerToken: string) =>
  `${eventURL(eventToken)}#organizer=${organizerToken}`;

/** The token comes last, so that punctuation copied after the link does not become part of the name. */
export const rsvpURL = ({ eventToken, rsvpToken, name }: { eventToken: string; rsvpToken: string; name: string }) =>
  `${eventURL(eventToken)}#${new URLSearchParams({ name, rsvp: rsvpToken })}`;

// Links to other sites and programs. Nothing is loaded from them before a click.

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
