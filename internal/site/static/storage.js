// All that this device remembers. Browsers that keep nothing (private mode,
// storage switched off or full) fall back to memory, and `keeps` says so.
const prefix = 'turnout.';
const memory = new Map();
export let keeps = true;

export function recall(name) {
  try {
    const text = memory.get(name) ?? localStorage.getItem(prefix + name);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(prefix + name, text);
    memory.delete(name);
  } catch {
    keeps = false;
    memory.set(name, text);
  }
}

// What was typed and not yet sent.
export const draft = (name) => recall('drafts')?.[name];
export function keepDraft(name, value) {
  const { [name]: _, ...others } = recall('drafts') ?? {};
  remember('drafts', value ? { ...others, [name]: value } : others);
}

// RSVPs that were sent and whose answer has not come.
export const unanswered = (eventToken) => recall('unanswered')?.[eventToken];
export function keepUnanswered(eventToken, value) {
  const { [eventToken]: _, ...others } = recall('unanswered') ?? {};
  remember('unanswered', value ? { ...others, [eventToken]: value } : others);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUUID = (value) => typeof value === 'string' && uuid.test(value);

const texts = ['title', 'dateTime', 'timezone'];
const shapes = {
  events: { tokens: ['eventToken', 'organizerToken'], texts },
  rsvps: { tokens: ['eventToken', 'rsvpToken'], texts: [...texts, 'name'] },
};

// The known members of an entry of such a list; throws the name of the first one
// that is wrong.
function checked(entry, { tokens, texts: names }) {
  const kept = {};
  for (const name of [...tokens, ...names]) {
    const value = entry?.[name];
    const valid = tokens.includes(name) ? isUUID(value)
      : typeof value === 'string' && (name !== 'dateTime' || !Number.isNaN(Date.parse(value)));
    if (!valid) throw new Error(name);
    kept[name] = tokens.includes(name) ? value.toLowerCase() : value;
  }
  return kept;
}

// Somebody's file is a list of links as a whole, or not at all; throws the path
// of the first member that is wrong.
export function checkMine(data) {
  const result = {};
  for (const [list, shape] of Object.entries(shapes)) {
    if (!Array.isArray(data?.[list])) throw new Error(list);
    result[list] = data[list].map((entry, index) => {
      try {
        return checked(entry, shape);
      } catch (error) {
        throw new Error(`${list}[${index}].${error.message}`);
      }
    });
  }
  return result;
}

// What this device has is kept entry by entry: one that is broken must not take
// the others' links with it.
export function mine() {
  const stored = recall('mine');
  const whole = (list, shape) => (Array.isArray(stored?.[list]) ? stored[list] : []).flatMap((entry) => {
    try {
      return [checked(entry, shape)];
    } catch {
      return [];
    }
  });
  return { events: whole('events', shapes.events), rsvps: whole('rsvps', shapes.rsvps) };
}

const identity = { events: 'organizerToken', rsvps: 'rsvpToken' };

export function keepMine(added) {
  const kept = mine();
  for (const [list, id] of Object.entries(identity)) {
    const known = new Set(kept[list].map((entry) => entry[id]));
    kept[list].push(...(added[list] ?? []).filter((entry) => !known.has(entry[id]) && known.add(entry[id])));
  }
  remember('mine', kept);
}

export function forgetMine(token) {
  const { events, rsvps } = mine();
  remember('mine', {
    events: events.filter((entry) => entry.organizerToken !== token),
    rsvps: rsvps.filter((entry) => entry.rsvpToken !== token),
  });
}

export const myRsvps = (eventToken) => mine().rsvps.filter((entry) => entry.eventToken === eventToken);
export const myEvent = (eventToken) => mine().events.find((entry) => entry.eventToken === eventToken);
