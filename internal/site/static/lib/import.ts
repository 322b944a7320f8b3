import { has, isDateTime, isNumber, isText, isUUID, maybe, type Members, type Of } from './guards';
import type { Saved } from './saved';

const moment = { title: isText, dateTime: isDateTime, timezone: isText };
// Events that have not moved have no count before.
const isCount = (value: unknown): value is number => isNumber(value) && Number.isInteger(value) && value >= 0;
const ofEvent = { eventToken: isUUID, organizerToken: isUUID, ...moment, before: maybe(isCount) };
const ofRSVP = { eventToken: isUUID, rsvpToken: isUUID, ...moment, name: isText };

function check<M extends Members>(data: unknown, list: string, members: M): Of<M>[] {
  const entries: unknown = Reflect.get(Object(data) as object, list);
  if (!Array.isArray(entries)) throw new Error(list);
  const isEntry = has(members);
  return entries.map((entry: unknown, index) => {
    if (isEntry(entry)) return entry;
    const wrong = Object.entries(members).find(([name, guard]) => !has({ [name]: guard })(entry))?.[0];
    throw new Error(`${list}[${index}].${wrong}`);
  });
}

/**
 * Checks an exported list, which is valid as a whole or not at all. Throws an error with the path of
 * the first invalid member.
 */
export const checkSaved = (data: unknown): Saved => ({
  events: check(data, 'events', ofEvent).map(({ eventToken, organizerToken, title, dateTime, timezone, before }) => ({
    eventToken: eventToken.toLowerCase(),
    organizerToken: organizerToken.toLowerCase(),
    title,
    dateTime,
    timezone,
    before,
    copied: true, // to the file
  })),
  rsvps: check(data, 'rsvps', ofRSVP).map(({ eventToken, rsvpToken, title, dateTime, timezone, name }) => ({
    eventToken: eventToken.toLowerCase(),
    rsvpToken: rsvpToken.toLowerCase(),
    title,
    dateTime,
    timezone,
    name,
    shared: true,
  })),
});
