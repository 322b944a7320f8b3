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
const buttonOf = ({ rsvpToken }) => /** @type {HTMLElement | null} */ (document.querySelector(`#rsvp-${rsvpToken} button`));

/**
 * Withdrawals of the RSVPs on a page of an event. Each can be undone for a while before it
 * is sent; leaving the page ends that time.
 * @param {import('./event-view.js').State} state
 * @param {{ draw: () => void, refresh: () => Promise<boolean>, signal: AbortSignal }} page
 */
export function withdrawals(state, { draw, refresh, signal }) {
  /** @type {Map<string, { rsvp: SavedRSVP, timer: ReturnType<typeof setTimeout> }>} */
  const undoing = new Map();

  /** @param {SavedRSVP} rsvp */
  async function send(rsvp) {
    const { eventToken, rsvpToken } = rsvp;
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
    undoing.set(rsvp.rsvpToken, { rsvp, timer: setTimeout(() => send(rsvp), due - Date.now()) });
  }

  function leave() {
    for (const { rsvp, timer } of [...undoing.values()]) {
      clearTimeout(timer);
      send(rsvp);
    }
  }
  signal.addEventListener('abort', leave);
  addEventListener('pagehide', leave, { signal });

  return {
    schedule,
    /** @param {SavedRSVP} rsvp */
    withdraw(rsvp) {
      schedule(rsvp, Date.now() + undoTime);
      Object.assign(state, { moment: null, fresh: 0 });
      draw();
      focusOn(buttonOf(rsvp));
      announce(t('withdraw.done', { name: rsvp.name }));
    },
    /** @param {SavedRSVP} rsvp */
    undo(rsvp) {
      clearTimeout(undoing.get(rsvp.rsvpToken)?.timer);
      undoing.delete(rsvp.rsvpToken);
      keepLeaving(rsvp.rsvpToken, null);
      state.leaving.delete(rsvp.rsvpToken);
      draw();
      focusOn(buttonOf(rsvp));
    },
  };
}
