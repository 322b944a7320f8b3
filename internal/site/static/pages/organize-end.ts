import type { EventDetails } from '../lib/api';
import { askToCancel } from '../components/cancel-event';
import { announce, byId, focusOn } from '../lib/dom';
import { setter, type Drawing } from '../lib/drawing';
import { ask, known } from '../lib/events';
import { t } from '../lib/i18n';
import { reasonDraft } from '../lib/handlers';
import { add, drop, items, newKey, onOutbox } from '../lib/outbox';
import { blank } from '../lib/text';

export type EndOwn = {
  /** why the event is not cancelled */
  problems: string[];
};

/** The unanswered item that cancels or replaces this event. */
export const underWay = (eventToken: string) =>
  items(eventToken).find((item) => ['cancel', 'change'].includes(item.kind) && !item.refused);

/** The end of an event: it is cancelled, or moves. The outbox sends both. */
export function ending(
  { eventToken, organizerToken, changed }: { eventToken: string; organizerToken: string; changed: EventDetails | null },
  drawing: Drawing<{ event: EventDetails }>,
) {
  const { signal } = drawing;
  const own: EndOwn = { problems: [] };
  const set = setter(own, drawing);
  const shown = () => drawing.shown()?.event;

  /** Takes the refusal of a cancel out of the outbox. */
  function takeRefusal() {
    const item = items(eventToken).find(({ kind, refused }) => kind === 'cancel' && refused);
    if (!item) return;
    const isCancelled = known(eventToken)?.event.cancelled;
    void set({ problems: isCancelled ? [] : [item.error?.words ?? '', t('cancel.notDone')] });
    drop(item.id);
  }

  onOutbox(async (item, { answer }) => {
    const event = shown();
    if (!event || (item && (item.eventToken !== eventToken || !['cancel', 'change'].includes(item.kind)))) return;
    const wasCancelled = !answer && event.cancelled;
    if (!answer && !underWay(eventToken)) await ask(eventToken, 0);
    if (signal.aborted) return;
    takeRefusal();
    if (!(await set())) return;
    if (shown()?.cancelled && !wasCancelled) {
      focusOn(document.querySelector('#state h2, #tell h2'));
      announce(shown()?.to ? t('change.done') : t('cancel.done'));
    } else if (own.problems.length) {
      focusOn(byId('guest-section'));
    }
  }, signal);

  return {
    own,
    takeRefusal,
    actions: {
      async cancel() {
        void set({ problems: [] });
        const event = shown();
        const why = event && (await askToCancel(event, reasonDraft(eventToken)));
        if (!event || typeof why !== 'string' || underWay(eventToken)) return;
        const { title, dateTime, timezone } = event;
        const reason = blank(why) ? '' : why;
        add({ id: newKey(), kind: 'cancel', eventToken, title, dateTime, timezone, organizerToken, reason });
      },
      async told() {
        if (changed) drop(changed.eventToken);
        if (await set()) focusOn(byId('tell-title'));
      },
    },
  };
}
