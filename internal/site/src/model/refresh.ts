import { APIError, getRSVP } from './api';
import { amend, type SavedRSVP } from './saved';

/** Replaces the name of an RSVP on this device by the service's, or marks it as withdrawn elsewhere. */
export async function refresh({ eventToken, rsvpToken }: SavedRSVP) {
  try {
    const { name } = await getRSVP(eventToken, rsvpToken);
    amend(rsvpToken, { name, byLink: undefined });
  } catch (error) {
    if (!(error instanceof APIError)) throw error;
    if (error.code === 'rsvp-not-found') amend(rsvpToken, { gone: true });
    else if (!error.final) throw error;
  }
}
