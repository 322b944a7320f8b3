import { isUUID, type Saved } from './saved';

const texts = ['title', 'dateTime', 'timezone'];

/**
 * Checks an exported list, which is valid as a whole or not at all. Throws an error with the path of
 * the first invalid member.
 */
export function checkSaved(data: any): Saved {
  function check(list: string, ...members: string[]): any[] {
    if (!Array.isArray(data?.[list])) throw new Error(list);
    return data[list].map((entry: any, index: number) =>
      Object.fromEntries(
        members.map((name) => {
          const value = entry?.[name];
          const isToken = name.endsWith('Token');
          // RFC 3339 has years of four digits.
          if (
            isToken
              ? !isUUID(value)
              : typeof value !== 'string' ||
                (name === 'dateTime' && !(/^\d{4}-/.test(value) && Number.isFinite(Date.parse(value))))
          ) {
            throw new Error(`${list}[${index}].${name}`);
          }
          return [name, isToken ? value.toLowerCase() : value];
        }),
      ),
    );
  }
  const events = check('events', 'eventToken', 'organizerToken', ...texts);
  events.forEach((event, index) => {
    event.copied = true; // to the file
    // Earlier versions and events that have not moved have none.
    const { before } = data.events[index];
    if (before === undefined) return;
    if (!Number.isInteger(before) || before < 0) throw new Error(`events[${index}].before`);
    event.before = before;
  });
  return { events, rsvps: check('rsvps', 'eventToken', 'rsvpToken', ...texts, 'name') };
}
