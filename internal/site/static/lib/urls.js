// @ts-check

/**
 * The token in a part of a link, without punctuation copied after it. In a path, non-ASCII characters
 * are percent-encoded.
 * @param {string} part
 */
export const tokenIn = (part) => part.replace(/(%[\da-f]{2}|[^\da-z])+$/i, '').toLowerCase();

/** The site's origin. Behind a proxy, it differs from the origin of this page. */
const siteOrigin = () =>
  new URL(document.head.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? location.href).origin;

/** @param {string} eventToken */
export const eventPath = (eventToken) => `/e/${eventToken}`;

/** @param {string} eventToken */
export const eventURL = (eventToken) => siteOrigin() + eventPath(eventToken);

/** @param {string} eventToken */
export const codePath = (eventToken) => `${eventPath(eventToken)}/qr.svg`;

/** The picture for messengers. @param {string} eventToken */
export const cardPath = (eventToken) => `${eventPath(eventToken)}/card.png`;

/** @param {string} eventToken */
export const calendarPath = (eventToken) => `${eventPath(eventToken)}/event.ics`;

/** @param {string} eventToken */
export const calendarURL = (eventToken) => siteOrigin().replace(/^https?/, 'webcal') + calendarPath(eventToken);

/**
 * The organizer's page on a device that has the secret. The address does not contain it, so copying the
 * address from the browser does not hand over the right to cancel.
 * @param {string} eventToken
 */
export const organizerPath = (eventToken) => `${eventPath(eventToken)}#organize`;

// Secrets are in the fragment, which browsers do not send.

/** @param {string} eventToken @param {string} organizerToken */
export const organizerURL = (eventToken, organizerToken) => `${eventURL(eventToken)}#organizer=${organizerToken}`;

/**
 * The token comes last, so that punctuation copied after the link does not become part of the name.
 * @param {{ eventToken: string, rsvpToken: string, name: string }} rsvp
 */
export const rsvpURL = ({ eventToken, rsvpToken, name }) =>
  `${eventURL(eventToken)}#${new URLSearchParams({ name, rsvp: rsvpToken })}`;
