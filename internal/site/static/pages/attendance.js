// @ts-check
import { arrivals, step } from '../components/guest-list.js';
import { APIError, listAttendees } from '../lib/api.js';
import { eventOrCopy, readEvent } from '../lib/details.js';
import { announce } from '../lib/dom.js';
import { sawGuests, seenGuests } from '../lib/event-data.js';
import { isUUID, savedEvent } from '../lib/saved.js';

export const wrongSecret = 'invalid-organizer-token';

/**
 * Reads the event and its guests from the service into the state of the organizer's page.
 * @param {import('./organize-view.js').State} state
 * @param {{ eventToken: string, draw: () => void, arrive: () => void }} page arrive draws an event
 *     that is new to the page
 */
export function attendance(state, { eventToken, draw, arrive }) {
  const { organizerToken } = state;
  /** @type {import('../lib/api.js').EventDetails | undefined} */
  let details;
  let complete = false;

  /** @type {string[]} */
  let part = [];

  // A long list is paginated. On the first read, the pages are shown as they arrive. The
  // event may arrive before the first page or after it.
  function showPart() {
    if (!details || !part.length || part.length >= details.attendeeCount) return;
    state.loaded = part.length;
    if (!complete) Object.assign(state, { event: details, names: [...part], waiting: false });
    draw();
  }

  const fetchNames = () => listAttendees(eventToken, organizerToken, (names) => {
    part = names;
    showPart();
  }).finally(() => {
    part = [];
    state.loaded = null;
  });

  // If the service does not answer, the page shows this device's copy, without names, but only if
  // the secret is the saved one.
  async function known() {
    const { event, asOf } = await eventOrCopy(eventToken);
    const ours = savedEvent(eventToken)?.organizerToken === organizerToken;
    if (asOf && !ours) throw asOf.error;
    if (asOf && !state.asOf) announce(asOf.error.words);
    state.asOf = asOf;
    if (asOf) {
      Object.assign(state, { event, names: [], waiting: false });
      arrive();
    }
    return event;
  }

  /** @param {string[]} names */
  function take(names) {
    const seen = seenGuests(eventToken);
    // New names stay marked until the page is reloaded.
    const old = state.names.slice(0, state.names.length - state.fresh);
    state.fresh = complete ? arrivals(old, names) : seen && Math.max(0, names.length - seen);
    complete = true;
    Object.assign(state, { names, waiting: false, event: { .../** @type {import('../lib/api.js').EventDetails} */ (details), attendeeCount: names.length } });
    sawGuests(state.event, names.length);
  }

  return {
    /** Whether all names have been read once. */
    isComplete: () => complete,

    /** Reads the event and the names. */
    async read() {
      if (!isUUID(eventToken)) throw new APIError('missing');
      // If both fail, the error of the event is thrown: there may be no such event.
      const [, names] = await Promise.all([
        (complete ? readEvent(eventToken) : known()).then((answer) => {
          details = answer;
          showPart();
        }),
        isUUID(organizerToken) ? fetchNames().catch((error) => error) : new APIError('answer', { code: wrongSecret }),
      ]);
      if (names instanceof Error) throw names;
      take(names);
    },

    /** Reads both again; a long list only if its length has changed or the check-in is open. */
    async renew() {
      details = await readEvent(eventToken);
      state.asOf = null;
      if (!state.door && state.names.length > step && details.attendeeCount === state.names.length) state.event = details;
      else take(await fetchNames());
    },
  };
}
