// Acts of guests and an organizer.
import { replace } from './calls';
import { find, follow, pause, requestsUnderWay } from './driving';
import { storedUnder } from './storage';

const ahead = () => Number(localStorage.getItem('ahead') ?? 0);

/** Makes the clock of the whole device, in all its tabs, run ahead by the time that `pass` adds. */
export const shareClock = () => replace(Date, 'now', (now) => () => now() + ahead());

function pass(time: number) {
  localStorage.setItem('ahead', String(ahead() + time));
  document.dispatchEvent(new Event('visibilitychange'));
}

/**
 * The wanted outcome for an RSVP. It may be on the guest list and on this device ("both"), on "neither", on "either" of
 * these, or only on the "list". A walk-in has "list" in place of "both". In the check-in, `here` is the last tick.
 */
type Fate =
  { eventToken: string; name: string; fate: 'both' | 'either' | 'list' | 'neither' } | { name: string; here: boolean };

const unsent = () => storedUnder('outbox.').filter(({ refused }) => !refused);

const unsentOfGuests = () =>
  unsent().flatMap((item) => (item.kind === 'rsvp' || item.kind === 'withdraw' ? [item] : []));

type GuestsItem = ReturnType<typeof unsentOfGuests>[number];

const isUnwanted = (item: GuestsItem) => item.kind === 'rsvp' && item.unwanted;

const fates = (all: { eventToken: string; name: string }[], fate: Extract<Fate, { fate: unknown }>['fate']): Fate[] =>
  all.map(({ eventToken, name }) => ({ eventToken, name, fate }));

function wish(item: GuestsItem) {
  if (item.kind === 'withdraw' || item.unwanted) return 'neither';
  return item.nth ? 'list' : 'both';
}

/** Returns the fates of items that the click adds or changes, and of withdrawals that the click undoes. */
function click(button: HTMLElement): Fate[] {
  const before = unsentOfGuests();
  button.click();
  const after = unsentOfGuests();
  const undone = before.filter(({ id }) => !after.some((item) => item.id === id));
  const made = after.filter((item) => {
    const old = before.find(({ id }) => id === item.id);
    return !old || isUnwanted(old) !== isUnwanted(item);
  });
  return [
    ...undone.flatMap((item) => fates([item], item.nth ? 'list' : 'either')),
    ...made.flatMap((item) => fates([item], wish(item))),
  ];
}

/** `luck` is from 0 to 1. */
type Details = { name: string; path: string; luck: number; waits: boolean };

let luck = 0;

const visible = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility());

function one(selector: string) {
  const all = visible(selector);
  return all[Math.floor(all.length * luck)];
}

const nameIn = (row: Element) => row.querySelector('.user')?.textContent ?? '';

function type(field: HTMLInputElement, text: string) {
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

async function untilFound(selector: string) {
  while (!document.querySelector(selector)) await pause(0);
  return find(selector);
}

/**
 * An act: its name, its weight in the random choice, the elements on which it is possible, and the function that does
 * it and returns the fates.
 */
type Act = [
  what: string,
  weight: number,
  where: () => HTMLElement | null | undefined,
  act: (at: HTMLElement, details: Details) => Fate[] | void | Promise<Fate[]>,
];

async function remove(button: HTMLElement) {
  const id = button.closest('.entry')?.id;
  const isOfEntry = ({ eventToken }: { eventToken: string }) => id === `entry-${eventToken}`;
  button.click();
  await untilFound('dialog[open]');
  find('dialog .primary').click();
  // Read the items just before the entry is removed.
  await new Promise((done) => document.addEventListener('close', done, { capture: true, once: true }));
  const left = unsentOfGuests().filter(isOfEntry);
  const answered = storedUnder('rsvp.').filter(isOfEntry);
  return [
    ...fates(
      answered.filter((rsvp) => !left.some(({ name }) => name === rsvp.name)),
      'list',
    ),
    ...fates(left, 'neither'),
  ];
}

function tick(row: HTMLElement) {
  const box = find('input', row, HTMLInputElement);
  const name = nameIn(row);
  box.click();
  return [{ name, here: box.checked }];
}

async function walkIn(search: HTMLElement, { name }: Details) {
  type(search as HTMLInputElement, name);
  return [...click(await untilFound('#add button')), { name, here: true }];
}

/** Withdraws a walk-in. The function does nothing if an Add was too recent. */
function walkOut(button: HTMLElement) {
  const name = nameIn(button.closest('li') as HTMLElement);
  return click(button).flatMap((fate) => [fate, { name, here: false }]);
}

function signUp(form: HTMLElement, { name }: Details) {
  type(find('#name', form, HTMLInputElement), luck < 0.3 ? `${name} & ${name}${name.at(-1)}` : name);
  return click(find('[type=submit]', form));
}

const acts: Record<'anybody' | 'guest' | 'organizer', Act[]> = {
  guest: [
    ['sign up', 10, () => document.getElementById('rsvp'), signUp],
    ['yes', 12, () => one('li.moved .primary:not([aria-disabled])'), click],
    ['withdraw', 8, () => one('#yours li:not(.leaving) button, li.moved .secondary'), click],
    ['undo', 6, () => one('.leaving button'), click],
    ['go', 2, () => document.body, (_, { path }) => follow(path)],
    ['remove', 4, () => document.querySelector<HTMLElement>('.entry .menu .row > button:last-child'), remove],
  ],
  organizer: [
    ['open the door', 30, () => one('#check-in:enabled'), click],
    ['close the door', 1, () => one('#done'), click],
    ['tick', 12, () => one('.guests li:has(input)'), tick],
    ['walk in', 12, () => one('#door #search'), walkIn],
    ['walk out', 8, () => one('.guests li > button[aria-label]'), walkOut],
  ],
  anybody: [
    ['try now', 2, () => one('#waiting button'), click],
    ['wait', 2, () => document.body, () => pass(20_000)],
    ['reload', 1, () => document.body, () => {}],
  ],
};

/** Does one of the possible acts. Numbers from 0 to 1 choose it. A while later, resolves to the act's name. */
export async function act(who: 'guest' | 'organizer', choice: number, details: Details) {
  luck = details.luck;
  if (details.waits) while (requestsUnderWay()) await pause(20);
  const possible = [...acts[who], ...acts.anybody].flatMap(([what, weight, where, does]) => {
    const at = where();
    return at ? [{ what, weight, begin: () => does(at, details) }] : [];
  });
  let left = choice * possible.reduce((sum, { weight }) => sum + weight, 0);
  const chosen = possible.find(({ weight }) => (left -= weight) < 0);
  const all = await chosen?.begin();
  await pause(100);
  return { what: chosen?.what, fates: all ?? [] };
}

/**
 * Resolves once all requests have a response. Meanwhile lets the times pass for which withdrawals can be undone, pauses
 * last, and responses are fresh.
 */
export async function settle() {
  do {
    pass(61_000);
    await pause(50);
  } while (unsent().length);
  while (requestsUnderWay()) await pause(20);
}

/** The guests of the check-in, whether they have arrived, and whether this device has added them. */
export const guestsAtTheDoor = () =>
  visible('.guests li:has(input)').map((row) => ({
    name: nameIn(row),
    here: find('input', row, HTMLInputElement).checked,
    added: Boolean(row.querySelector('button')),
  }));

/** Sends the form that moves an event. */
export async function sendMove(date: string) {
  type(find('#date', document, HTMLInputElement), date);
  find('#announce [type=submit]').click();
  await pause(200); // some requests fail
}

/** Copies a guest's own link, and resolves to it. */
export async function linkOf(name: string) {
  const copied = new Promise<string>((done) => {
    navigator.clipboard.writeText = async (text) => done(text);
  });
  const rows = [...document.querySelectorAll<HTMLElement>('#keep-rsvp [role=group]')];
  const buttons = rows.find(({ ariaLabel }) => ariaLabel === name)?.querySelectorAll('button');
  [...(buttons ?? [])].find(({ textContent }) => textContent === 'Copy my link')?.click();
  return copied;
}

/** Fills in a field without an event, as password managers and extensions do. */
export function fillSilently(id: string, text: string) {
  (document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement).value = text;
}

/** Translates the text of the focused button, as browsers do. */
export function translateFocused(text: string) {
  const walker = document.createTreeWalker(document.activeElement ?? document.body, NodeFilter.SHOW_TEXT);
  for (const node of [
    ...(function* () {
      while (walker.nextNode()) yield walker.currentNode;
    })(),
  ]) {
    const font = document.createElement('font');
    font.textContent = text;
    (node as Text).replaceWith(font);
  }
}
