import { isDateTime, isNumber, isText, isUUID, maybe, type Members, type Of } from './guards';
import type { Saved } from './saved';

const moment = { title: isText, dateTime: isDateTime, timezone: isText };
const ofEvent = { eventToken: isUUID, organizerToken: isUUID, ...moment, before: maybe(isNumber) };
const ofRSVP = { eventToken: isUUID, rsvpToken: isUUID, ...moment, name: isText };

/** The entries of a list, with these members alone, and tokens in lower case. */
function check<M extends Members>(data: unknown, list: string, members: M) {
  const entries: unknown = Reflect.get(Object(data) as object, list);
  if (!Array.isArray(entries)) throw new Error(list);
  return entries.map((entry: unknown, index) => {
    const given = Object.entries(members).map(([name, guard]) => {
      const value: unknown = Reflect.get(Object(entry) as object, name);
      if (!guard(value)) throw new Error(`${list}[${index}].${name}`);
      return [name, name.endsWith('Token') ? String(value).toLowerCase() : value];
    });
    return Object.fromEntries(given) as Of<M>;
  });
}

/** Checks an exported list. Throws an error with the path of the first invalid member. */
export const checkSaved = (data: unknown): Saved => ({
  events: check(data, 'events', ofEvent).map((event) => ({ ...event, copied: true })), // to the file
  rsvps: check(data, 'rsvps', ofRSVP).map((rsvp) => ({ ...rsvp, shared: true })),
});
