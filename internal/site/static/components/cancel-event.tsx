import type { EventDetails } from '../lib/api';
import { h, patch, user } from '../lib/dom';
import { keepDraft, textDraft } from '../lib/drafts';
import { t } from '../lib/i18n';
import { limits } from '../lib/text';
import { closesAt } from '../lib/time';
import { confirm } from './dialog';
import { field, tooLong } from './field';

/**
 * Asks for confirmation and a reason. Resolves to the reason, or to null if the answer is no. The
 * text is kept as a draft.
 */
export async function askToCancel(event: EventDetails, draftName: string): Promise<string | null> {
  const why = () => textDraft(draftName);
  function write(text: string) {
    keepDraft(draftName, text, closesAt(event));
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
      user(event.title, 'p', 'named'),
      <ul>
        {event.attendeeCount > 0 && <li>{t('cancel.effectGuests', { n: event.attendeeCount })}</li>}
        <li>{t('cancel.effectPage')}</li>
        <li>{t('cancel.effectFinal')}</li>
      </ul>,
      place,
    ],
    yes: t('cancel.yes'),
    no: t('cancel.no'),
    valid: () => !tooLong(why(), limits.reason),
  });
  return sure ? why() : null;
}
