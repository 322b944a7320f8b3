// @ts-check
// Texts that were typed but not yet sent.
import { membersOf, recallIn, rememberIn } from './storage.js';

/** @param {string} name */
export const draft = (name) => recallIn('drafts', name);

/** @param {string} name @param {unknown} value */
export const keepDraft = (name, value) => rememberIn('drafts', name, value);

/** @type {string | undefined} */
let own;

/**
 * Holds a lock until this tab is closed; resolves to whether it was free.
 * Pages without HTTPS have no locks.
 * @param {string} name
 * @returns {Promise<boolean>}
 */
const hold = (name) => new Promise((resolve) => {
  if (!navigator.locks) resolve(true);
  else navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    resolve(Boolean(lock));
    return lock && new Promise(() => {});
  });
});

/**
 * The name of this tab's draft of an event. A tab takes over a draft that no other tab
 * holds: one that is being sent, or else the latest.
 * @param {(string | undefined)[]} sent the names of drafts
 */
export async function eventDraft(sent) {
  if (own) return own;
  const names = [...sent, ...membersOf('drafts').sort().reverse()];
  for (const name of names) if (name?.startsWith('event') && await hold(name)) return (own = name);
  own = `event:${Date.now() + Math.random()}`;
  await hold(own);
  return own;
}
