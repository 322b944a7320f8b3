// @ts-check

/**
 * The token of a part of a link, without punctuation that was copied after it. In a
 * path, what is not ASCII is percent-encoded.
 * @param {string} part
 */
export const tokenIn = (part) => part.replace(/(%[\da-f]{2}|[^\da-z])+$/i, '').toLowerCase();

/** The site's origin: another one than of this page where a proxy is in front of it. */
const siteOrigin = () =>
  new URL(document.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? location.href).origin;

/** @param {string} eventToken */
export const eventPath = (eventToken) => `/e/${eventToken}`;

/** @param {string} eventToken */
export const eventURL = (eventToken) => siteOrigin() + eventPath(eventToken);

/** @param {string} eventToken */
export const codePath = (eventToken) => `${eventPath(eventToken)}/qr.svg`;

/** @param {string} eventToken */
export const calendarPath = (eventToken) => `${eventPath(eventToken)}/event.ics`;

/** @param {string} eventToken */
export const calendarURL = (eventToken) => siteOrigin().replace(/^https?/, 'webcal') + calendarPath(eventToken);

// Secrets are in the fragment, which browsers do not send.

/** @param {string} eventToken @param {string} organizerToken */
export const organizerPath = (eventToken, organizerToken) => `${eventPath(eventToken)}#organizer=${organizerToken}`;

/** @param {string} eventToken @param {string} organizerToken */
export const organizerURL = (eventToken, organizerToken) => siteOrigin() + organizerPath(eventToken, organizerToken);

/**
 * The token comes last, so that punctuation copied after the link is not taken for
 * a part of the name.
 * @param {{ eventToken: string, rsvpToken: string, name: string }} rsvp
 */
export const rsvpURL = ({ eventToken, rsvpToken, name }) =>
  `${eventURL(eventToken)}#${new URLSearchParams({ name, rsvp: rsvpToken })}`;
