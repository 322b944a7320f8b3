import { isDateTime, isNumber, isUUID, maybe, type Members, type Of } from '../lib/guards';
import { isName } from '../lib/text';
import { listed } from './event';
import type { Saved } from './saved';

const ofList = { ...listed, dateTime: isDateTime, endDateTime: maybe(isDateTime) };
const ofEvent = { eventToken: isUUID, organizerToken: isUUID, ...ofList, before: maybe(isNumber) };
const ofRSVP = { eventToken: isUUID, rsvpToken: isUUID, ...ofList, name: isName };

/** Thrown for a text that is not an exported list. `line` has the first mistake; 0 means that the line is unknown. */
export class NoList extends Error {
  readonly line: number;

  constructor(line: number = 0) {
    super('no list');
    this.line = line;
  }
}

/** The line of an entry's member, or of the entry if the member is missing; 0 if the lines differ from an export's. */
function lineOf(text: string, list: unknown, entry: unknown, name: string) {
  const mark = '\0';
  const marked = Object.hasOwn(Object(entry) as object, name) ? { ...(entry as object), [name]: mark } : mark;
  try {
    const withMark = JSON.stringify(list, (_, value: unknown) => (value === entry ? marked : value), 2);
    const [before = ''] = withMark.split(JSON.stringify(mark));
    return text.trim() === JSON.stringify(list, null, 2) ? before.split('\n').length : 0;
  } catch {
    return 0; // the list is nested too deeply for JSON.stringify
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoList();
  }
}

/** Reads an exported list. Throws NoList unless the whole list is valid. */
export function readSaved(text: string): Saved {
  const list = parsed(text);
  /** Returns the entries of a kind, with these members only and with tokens in lower case. */
  function entriesOf<M extends Members>(kind: string, members: M) {
    const entries: unknown = Reflect.get(Object(list) as object, kind);
    if (!Array.isArray(entries)) throw new NoList();
    return entries.map((entry: unknown) => {
      const given = Object.entries(members).map(([name, guard]) => {
        const value: unknown = Reflect.get(Object(entry) as object, name);
        if (!guard(value)) throw new NoList(lineOf(text, list, entry, name));
        return [name, name.endsWith('Token') ? String(value).toLowerCase() : value];
      });
      return Object.fromEntries(given) as Of<M>;
    });
  }
  return {
    events: entriesOf('events', ofEvent).map((event) => ({ ...event, copied: true })), // the file has the private link
    rsvps: entriesOf('rsvps', ofRSVP).map((rsvp) => ({ ...rsvp, shared: true })),
  };
}
