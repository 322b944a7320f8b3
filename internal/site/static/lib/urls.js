// @ts-check

/**
 * The token at the end of a part of a link. The link may have been copied with the
 * end of its sentence, of which paths have what is not ASCII in percent-encoding.
 * @param {string} part
 */
export const tokenIn = (part) => part.replace(/(%[\da-f]{2}|[^\da-z])+$/i, '').toLowerCase();

/** @param {string} eventToken */
export const eventPath = (eventToken) => `/e/${eventToken}`;

/** @param {string} eventToken */
export const eventURL = (eventToken) => location.origin + eventPath(eventToken);

/** @param {string} eventToken */
export const codePath = (eventToken) => `${eventPath(eventToken)}/qr.svg`;

// Secrets are in the fragment, which no server sees.

/** @param {string} eventToken @param {string} organizerToken */
export const organizerPath = (eventToken, organizerToken) => `${eventPath(eventToken)}#organizer=${organizerToken}`;

/** @param {string} eventToken @param {string} organizerToken */
export const organizerURL = (eventToken, organizerToken) => location.origin + organizerPath(eventToken, organizerToken);

/**
 * The token comes last: what is copied after it is no part of the name.
 * @param {{ eventToken: string, rsvpToken: string, name: string }} rsvp
 */
export const rsvpURL = ({ eventToken, rsvpToken, name }) =>
  `${eventURL(eventToken)}#${new URLSearchParams({ name, rsvp: rsvpToken })}`;
