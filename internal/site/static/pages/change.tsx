import { drawingOf, type Drawing, type Page } from '../lib/page';
import type { EventDetails, NewEvent } from '../lib/api';
import { eventForm, homeHead, posterPreview, type State } from '../components/event-form';
import { loading } from '../components/notice';
import { h } from '../lib/dom';
import { ask, isGone, known } from '../lib/events';
import { t } from '../lib/i18n';
import { changeDraft, movedReason, type Change } from '../lib/handlers';
import { items, newKey } from '../lib/outbox';
import { savedEvent } from '../lib/saved';
import { blank, forTexts, texts } from '../lib/text';
import { closesAt } from '../lib/time';
import { organizerPath } from '../lib/urls';
import { eventEditor, valuesOf } from './announce';
import { refused, unknownEvent, unreachable } from './errors';

/** the item once the change has begun */
export type OldEvent = EventDetails | Change;

/** The item that changes an event. */
const changeOf = (eventToken: string) => items(eventToken).find((item) => item.kind === 'change');

const isSame = (old: OldEvent, body: NewEvent) =>
  Date.parse(old.dateTime) === Date.parse(body.dateTime) &&
  old.timezone === body.timezone &&
  texts.every((name) => (old[name] ?? '') === (body[name] ?? ''));

/**
 * The form of an event that replaces another one. The old one is then cancelled.
 * @param eventToken of the event to be replaced
 */
export async function changePage(page: Page, eventToken: string) {
  const { head, show, go, signal } = page;
  const organizerToken = savedEvent(eventToken)?.organizerToken ?? '';
  head({ title: t('change.title') });
  if (!organizerToken && !changeOf(eventToken)) return refused(page, eventToken, '');

  function begin(old: OldEvent) {
    function draw(state: State) {
      show(
        homeHead(
          true,
          <div>
            <h1 tabindex={-1}>{t('change.title')}</h1>
            {posterPreview(state)}
          </div>,
        ),
        <div class="wrap">
          <div class="notice replaces">
            <p>{t('change.replaces', { title: old.title })}</p>
            <ul>
              {[t('change.link'), t('change.guests'), t('change.page')].map((line) => (
                <li>{line}</li>
              ))}
            </ul>
          </div>
          {eventForm(state, form.actions, valuesOf(facts).date)}
        </div>,
      );
    }
    const { dateTime, timezone } = old;
    const facts = { ...forTexts((name) => old[name]), eventToken, title: old.title, dateTime, timezone };
    const drawing: Drawing<State> = drawingOf(signal, () => form.state(), draw);
    const form = eventEditor<Change>(page, drawing, {
      draftName: () => changeDraft(eventToken),
      until: closesAt(old),
      first: valuesOf(facts),
      late: () => void load(), // shows that it is cancelled
      itemOf: (body, { reason }) =>
        isSame(old, body)
          ? t('change.nothing')
          : {
              id: eventToken,
              kind: 'change',
              ...facts,
              draft: changeDraft(eventToken),
              organizerToken,
              body,
              createKey: newKey(),
              cancelKey: newKey(),
              reason: blank(reason) ? '' : reason.trim(),
            },
      arrive: (created, item) =>
        go(organizerPath(created.eventToken), {
          created: true,
          organizer: created.organizerToken,
          changed: {
            ...facts,
            cancellationReason: movedReason(item, created),
            movedTo: created.eventToken,
            attendeeCount: item.before ?? 0,
            cancelled: true,
          },
        }),
    });
    drawing.now();
    void form.start();
  }

  async function load(): Promise<unknown> {
    show(loading());
    const error = changeOf(eventToken) ? null : await ask(eventToken);
    if (signal.aborted) return undefined;
    const old = changeOf(eventToken) ?? known(eventToken)?.event;
    if (!old) return error && (isGone(eventToken) ? unknownEvent(page) : unreachable(page, error, load));
    // The organizer's page says so, and Back does not lead here again.
    if ('cancelled' in old && old.cancelled) return location.replace(organizerPath(eventToken));
    return begin(old);
  }

  return load();
}
