import { isName } from '../lib/text';
import { APIError, getRSVP } from './api';
import { amend, forget, savedRSVP, type SavedRSVP } from './saved';

/** The events of which this page has forgotten a link: anybody can send one with any text. */
const strangers: Set<string> = new Set();

/** Whether a guest's link was forgotten, as the service does not know it. */
export const hadStranger = (eventToken: string) => strangers.has(eventToken);

export const dismissStranger = (eventToken: string) => strangers.delete(eventToken);

/**
 * Replaces the name of an RSVP on this device by the service's. Without one, marks the RSVP as withdrawn elsewhere, or
 * forgets a link that was never confirmed.
 */
export async function refresh({ eventToken, rsvpToken }: SavedRSVP) {
  const rsvp = { eventToken, rsvpToken };
  try {
    const { name } = await getRSVP(eventToken, rsvpToken);
    amend(rsvp, { byLink: undefined, ...(isName(name) && { name }) });
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    if (error.code !== 'rsvp-not-found') {
      if (!error.final) throw error;
    } else if (savedRSVP(rsvp)?.byLink) {
      forget(eventToken, rsvpToken);
      strangers.add(eventToken);
    } else {
      amend(rsvp, { gone: true });
    }
  }
}
