// @ts-check

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

/** @param {{ eventToken: string, rsvpToken: string, name: string }} rsvp */
export const rsvpURL = ({ eventToken, rsvpToken, name }) =>
  `${eventURL(eventToken)}#${new URLSearchParams({ rsvp: rsvpToken, name })}`;
