// The guests of an event, for organizers' pages: the request for the names, and what is remembered about them.
// lib/event-data.ts deletes it.
import { request, secret } from './api';
import { endOf } from './events';
import { has, isText, listOf } from './guards';
import { savedEvent } from './saved';
import { drop, recall, remember, rememberHere } from './storage';

const isPage = has({ attendees: listOf(has({ name: isText })) });

/**
 * A long list is paginated (RFC 8288).
 * @param progress called with the names so far before each further page
 * @returns the names, in the order of arrival
 */
export async function listAttendees(
  eventToken: string,
  organizerToken: string,
  progress: (names: string[]) => void = () => {},
): Promise<string[]> {
  const names: string[] = [];
  for (let query = secret(organizerToken); query;) {
    const { data, headers } = await request('GET', `/${eventToken}/attendees${query}`, isPage);
    for (const { name } of data.attendees) names.push(name);
    query = /<(\?[^>]*)>;\s*rel="?next"?/.exec(headers.get('Link') ?? '')?.[1] ?? '';
    if (query) progress(names);
  }
  return names;
}

const isTexts = listOf(isText);

/** The number of guests the organizer has seen. */
export const seenGuests = (eventToken: string) => Number(recall(`seen.${eventToken}`));

export function sawGuests(eventToken: string, count: number) {
  // Another tab may have removed the event.
  if (savedEvent(eventToken)) remember(`seen.${eventToken}`, count, endOf(eventToken));
}

/** The names at the open door, which outlive a reload without a network; null where the door is closed. */
export function doorNames(eventToken: string) {
  const names = recall(`door.${eventToken}`);
  return isTexts(names) ? names : null;
}

export function keepDoorNames(eventToken: string, names: string[] | null) {
  if (names) rememberHere(`door.${eventToken}`, names, endOf(eventToken));
  else drop(`door.${eventToken}`);
}

/** The ids of the guests who are checked in. */
export function checkedIn(eventToken: string) {
  const ids = recall(`here.${eventToken}`);
  return new Set(isTexts(ids) ? ids : []);
}

/** Ticks a guest off, or takes the tick back. */
export function tick(eventToken: string, id: string, here: boolean) {
  const ids = checkedIn(eventToken);
  ids[here ? 'add' : 'delete'](id);
  remember(`here.${eventToken}`, ids.size > 0 && [...ids], endOf(eventToken));
}
