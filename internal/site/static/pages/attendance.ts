import type { OrganizeState } from './organize-view';
import { guestsOf, step } from '../components/guest-list';
import { APIError } from '../lib/api';
import { listAttendees } from '../lib/attendees';
import { attempt, known, read, stamp, take, type Known } from '../lib/events';
import { sawGuests, seenGuests } from '../lib/guest-data';
import { isUUID } from '../lib/guards';

export const wrongSecret = 'invalid-organizer-token';

/** Returns a function that reads an event's guests into the state of the organizer's page. */
export function attendance(state: OrganizeState, eventToken: string, draw: () => void) {
  const { organizerToken } = state;
  let reading: ReturnType<typeof attempt> | null = null;

  // A long list is paginated. On the first read, the pages are shown as they arrive.
  function showPart(part: string[]) {
    state.loaded = part.length;
    if (!state.complete) Object.assign(state, { names: [...part], waiting: false });
    draw();
  }

  async function fetchNames() {
    if (!isUUID(organizerToken)) throw new APIError('answer', { code: wrongSecret });
    try {
      return await listAttendees(eventToken, organizerToken, showPart);
    } finally {
      state.loaded = null;
    }
  }

  function show(names: string[], at: number) {
    const seen = seenGuests(eventToken);
    // New names stay marked until the page is reloaded.
    const old = new Set(guestsOf(state.names.slice(0, state.names.length - state.fresh)).map(({ id }) => id));
    state.fresh = state.complete
      ? guestsOf(names).filter(({ id }) => !old.has(id)).length
      : seen && Math.max(0, names.length - seen);
    Object.assign(state, { names, complete: true, waiting: false });
    take(eventToken, { attendeeCount: names.length }, at);
    sawGuests((known(eventToken) as Known).event, names.length);
  }

  async function request() {
    if (!isUUID(eventToken)) throw new APIError('missing');
    const event = read(eventToken, state.complete ? 0 : undefined);
    if (state.complete) {
      await event;
      // A long list is read again only if its length has changed, or at the door.
      if (!state.door && state.names.length > step && known(eventToken)?.event.attendeeCount === state.names.length)
        return;
    }
    const at = stamp(eventToken);
    const names = fetchNames().catch((error) => error);
    // If both fail, the event's error counts: there may be no such event.
    await event;
    const all = await names;
    if (all instanceof Error) throw all;
    show(all, at());
  }

  /** Reads the event and the names. Resolves to the error, if any. */
  return () => {
    reading ??= attempt(eventToken, request).finally(() => {
      reading = null;
    });
    return reading;
  };
}
