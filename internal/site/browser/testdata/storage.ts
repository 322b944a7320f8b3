// Reads and changes the device's stored values.
import type { EventDetails } from '../../src/model/event';
import type { Item } from '../../src/model/items';
import type { SavedEvent, SavedRSVP } from '../../src/model/saved';
import { replace } from './calls';

/** The types of the values, by the beginning of their names. */
type Stored = {
  '': unknown;
  'drafts.': unknown;
  'drafts.event': { title: string };
  'event.': { at: number; event: EventDetails };
  'organizer.': SavedEvent;
  'outbox.': Item;
  'rsvp.': SavedRSVP;
};

export function storedUnder<Beginning extends keyof Stored>(beginning: Beginning): Stored[Beginning][] {
  try {
    return Object.entries(localStorage)
      .filter(([name]) => name.startsWith(`turnout.${beginning}`))
      .map(([, text]) => JSON.parse(text as string) as { until?: number; value: Stored[Beginning] })
      .map((entry) => (entry?.until ? entry.value : (entry as unknown as Stored[Beginning])));
  } catch {
    return []; // storage is blocked
  }
}

/** Stores a value as the site does. */
export const store = <Beginning extends keyof Stored>(beginning: Beginning, name: string, value: Stored[Beginning]) =>
  localStorage.setItem(`turnout.${beginning}${name}`, JSON.stringify(value));

export const storeText = (name: string, text: string) => localStorage.setItem(name, text);

/** The paths of all files that the service worker has cached. */
export async function kept() {
  const found = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) found.push(url.slice(location.origin.length));
  }
  return found.sort();
}

export const countStored = (beginning: keyof Stored) => storedUnder(beginning).length;

export const savedGuests = () => storedUnder('rsvp.').map(({ name }) => name);

export const draftedTitles = () =>
  storedUnder('drafts.event')
    .map(({ title }) => title)
    .sort();

const supper = { title: 'Rooftop supper', dateTime: '2099-12-12T19:30:00+01:00', timezone: 'Europe/Berlin' };

/** Stores an unsent withdrawal. */
export const leaveWithdrawal = (eventToken: string, rsvpToken: string) =>
  store('outbox.', rsvpToken, { ...supper, kind: 'withdraw', id: rsvpToken, eventToken, name: 'Anna' });

export const savedSecrets = () => storedUnder('organizer.').map(({ organizerToken }) => organizerToken);

/** Puts an event on this device's list, unless the event is there. */
export function saveEvent(eventToken: string, organizerToken: string) {
  if (!savedEvents().includes(eventToken)) {
    store('organizer.', eventToken, { ...supper, eventToken, organizerToken });
  }
}

/** Puts an RSVP on this device's list. */
export const saveRSVP = (eventToken: string, rsvpToken: string, name: string) =>
  store('rsvp.', `${eventToken}.${rsvpToken}`, { ...supper, eventToken, rsvpToken, name, at: 1 });

/** Puts many RSVPs to one event on this device's list. */
export function saveRSVPs(eventToken: string, count: number) {
  for (let n = 1; n <= count; n += 1)
    saveRSVP(eventToken, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, `Guest ${n}`);
}

export const savedRSVPs = () => storedUnder('rsvp.');

export const outboxIsEmpty = () => !Object.keys(localStorage).some((name) => name.startsWith('turnout.outbox.'));

/** Whether the service worker has cached a file whose path has this part. */
export const keeps = async (part: string) => (await kept()).some((path) => path.includes(part));

/** The saved event on a date. */
export const savedOn = (date: string) => storedUnder('organizer.').find(({ dateTime }) => dateTime.startsWith(date));

/** The own link of this page's guest. */
export function ownLink() {
  const [own] = storedUnder('rsvp.');
  return `${location.href}#${new URLSearchParams({ name: own?.name ?? '', rsvp: own?.rsvpToken ?? '' })}`;
}

export const savedEvents = () =>
  storedUnder('organizer.')
    .map(({ eventToken }) => eventToken)
    .sort();

/** The item that moves an event. */
export function changeOf(eventToken: string) {
  const change = storedUnder('outbox.').find((item) => item.kind === 'change' && item.eventToken === eventToken);
  if (change?.kind === 'change') return change;
  throw new Error(`${eventToken} does not move`);
}

/** The token of the new event that replaces an event. */
export const newEventOf = (eventToken: string) => changeOf(eventToken).created?.eventToken;

export const ownToken = () => storedUnder('rsvp.')[0]?.rsvpToken;

/** The guest count in the stored copy of an event. */
export const storedCount = () => storedUnder('event.')[0]?.event.attendeeCount;

/** Moves the time of all copies of events. */
export function moveCopies(by: number) {
  for (const name of Object.keys(localStorage).filter((one) => one.startsWith('turnout.event.'))) {
    const copy = JSON.parse(localStorage.getItem(name) ?? '') as { until: number; value: Stored['event.'] };
    copy.value.at += by;
    localStorage.setItem(name, JSON.stringify(copy));
  }
}

/** The names that storage contains anywhere. */
export function storedOf(people: string[]) {
  const all = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
  return people.filter((name) => all.includes(name));
}

/** The stored time and number of the unsent item's next attempt. */
export const retryOfItem = () => storedUnder('outbox.')[0]?.retry;

/** The number of unsent items with a failed attempt. */
export const failedItems = () => storedUnder('outbox.').filter(({ retry }) => retry).length;

let values = 0;
let names = 0;

/** Counts the values that are read and written, and the names that are listed. */
export function countStorage() {
  for (const name of ['getItem', 'setItem', 'removeItem'] as const) {
    replace(Storage.prototype, name, (work: (...given: string[]) => unknown) => {
      const counted = function (this: Storage, ...given: string[]) {
        values += 1;
        return work.apply(this, given);
      };
      return counted;
    });
  }
  replace(Object, 'keys', (keys) => (of: object) => {
    const listed = keys(of);
    if (of instanceof Storage) names += listed.length;
    return listed;
  });
}

let formatters = 0;

/** Counts the formatters of dates. A look-up of the device's time zone makes one. */
export function countFormatters() {
  replace(Intl, 'DateTimeFormat', (original) => {
    return new Proxy<typeof original>(original, {
      apply(make, self, given: Parameters<typeof original>) {
        formatters += 1;
        return make.apply(self, given);
      },
      construct(make, given: Parameters<typeof original>) {
        formatters += 1;
        return new make(...given);
      },
    });
  });
}
export const formattersMade = () => formatters;

export const callsOfStorage = () => values + names;

/** The number of values that were read and written. */
export const callsForValues = () => values;
