// @ts-check
import { APIError, cancelRSVP } from '../lib/api.js';
import { announce, byId, focusOn } from '../lib/dom.js';
import { keepLeaving } from '../lib/drafts.js';
import { t } from '../lib/i18n.js';
import { expires } from '../lib/kept.js';
import { repeat } from '../lib/retry.js';
import { forget, save } from '../lib/saved.js';

/** @typedef {import('../lib/saved.js').SavedRSVP} SavedRSVP */

const undoTime = 6000;

/** @param {SavedRSVP} rsvp */
const focusOnRow = ({ rsvpToken }) => focusOn(/** @type {HTMLElement | null} */ (document.querySelector(`#rsvp-${rsvpToken} button`)));

/**
 * Withdraws an RSVP, which can be undone for some seconds.
 * @param {import('./event.js').Context} context
 */
export function withdrawActions({ page: { signal }, eventToken, state, draw, refresh }) {
  /** @type {Map<string, { rsvp: SavedRSVP, timer: ReturnType<typeof setTimeout> }>} */
  const undoing = new Map();

  /** @param {SavedRSVP} rsvp */
  async function remove(rsvp) {
    const { rsvpToken } = rsvp;
    const held = byId(`rsvp-${rsvpToken}`)?.contains(document.activeElement);
    undoing.delete(rsvpToken);
    state.leaving.delete(rsvpToken);
    keepLeaving(rsvpToken, { rsvp, due: 0 });
    forget(rsvpToken);
    draw();
    if (held) focusOn(document.querySelector('#panel h2'));
    try {
      await repeat(() => cancelRSVP(eventToken, rsvpToken), { signal });
    } catch (error) {
      // The page was left without a certain answer; the next page sends it again.
      if (!(error instanceof APIError) || error.uncertain) return;
      save({ rsvps: [rsvp] });
      state.problems = [error.words];
    }
    keepLeaving(rsvpToken, null);
    draw();
    await refresh();
  }

  /** @param {SavedRSVP} rsvp @param {number} due the moment until which it can be undone */
  function schedule(rsvp, due) {
    keepLeaving(rsvp.rsvpToken, { rsvp, due });
    expires(state.event);
    state.leaving.add(rsvp.rsvpToken);
    undoing.set(rsvp.rsvpToken, { rsvp, timer: setTimeout(() => remove(rsvp), due - Date.now()) });
  }

  // Leaving the page ends the time for undoing.
  function leave() {
    for (const { rsvp, timer } of [...undoing.values()]) {
      clearTimeout(timer);
      remove(rsvp);
    }
  }

  return {
    schedule,
    leave,
    /** @param {SavedRSVP} rsvp */
    withdraw(rsvp) {
      schedule(rsvp, Date.now() + undoTime);
      draw();
      focusOnRow(rsvp);
      announce(t('withdraw.done', { name: rsvp.name }));
    },
    /** @param {SavedRSVP} rsvp */
    undo(rsvp) {
      clearTimeout(undoing.get(rsvp.rsvpToken)?.timer);
      undoing.delete(rsvp.rsvpToken);
      keepLeaving(rsvp.rsvpToken, null);
      state.leaving.delete(rsvp.rsvpToken);
      draw();
      focusOnRow(rsvp);
    },
  };
}
