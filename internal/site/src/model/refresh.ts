import { isName } from '../lib/text';
import { APIError, getRSVP } from './api';
import { amend, forget, savedRSVP, type SavedRSVP } from './saved';

/** Events with a guest's link that this page has forgotten as false: anybody can make a link with any name. */
const strangers: Set<string> = new Set();

/** Whether a guest's link to this event was forgotten because the service does not know its RSVP. */
export const hadStranger = (eventToken: string) => strangers.has(eventToken);

export const dismissStranger = (eventToken: string) => strangers.delete(eventToken);

/**
 * Replaces a saved RSVP's name with the service's name. If the service has no such RSVP, marks the RSVP as withdrawn
 * elsewhere, or forgets the RSVP if a link has added it and the service never confirmed it.
 */
export async function refresh({ eventToken, rsvpToken }: SavedRSVP) {
  const rsvp = { eventToken, rsvpToken };
  try {
    const { name } = await getRSVP(eventToken, rsvpToken);
    amend(rsvp, { asked: Date.now(), byLink: undefined, ...(isName(name) && { name }) });
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
