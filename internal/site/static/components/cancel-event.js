// @ts-check
import { h, patch, user } from '../lib/dom';
import { draft, keepDraft } from '../lib/drafts';
import { t } from '../lib/i18n';
import { limits } from '../lib/limits';
import { confirm } from './dialog';
import { field, tooLong } from './field';

/**
 * Asks for confirmation and a reason. Resolves to the reason, or to null if the answer is no. The
 * text is kept as a draft.
 * @param {import('../lib/api').EventDetails} event
 * @param {string} draftName
 * @returns {Promise<string | null>}
 */
export async function askToCancel(event, draftName) {
  const why = () => String(draft(draftName) ?? '');
  const control = () =>
    h('textarea', {
      rows: 3,
      value: why(),
      oninput(/** @type {any} */ { target }) {
        keepDraft(draftName, target.value);
        patch(/** @type {Element} */ (place.element), [reason()]);
      },
    });
  const reason = () =>
    field({
      id: 'reason',
      label: t('cancel.reason'),
      optional: true,
      limit: limits.reason,
      control: control(),
      error: tooLong(why(), limits.reason),
    });
  const place = h('div', {}, reason());
  const sure = await confirm({
    title: t('cancel.sure'),
    body: [
      user(event.title, 'p', 'named'),
      h(
        'ul',
        {},
        event.attendeeCount > 0 && h('li', {}, t('cancel.effectGuests', { n: event.attendeeCount })),
        h('li', {}, t('cancel.effectPage')),
        h('li', {}, t('cancel.effectFinal')),
      ),
      place,
    ],
    yes: t('cancel.yes'),
    no: t('cancel.no'),
    valid: () => !tooLong(why(), limits.reason),
  });
  return sure ? why() : null;
}
