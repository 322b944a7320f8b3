import { confirm } from '../components/dialog';
import { field } from '../components/field';
import { textsOf } from '../components/unsent';
import { byId, say, focusOn, h, patch, user } from '../lib/dom';
import { closesAt, listing, type EventDetails } from '../model/event';
import { isEnd } from '../model/items';
import type { Drawing } from '../lib/drawing';
import { keepDraft, reasonDraft, textDraft } from '../model/drafts';
import { ask } from '../model/events';
import { t } from '../lib/i18n';
import { add, drop, newKey, onOutbox, unsent } from '../model/outbox';
import { blank, limits, tooLong } from '../lib/text';

/** The item that cancels or moves this event, until the service responds. */
export const underWay = (eventToken: string) => unsent(eventToken).find((item) => isEnd(item) && !item.refused);

/** Asks for a reason, and keeps a draft of the reason. Resolves to the reason, or to null if the organizer says no. */
async function askToCancel(event: EventDetails) {
  const draft = reasonDraft(event.eventToken);
  const why = () => textDraft(draft);
  function write(text: string) {
    keepDraft(draft, text, closesAt(event));
    if (place.element) patch(place.element, [reason()]);
  }
  const reason = () =>
    field({
      id: 'reason',
      label: t('cancel.reason'),
      value: why(),
      optional: true,
      limit: limits.reason,
      control: (given) => <textarea {...given} rows={3} oninput={({ target }) => write(target.value)} />,
      error: tooLong(why(), limits.reason),
    });
  const place = <div>{reason()}</div>;
  const sure = await confirm({
    title: t('cancel.sure'),
    body: [
      user(event.title, 'p', 'named', event.language),
      <ul>
        {event.attendeeCount > 0 && <li>{t('cancel.effectGuests', { n: event.attendeeCount })}</li>}
        <li>{t('cancel.effectPage')}</li>
        <li>{t('cancel.effectFinal')}</li>
      </ul>,
      place,
    ],
    yes: t('cancel.yes'),
    no: t('cancel.no'),
    valid: () => {
      // Programs fill in fields without an event.
      const control = byId('reason');
      if (control instanceof HTMLTextAreaElement && control.value !== why()) write(control.value);
      return !tooLong(why(), limits.reason);
    },
  });
  if (!sure) return null;
  return blank(why()) ? '' : why();
}

/** Returns a function that asks the organizer and cancels the event. Also shows the outcomes of cancels and moves. */
export function ending(
  eventToken: string,
  organizerToken: string,
  { signal, shown, soon }: Drawing<{ event: EventDetails }>,
) {
  onOutbox(async (item, { answer, trouble, refusal }) => {
    const event = shown()?.event;
    if (!event || (item && (item.eventToken !== eventToken || !isEnd(item)))) return;
    const under = underWay(eventToken);
    if (under && trouble && !item?.retry) say(textsOf(under).waiting);
    const wasCancelled = !answer && event.cancelled;
    if (!answer && !under) await ask(eventToken, 0);
    if (!(await soon())) return;
    const now = shown()?.event;
    if (now?.cancelled && !wasCancelled) {
      focusOn(document.querySelector('#state [tabindex], #tell h2') ?? document.querySelector('h1'));
      say(now.to ? t('change.done') : t('cancel.done'));
    } else if (refusal) {
      focusOn(document.querySelector('#dashboard > .bad'));
    }
  }, signal);

  return async () => {
    const event = shown()?.event;
    if (!event || underWay(eventToken)) return;
    const reason = await askToCancel(event);
    if (reason === null || underWay(eventToken)) return;
    for (const { id, kind } of unsent(eventToken)) if (kind === 'cancel') drop(id); // drop the refused cancel
    add({ ...listing(event), id: newKey(), kind: 'cancel', organizerToken, reason });
  };
}
