/** The origin that visitors use, which may differ from this page's location behind a proxy. */
const siteOrigin = () =>
  new URL(document.head.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? location.href).origin;

export const eventPath = (eventToken: string) => `/e/${eventToken}`;

export const eventURL = (eventToken: string) => siteOrigin() + eventPath(eventToken);

export const codePath = (eventToken: string) => `${eventPath(eventToken)}/qr.svg`;

/** The path of the card, the image that messengers show. */
export const cardPath = (eventToken: string) => `${eventPath(eventToken)}/card.png`;

export const calendarPath = (eventToken: string) => `${eventPath(eventToken)}/event.ics`;

export const calendarURL = (eventToken: string) => siteOrigin().replace(/^https?/, 'webcal') + calendarPath(eventToken);

/** The organizer's page on a device that has the secret. A copy of this URL gives nobody else access. */
export const organizerPath = (eventToken: string) => `${eventPath(eventToken)}#organize`;

// In the URLs below, secrets are in the fragment, which browsers do not send.

export const organizerURL = (eventToken: string, organizerToken: string) =>
  `${eventURL(eventToken)}#organizer=${organizerToken}`;

/** A guest's own link. The token is last, so that punctuation copied with the link does not become part of the name. */
export const rsvpURL = ({ eventToken, rsvpToken, name }: { eventToken: string; rsvpToken: string; name: string }) =>
  `${eventURL(eventToken)}#${new URLSearchParams({ name, rsvp: rsvpToken })}`;

/** A link to another site or program, from which nothing is loaded before a click. */
export const link = (address: string, values: Record<string, string>) =>
  `${address}?${Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

// Octets of a URL in ASCII: calendar services refuse very long URLs, and Windows opens none beyond 2,048 characters.
const longest = 2000;

/** The beginning of a text, with an ellipsis. In a script with spaces it ends with a word. */
function cut(text: string, room: number) {
  const letters = [...text];
  const end = letters.findIndex((letter) => (room -= encodeURIComponent(letter).length) < 0);
  const start = letters.slice(0, Math.max(end, 0)).join('');
  return start && `${start.replace(/(\S)\s+\S{0,30}$/, '$1')}…`;
}

/** Makes a URL that fits. Shortens the texts, the first ones first. */
export function fitting<Name extends string>(
  texts: Record<Name, string>,
  addressOf: (texts: Record<Name, string>) => string,
) {
  const short = { ...texts };
  for (const name in short) {
    const excess = addressOf(short).length - longest;
    if (excess <= 0) break;
    const room = encodeURIComponent(short[name]).length - excess - encodeURIComponent('…').length;
    short[name] = cut(short[name], room);
  }
  return addressOf(short);
}

/** The link to a place on a map: the chosen map app on Android, Apple Maps on Apple's systems, else OpenStreetMap. */
export function map(place: string) {
  if (/Android/.test(navigator.userAgent)) return link('geo:0,0', { q: place });
  return /iPhone|iPad|Macintosh/.test(navigator.userAgent)
    ? link('https://maps.apple.com/', { q: place })
    : link('https://www.openstreetmap.org/search', { query: place });
}
