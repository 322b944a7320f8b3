// The guests' names for organizers, and this device's notes about the guests, which model/events.ts deletes in the end.
import { request, secret } from './api';
import { endOf } from './events';
import { has, isNumber, isText, listOf } from '../lib/guards';
import { savedEvent } from './saved';
import { remove, recall, remember, rememberHere } from '../lib/storage';

const isList = has({ attendees: listOf(has({ name: isText })) });

/** Resolves to the names, in the order in which guests signed up. */
export async function listAttendees(eventToken: string, organizerToken: string) {
  const { data } = await request('GET', `/${eventToken}/attendees${secret(organizerToken)}`, isList);
  return data.attendees.map(({ name }) => name);
}

const isTexts = listOf(isText);

export const seenGuests = (eventToken: string) => recall(`seen.${eventToken}`, isNumber) ?? 0;

export function sawGuests(eventToken: string, count: number) {
  // Another tab may have forgotten the event.
  if (savedEvent(eventToken)) remember(`seen.${eventToken}`, count, endOf(eventToken));
}

/** The stored names of an open check-in, for a reload without a network. Null unless a check-in is open. */
export const checkInNames = (eventToken: string) => recall(`check-in.${eventToken}`, isTexts);

export function keepCheckInNames(eventToken: string, names: string[] | null) {
  if (names) rememberHere(`check-in.${eventToken}`, names, endOf(eventToken));
  else remove(`check-in.${eventToken}`);
}

/** The ids of the guests who have been checked in. */
export const checkedIn = (eventToken: string) => new Set(recall(`here.${eventToken}`, isTexts));

export function tick(eventToken: string, id: string, here: boolean) {
  const ids = checkedIn(eventToken);
  ids[here ? 'add' : 'delete'](id);
  remember(`here.${eventToken}`, ids.size > 0 && [...ids], endOf(eventToken));
}
