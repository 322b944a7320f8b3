// @ts-check
// Unsent texts.
import { namesAfter, recall, remember } from './storage';

const list = 'drafts.';

/** @param {string} name */
export const draft = (name) => recall(list + name);

/** @param {string} name @param {unknown} value */
export const keepDraft = (name, value) => remember(list + name, value);

const newName = () => `event:${Date.now() + Math.random()}`;
let own = newName();
let release = () => {};

/**
 * Holds a lock until the page is left; resolves to whether it was free. Pages without HTTPS have
 * no locks, and browsers that block site data refuse them.
 * @param {string} name
 * @returns {Promise<boolean>}
 */
const hold = (name) =>
  new Promise((resolve) => {
    const held = async () =>
      navigator.locks?.request(name, { ifAvailable: true }, (lock) => {
        resolve(Boolean(lock));
        return (
          lock &&
          new Promise((done) => {
            release = () => done(null);
          })
        );
      });
    held().then(
      () => resolve(true),
      () => resolve(true),
    );
  });

addEventListener('pagehide', () => release());
addEventListener('pageshow', async ({ persisted }) => {
  if (!persisted || (await hold(own))) return;
  own = newName();
  void hold(own);
});

/** The name of this tab's draft of an event. */
export const ownDraft = () => own;

/** @type {Promise<void> | undefined} */
let taken;

/**
 * Takes over a draft that no other tab holds: one that is being sent, or else the latest. Text typed
 * meanwhile is a draft of its own.
 * @param {(string | undefined)[]} sent the names of drafts
 * @param {() => boolean} isBegun whether something was typed
 * @returns {Promise<void>}
 */
export const takeDraft = (sent, isBegun) => (taken ??= take(sent, isBegun));

/** @type {typeof takeDraft} */
async function take(sent, isBegun) {
  for (const name of [...sent, ...namesAfter(list).sort().reverse()]) {
    if (!name?.startsWith('event') || !(await hold(name))) continue;
    if (!isBegun()) {
      own = name;
      return;
    }
    release();
  }
  void hold(own);
}
