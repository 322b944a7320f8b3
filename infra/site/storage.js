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

// Keeps the known members of a list of links; throws the path of the first
// member that is wrong.
export function checkMine(data) {
  const result = {};
  for (const [list, shape] of Object.entries(shapes)) {
    if (!Array.isArray(data?.[list])) throw new Error(list);
    result[list] = data[list].map((entry, index) => {
      const kept = {};
      for (const name of [...shape.tokens, ...shape.texts]) {
        const value = entry?.[name];
        const valid = shape.tokens.includes(name) ? isUUID(value)
          : typeof value === 'string' && (name !== 'dateTime' || !Number.isNaN(Date.parse(value)));
        if (!valid) throw new Error(`${list}[${index}].${name}`);
        kept[name] = value;
      }
      return kept;
    });
  }
  return result;
}

export function mine() {
  try {
    return checkMine(recall('mine'));
  } catch {
    return { events: [], rsvps: [] };
  }
}

const identity = { events: 'organizerToken', rsvps: 'rsvpToken' };

export function keepMine(added) {
  const kept = mine();
  for (const [list, id] of Object.entries(identity)) {
    const known = new Set(kept[list].map((entry) => entry[id]));
    kept[list].push(...(added[list] ?? []).filter((entry) => !known.has(entry[id]) && known.add(entry[id])));
  }
  remember('mine', checkMine(kept));
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
