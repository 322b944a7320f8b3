import type { Page } from '../lib/page';
import { setter, type Drawing } from '../lib/drawing';
import { keep, known } from '../lib/events';
import { amendVisit } from '../lib/history';
import { copied, saveAccepted, savedEvent } from '../lib/saved';
import { organizerPath } from '../lib/urls';

/** Whether the private link exists elsewhere: it was opened or copied before, or copied now. */
export type LinkOwn = { backup: 'no' | 'now' | 'yes' };

/** The private link of an event. */
export function organizersLink(
  { fragment }: Page,
  { eventToken, organizerToken }: { eventToken: string; organizerToken: string },
  drawing: Drawing<unknown>,
) {
  const entry = savedEvent(eventToken);
  /** whether this device has saved it */
  const isOurs = entry?.organizerToken === organizerToken;
  const isGiven = fragment.has('organizer');
  const own: LinkOwn = { backup: isGiven || (isOurs && entry.copied) ? 'yes' : 'no' };
  const set = setter(own, drawing);
  return {
    own,
    isOurs,
    /**
     * Saves the event of a link once the service has accepted its secret. A stored secret is removed from the address,
     * which otherwise may be its only copy; the state of this history entry outlives the stored list.
     */
    adopt() {
      const event = isGiven && known(eventToken)?.event;
      if (!event) return;
      const { title, dateTime, timezone } = event;
      if (!saveAccepted({ eventToken, organizerToken, title, dateTime, timezone, copied: true })) return;
      keep(eventToken);
      amendVisit({ organizer: organizerToken }, organizerPath(eventToken));
    },
    actions: {
      copied() {
        copied(eventToken);
        void set({ backup: 'now' });
      },
    },
  };
}
