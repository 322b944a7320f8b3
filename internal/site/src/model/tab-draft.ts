// The draft of a new event in this tab. Each tab has its own draft, and holds a lock on it.
import { draftNames } from './drafts';
import { takeLock } from '../lib/lock';

const newName = () => `event:${Date.now() + Math.random()}`;
let own = newName();
let release = () => {};

/** Takes a lock until the visitor leaves the page. Resolves to whether the lock was free. */
async function hold(name: string) {
  const free = await takeLock(name, { ifAvailable: true });
  if (free) release = free;
  return Boolean(free);
}

addEventListener('pagehide', () => release());
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted || (await hold(own))) return;
  own = newName();
  void hold(own);
});

/** The name of this tab's draft. */
export const ownDraft = () => own;

let taken: Promise<void> | undefined;

/**
 * Takes over a draft that no other tab holds: preferably a draft that is being sent, or else the latest. If the visitor
 * has meanwhile begun to type (isBegun), that text becomes a draft of its own.
 */
export const takeDraft = (...sources: Parameters<typeof take>) => (taken ??= take(...sources));

async function take(sent: (string | undefined)[], isBegun: () => boolean) {
  for (const name of [...sent, ...draftNames().sort().reverse()]) {
    if (!name?.startsWith('event') || !(await hold(name))) continue;
    if (!isBegun()) return void (own = name);
    release();
  }
  void hold(own);
}
