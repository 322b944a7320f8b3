import type { EventDetails } from '../lib/api';
import { askToCancel } from '../components/cancel-event';
import { announce, focusOn } from '../lib/dom';
import type { Drawing } from '../lib/page';
import { ask } from '../lib/events';
import { t } from '../lib/i18n';
import { reasonDraft, type Item } from '../lib/handlers';
import { add, drop, items, newKey, onOutbox } from '../lib/outbox';
import { blank } from '../lib/text';

/** Whether an item cancels or replaces its event. */
export const isEnd = ({ kind }: Item) => kind === 'cancel' || kind === 'change';

/** The unanswered item that cancels or replaces this event. */
export const underWay = (eventToken: string) => items(eventToken).find((item) => isEnd(item) && !item.refused);

/** The end of an event: it is cancelled, or moves. The outbox sends both. */
export function ending(
  { eventToken, organizerToken }: { eventToken: string; organizerToken: string },
  { signal, shown, soon }: Drawing<{ event: EventDetails }>,
) {
  onOutbox(async (item, { answer, refusal }) => {
    const event = shown()?.event;
    if (!event || (item && (item.eventToken !== eventToken || !isEnd(item)))) return;
    const wasCancelled = !answer && event.cancelled;
    if (!answer && !underWay(eventToken)) await ask(eventToken, 0);
    if (!(await soon())) return;
    const now = shown()?.event;
    if (now?.cancelled && !wasCancelled) {
      focusOn(document.querySelector('#state [tabindex], #tell h2'));
      announce(now.to ? t('change.done') : t('cancel.done'));
    } else if (refusal) {
      focusOn(document.querySelector('#dashboard > .bad'));
    }
  }, signal);

  return {
    async cancel() {
      const event = shown()?.event;
      const why = event && (await askToCancel(event, reasonDraft(eventToken)));
      if (!event || typeof why !== 'string' || underWay(eventToken)) return;
      for (const { id, kind } of items(eventToken)) if (kind === 'cancel') drop(id); // it was refused
      const { title, dateTime, timezone } = event;
      const reason = blank(why) ? '' : why;
      add({ id: newKey(), kind: 'cancel', eventToken, title, dateTime, timezone, organizerToken, reason });
    },
    /** @param id of an item that was refused */
    async dismiss(id: string) {
      drop(id);
      if (await soon()) focusOn(document.querySelector('h1'));
    },
  };
}
