import { attendeesOf, step } from '../components/guest-list';
import { APIError } from '../model/api';
import { listAttendees, sawGuests, seenGuests } from '../model/attendees';
import { setter, type Drawing } from '../lib/drawing';
import { attempt, known, read, stamp, update, type Known } from '../model/events';
import { isUUID } from '../lib/guards';

export const wrongSecret = 'invalid-organizer-token';

type Attendance = {
  names: string[];
  /** how many of the last names are new */
  fresh: number;
  /** whether all names have been read */
  complete: boolean;
};

/** The facts of the stores, and the names. */
export type OrganizeFacts = Attendance & Pick<Known, 'event' | 'asOf'> & { waiting: boolean };

/** @param kept the names until the first read @param accepted called once the service has accepted the secret */
export function attendance(
  eventToken: string,
  organizerToken: string,
  drawing: Drawing<unknown>,
  kept: string[] | null,
  accepted: () => void,
) {
  const own: Attendance = { names: kept ?? [], fresh: 0, complete: false };
  const set = setter(own, drawing);
  let reading: ReturnType<typeof attempt> | null = null;

  async function fetchNames() {
    if (!isUUID(organizerToken)) throw new APIError('answer', { code: wrongSecret });
    return listAttendees(eventToken, organizerToken);
  }

  function show(names: string[], at: number) {
    if (drawing.signal.aborted) return;
    const seen = seenGuests(eventToken);
    // New names stay marked until the page is reloaded.
    const old = new Set(attendeesOf(own.names.slice(0, own.names.length - own.fresh)).map(({ id }) => id));
    const isFirst = !own.complete;
    const fresh = isFirst
      ? seen && Math.max(0, names.length - seen)
      : attendeesOf(names).filter(({ id }) => !old.has(id)).length;
    void set({ names, fresh, complete: true });
    if (isFirst) accepted();
    update(eventToken, { attendeeCount: names.length }, at);
    sawGuests(eventToken, names.length);
  }

  async function request(isLong: boolean) {
    if (!isUUID(eventToken)) throw new APIError('missing');
    const event = read(eventToken, own.complete ? 0 : undefined);
    if (own.complete) {
      await event;
      // Read a long list again only if its length has changed, or during the check-in.
      if (isLong && own.names.length > step && known(eventToken)?.event.attendeeCount === own.names.length) return;
    }
    const at = stamp(eventToken);
    const names = fetchNames();
    names.catch(() => {}); // report the error of reading the event first, because the event may not exist
    await event;
    show(await names, at());
  }

  return {
    own,
    /** Returns null before the names are known. */
    names: () => (own.complete || kept ? own.names : null),
    /** Reads the event and the names. Resolves to the error, if any. */
    read(isAtDoor: boolean) {
      reading ??= attempt(eventToken, () => request(!isAtDoor)).finally(() => {
        reading = null;
      });
      return reading;
    },
  };
}
