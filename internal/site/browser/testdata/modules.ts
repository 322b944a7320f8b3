// Calls the site's modules, which openSources serves one by one.
import type { EventDetails } from '../../src/model/event';
import type { Item } from '../../src/model/items';
import type { SavedRSVP } from '../../src/model/saved';
import { callsForValues, callsOfStorage, countStorage, store } from './storage';

type OfGuest = Extract<Item, { kind: 'rsvp' | 'withdraw' }>;

/** Texts, each with bars around the URLs that the module finds. */
export async function addressesIn(texts: string[]) {
  const { split } = await import('../../src/lib/linkify');
  return Object.fromEntries(texts.map((text) => [text, split(text).join('|')]));
}

/** Addresses, each with the URL that it opens. */
export async function addressesOf(texts: string[]) {
  const { hrefOf, split } = await import('../../src/lib/linkify');
  return Object.fromEntries(texts.map((text) => [text, hrefOf(split(text)[1] ?? '')]));
}

/** Places, each with "map" if a map finds it. */
export async function placesOnMaps(places: string[]) {
  const { isOnMap } = await import('../../src/lib/linkify');
  return Object.fromEntries(places.map((place) => [place, isOnMap(place) ? 'map' : 'none']));
}

/** The lengths of texts made of a text with a million repeated characters. */
export async function lengthsOfLong() {
  const { split } = await import('../../src/lib/linkify');
  const { inLine, guestsIn } = await import('../../src/lib/text');
  const many = (text: string) => text.repeat(1_000_000);
  return {
    url: split(`https://example.org/a${many('.')}`)[1]?.length,
    host: split(many('a.')).length,
    mailbox: split(`${many('a.')}@${many('a.')}`).length,
    parentheses: split(`https://example.org/a${many(')')}`)[1]?.length,
    place: inLine(`${many(',')}x\nTown`).length,
    'places with commas': inLine(`Hall${many(',')}\nTown`).length,
    guests: guestsIn(`Anna${many(' ')}Ben`).length,
  };
}

export async function coloursOf(titles: string[]) {
  const { colourOf } = await import('../../src/lib/head');
  return titles.map(colourOf);
}

export async function charactersIn(text: string) {
  const { characters } = await import('../../src/lib/text');
  return characters(text);
}

/** Pairs of names about which the comparison or the search disagrees with `are`: whether the names are the same. */
export async function namesMistaken(groups: string[][], are: boolean) {
  const { sameName } = await import('../../src/lib/text');
  const { matching } = await import('../../src/components/guest-list');
  const pairs = groups.flatMap(([name = '', ...others]) => others.map((other) => [name, other] as const));
  return pairs
    .filter(([a, b]) => sameName(a, b) !== are || (are && !(matching(a)({ name: b }) && matching(b)({ name: a }))))
    .map((pair) => pair.join(' | '));
}

/** Pairs that the browser's collation for searches distinguishes. */
export function namesToldApart(groups: string[][]) {
  const { compare } = new Intl.Collator('en', { usage: 'search', sensitivity: 'base', ignorePunctuation: true });
  const pairs = groups.flatMap(([name = '', ...others]) => others.map((other) => [name, other] as const));
  return pairs.filter(([a, b]) => compare(a, b) !== 0).map((pair) => pair.join(' | '));
}

export async function csvOf(cells: string[]) {
  const { csv } = await import('../../src/pages/files');
  return csv([cells]);
}

/** The places, each in one line. */
export async function placesInLine(places: string[]) {
  const { inLine } = await import('../../src/lib/text');
  return Object.fromEntries(places.map((place) => [place, inLine(place)]));
}

/** The URLs that add an event at other sites, with the values of their parameters. */
export async function addressesToAdd(event: Partial<EventDetails>) {
  const { services } = await import('../../src/components/calendar-links');
  return Object.values(services({ ...listed, attendeeCount: 0, cancelled: false, ...event })).map((address) => ({
    octets: address.length,
    texts: [...new URL(address).searchParams.values()],
  }));
}

/** The names that a search finds. */
export async function namesFound(search: string, names: string[]) {
  const { matching } = await import('../../src/components/guest-list');
  const isFound = matching(search);
  return names.filter((name) => isFound({ name }));
}

export async function fileNameOf(title: string) {
  const { fileName } = await import('../../src/pages/files');
  return fileName(title, '');
}

/** The line of the first mistake in a list, exported and in a single line; -1 if there is no mistake. */
export async function mistakesIn(list: unknown) {
  const { NoList, readSaved } = await import('../../src/model/import');
  return [2, 0].map((indent) => {
    try {
      readSaved(JSON.stringify(list, null, indent));
      return -1;
    } catch (error) {
      return error instanceof NoList && error.line;
    }
  });
}

/** The line of the first mistake in a text that is not JSON. */
export async function mistakeIn(text: string) {
  const { NoList, readSaved } = await import('../../src/model/import');
  try {
    return readSaved(text);
  } catch (error) {
    return error instanceof NoList && error.line;
  }
}

/** Whether the check-in is open that long after the start, for an event and for a cancelled event. */
export async function checksInAfter(milliseconds: number) {
  const { isCheckInTime } = await import('../../src/model/event');
  const dateTime = '2027-05-01T19:30:00+02:00';
  Date.now = () => Date.parse(dateTime) + milliseconds;
  return [false, true].map((cancelled) => isCheckInTime({ dateTime, cancelled, timezone: 'Europe/Berlin' }));
}

/** The offsets of wall-clock times. Each time is a date, a time and a zone. */
export async function offsetsOf(times: [string, string, string][]) {
  const { moments } = await import('../../src/components/zones');
  return times.map(([date, time, zone]) => {
    const { found = [] } = moments(date, time, zone) ?? {};
    return found.map(({ dateTime }) => dateTime.slice(19)).join(' ');
  });
}

/** Whether the site installs no worker at the host of a URL. */
export async function isLocal(address: string) {
  const { localHosts } = await import('../../src/lib/offline');
  return localHosts.includes(new URL(address).hostname);
}

/** The created trusted-types policy, the registered worker, and the policy's results for URLs. */
export async function installedWorker(addresses: string[]) {
  const { installWorker } = await import('../../src/lib/offline');
  const found: string[] = [];
  const policies: { createScriptURL: (address: string) => string }[] = [];
  if (!globalThis.trustedTypes) throw new Error('the browser has no trusted types');
  globalThis.trustedTypes.createPolicy = (name, rules) => {
    found.push(name);
    policies.push(rules);
    return rules;
  };
  navigator.serviceWorker.register = async (address) => {
    found.push(String(address));
    return navigator.serviceWorker.ready;
  };
  installWorker(() => {});
  dispatchEvent(new Event('load'));
  for (const policy of policies) {
    for (const address of addresses) {
      try {
        found.push(policy.createScriptURL(address));
      } catch {
        found.push('refused');
      }
    }
  }
  return found;
}

/** Returns the patterns' sources. Throws unless each pattern is valid with and without the flag u. */
export const readPatterns = (patterns: string[]) =>
  patterns.flatMap((pattern) => ['', 'u'].map((flags) => new RegExp(pattern, flags).source));

type Sent = { value: string; multiValue?: { value: string }[] };
type EdgeRequest = { uri: string; headers: Record<string, Sent> };
type PlainRequest = { uri: string; headers: Record<string, string> };

/** Runs a function of CloudFront on requests. Returns the changed requests, with each header whose values all agree. */
export async function atTheEdge(code: string, requests: PlainRequest[]) {
  const module = `data:text/javascript,${encodeURIComponent(`${code}\nexport { handler };`)}`;
  const { handler } = (await import(module)) as { handler: (event: { request: object }) => EdgeRequest };
  return requests.map(({ uri, headers }): PlainRequest => {
    const sent = Object.entries(headers).map(([name, value]) => [name, { value, multiValue: [{ value }] }]);
    const request = { method: 'GET', uri, querystring: {}, headers: Object.fromEntries(sent) as object };
    const made = handler({ request });
    const kept = Object.entries(made.headers)
      .filter(([name, { value, multiValue }]) => !multiValue || value === headers[name])
      .map(([name, { value }]) => [name, value]);
    return { uri: made.uri, headers: Object.fromEntries(kept) as Record<string, string> };
  });
}

function tokenOf(n: number) {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

const listed = { eventToken: tokenOf(0), title: 'Picnic', dateTime: '2099-05-01T15:00:00Z', timezone: 'UTC' };

/** Stores guests of an event. The name of each guest is its state. */
export function storeGuests() {
  const retry: Item['retry'] = { kind: 'lost', status: 0, count: 1, from: 0, until: 0 };
  const refused: Item['refused'] = { kind: 'answer', status: 409, code: 'event-cancelled', fieldErrors: [] };
  let n = 0;
  const put = (name: string, rsvp: Partial<SavedRSVP> | null, item?: Partial<OfGuest>) => {
    n += 1;
    const [id, common] = [tokenOf(n), { ...listed, name, at: n }];
    if (rsvp) store('rsvp.', `${listed.eventToken}.${id}`, { ...common, rsvpToken: id, ...rsvp });
    if (item) store('outbox.', id, { ...common, id, ...item });
  };
  put('in', {});
  put('linked', { byLink: true });
  put('gone', { gone: true });
  put('sending', null, { kind: 'rsvp' });
  put('late', null, { kind: 'rsvp', retry });
  put('refused', null, { kind: 'rsvp', refused });
  put('leaving', {}, { kind: 'withdraw', due: Date.now() + 6000 });
  put('withdrawing', {}, { kind: 'withdraw' });
  put('withdrawing', {}, { kind: 'withdraw', retry });
  put('in', {}, { kind: 'withdraw', refused });
  put('withdrawing', null, { kind: 'withdraw' });
  put('', null, { kind: 'rsvp', unwanted: true, hidden: true });
  put('in', { nth: 1 });
}

/**
 * The number of guests, the guests whose state differs from their name, and the counts of nine guests and of one guest.
 */
export async function guestsStanding() {
  const { counted, guestsHere, walkInsHere } = await import('../../src/model/guests');
  const guests = guestsHere(listed.eventToken);
  const countedOf = (attendeeCount: number) =>
    counted({ ...listed, cancelled: false, attendeeCount }, guests).attendeeCount;
  return {
    guests: guests.length,
    mistakes: guests.filter(({ name, stands }) => name !== stands).map(({ name, stands }) => `${name} is ${stands}`),
    walkIns: walkInsHere(listed.eventToken).length,
    of9: countedOf(9),
    of1: countedOf(1),
  };
}

/** Stores coming events. Each has an RSVP of this device, a copy and, with `items`, a waiting withdrawal. */
export function storeMany(events: number, items = true) {
  for (let n = 1; n <= events; n += 1) {
    const [eventToken, rsvpToken] = [tokenOf(n), tokenOf(events + n)];
    const of = { ...listed, title: `Picnic ${n}`, eventToken };
    store('rsvp.', `${eventToken}.${rsvpToken}`, { ...of, rsvpToken, name: 'Anna', at: n });
    store('event.', eventToken, { at: 1, event: { ...of, attendeeCount: 1, cancelled: false } });
    if (items) store('outbox.', rsvpToken, { ...of, id: rsvpToken, kind: 'withdraw', name: 'Anna' });
  }
}

/** The numbers of values read and written and of names listed, by act of a page, with that many events. */
export async function storageCalls(events: number) {
  storeMany(events);
  countStorage();
  const model = await import('../../src/model/events');
  const { entries } = await import('../../src/components/saved-list');
  const { amendItem } = await import('../../src/model/items');
  const { allRSVPs, exportSaved } = await import('../../src/model/saved');
  const found: Record<string, number> = {};
  const acts = {
    'a load': () => model.prune(),
    'a drawing of home': () => entries(0),
    'an answer': () => model.update(tokenOf(1), { attendeeCount: 2 }, Date.now()),
    'news of another tab': () => {
      dispatchEvent(new StorageEvent('storage', { key: `turnout.event.${tokenOf(1)}` }));
      entries(0);
    },
    'a removal': () => model.forgetAbout(tokenOf(1)),
    'an export': () => exportSaved(),
    'a list': () => allRSVPs(tokenOf(2)),
    'failed attempts of all items': async () => {
      for (let n = 1; n <= events; n += 1) {
        amendItem(tokenOf(events + n), { retry: { kind: 'lost', status: 0, count: 1, from: 1, until: 2 } });
        await new Promise((done) => setTimeout(done));
      }
    },
  };
  for (const [act, work] of Object.entries(acts)) {
    await new Promise((done) => setTimeout(done)); // the module forgets the values it has read when the task ends
    const before = callsOfStorage();
    await work();
    found[act] = callsOfStorage() - before;
  }
  return found;
}

/** The number of values that a response about one of so many events reads and writes. */
export async function valuesOfAResponse(events: number) {
  storeMany(events, false);
  const { prune, update } = await import('../../src/model/events');
  prune();
  await new Promise((done) => setTimeout(done)); // the module forgets the values it has read when the task ends
  countStorage();
  update(tokenOf(1), { attendeeCount: 2 }, Date.now());
  return callsForValues();
}

/** The numbers of cards that home describes as time passes: one event begins in an hour, the others are far away. */
export async function cardsDrawn() {
  const noon = new Date(new Date().toDateString()).getTime() + 12 * 3_600_000;
  let time = noon;
  Date.now = () => time;
  storeMany(3);
  const [eventToken, rsvpToken] = [tokenOf(3), tokenOf(6)];
  const soon = { ...listed, eventToken, rsvpToken, name: 'Anna', dateTime: new Date(noon + 3_600_000).toISOString() };
  store('rsvp.', `${eventToken}.${rsvpToken}`, soon);
  localStorage.removeItem(`turnout.event.${eventToken}`);
  Object.assign(document.documentElement.dataset, {
    languages: '{"en": "English"}',
    files: '/locales/en.json?*', // sources have the texts of all pages
  });
  const { entries, savedList } = await import('../../src/components/saved-list');
  const { keptRows } = await import('../../src/lib/dom');
  const { loadLanguage } = await import('../../src/lib/i18n');
  await loadLanguage('home');
  const row = keptRows();
  let drawn = 0;
  const counted: typeof row = (id, inputs, describe) =>
    row(id, inputs, () => {
      drawn += 1;
      return describe();
    });
  const drawAt = (at: number) => {
    [time, drawn] = [at, 0];
    savedList(entries(0), { go: () => {}, done: () => {}, row: counted });
    return drawn;
  };
  return {
    first: drawAt(noon),
    'a minute later': drawAt(noon + 60_000),
    'once one has begun': drawAt(noon + 3_700_000),
    'on the next day': drawAt(noon + 24 * 3_600_000),
  };
}
