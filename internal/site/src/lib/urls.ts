function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // what follows the token
  }
}

/**
 * The token that a part of a link begins with. As in event_handler.go, it is 36 characters long, and neither a letter
 * nor a digit follows it. What else follows was appended on the link's way: the end of a sentence, or a parameter.
 */
export function tokenIn(part: string) {
  const text = decoded(part);
  return (/^.{36}(?![\p{L}\p{N}])/u.exec(text)?.[0] ?? text).toLowerCase();
}

/** The token of the event whose page has a path, or "". */
export function pageToken(path: string) {
  const below = /^\/e\/(.+)$/.exec(path)?.[1] ?? '';
  const token = tokenIn(below);
  const isFile = token.includes('/') || /^\/[\p{L}\p{N}]/u.test(below.slice(token.length));
  return isFile ? '' : token;
}

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
