// @ts-check
import { eventForm, posterPreview } from '../components/event-form';
import { loading, plainPage } from '../components/notice';
import { h } from '../lib/dom';
import { ask, isGone, known } from '../lib/events';
import { t } from '../lib/i18n';
import { changeDraft, movedReason } from '../lib/handlers';
import { forTexts, texts } from '../lib/limits';
import { movedTo } from '../lib/move';
import { items, newKey } from '../lib/outbox';
import { savedEvent } from '../lib/saved';
import { blank, plain } from '../lib/text';
import { whenAnywhere } from '../lib/time';
import { eventURL, organizerPath } from '../lib/urls';
import { eventEditor, valuesOf } from './announce';
import { refused, unknownEvent, unreachable } from './errors';

/** @typedef {import('../lib/api').EventDetails} EventDetails */
/** @typedef {import('../lib/api').NewEvent} NewEvent */
/** @typedef {EventDetails | import('../lib/handlers').Change} OldEvent the item once the change has begun */

/** The item that changes an event. @param {string} eventToken */
const changeOf = (eventToken) => items(eventToken).find((item) => item.kind === 'change');

/**
 * The reason on the old page, without the link: why the event changes, a blank line, and the news.
 * @param {OldEvent} old
 * @param {NewEvent} body
 * @param {string} why
 */
function newsOf(old, body, why) {
  const fresh = [
    Date.parse(body.dateTime) !== Date.parse(old.dateTime) && t('change.date', { date: whenAnywhere(body) }),
    body.location && body.location !== old.location && t('change.place', { place: body.location }),
  ]
    .filter(Boolean)
    .join('\n');
  return plain(blank(why) ? fresh : `${why.trim()}\n\n${fresh}`);
}

/** @param {OldEvent} old @param {NewEvent} body */
const isSame = (old, body) =>
  Date.parse(old.dateTime) === Date.parse(body.dateTime) &&
  old.timezone === body.timezone &&
  texts.every((name) => (old[name] ?? '') === (body[name] ?? ''));

/**
 * The form of an event that replaces another one. The old one is then cancelled.
 * @param {import('../app').Page} page
 * @param {string} eventToken of the event to be replaced
 */
export async function changePage(page, eventToken) {
  const { head, show, go, signal } = page;
  const organizerToken = savedEvent(eventToken)?.organizerToken ?? '';
  head({ title: t('change.title') });
  if (!organizerToken && !changeOf(eventToken)) return refused(page, eventToken, '');

  /** @param {OldEvent} old */
  function begin(old) {
    const draw = () =>
      show(
        h(
          'section',
          { class: 'poster home known', id: 'home' },
          h(
            'div',
            { class: 'wrap' },
            h('div', {}, h('h1', { tabindex: -1 }, t('change.title')), posterPreview(form.state)),
          ),
        ),
        h(
          'div',
          { class: 'wrap' },
          h(
            'div',
            { class: 'notice replaces' },
            h('p', {}, t('change.replaces', { title: old.title })),
            h(
              'ul',
              {},
              [t('change.link'), t('change.guests'), t('change.page')].map((line) => h('li', {}, line)),
            ),
          ),
          eventForm(form.state, form.actions, valuesOf({ title, dateTime, timezone }).date),
        ),
      );
    const { title, dateTime, timezone, location: where } = old;
    const form = eventEditor(page, draw, {
      draftName: () => changeDraft(eventToken),
      first: valuesOf('body' in old ? old.body : old),
      late: load, // shows that it is cancelled
      itemOf: (body, { reason }) =>
        isSame(old, body)
          ? t('change.nothing')
          : {
              id: eventToken,
              kind: 'change',
              eventToken,
              ...forTexts((name) => old[name]),
              title,
              dateTime,
              timezone,
              draft: changeDraft(eventToken),
              organizerToken,
              body,
              createKey: newKey(),
              cancelKey: newKey(),
              news: newsOf(old, body, reason),
            },
      arrive: (created, item) =>
        go(organizerPath(created.eventToken), {
          created: true,
          organizer: created.organizerToken,
          changed: {
            eventToken,
            title,
            dateTime,
            timezone,
            location: where,
            ...movedTo(movedReason(item, created), eventURL(''), eventToken),
          },
        }),
    });
    draw();
    form.start();
  }

  /** @returns {Promise<unknown>} */
  async function load() {
    show(loading());
    const error = changeOf(eventToken) ? null : await ask(eventToken);
    if (signal.aborted) return undefined;
    const old = changeOf(eventToken) ?? known(eventToken)?.event;
    if (!old) return error && (isGone(eventToken) ? unknownEvent(page, eventToken) : unreachable(page, error, load));
    return 'cancelled' in old && old.cancelled ? ended(old) : begin(old);
  }

  /** @param {EventDetails} old */
  const ended = (old) =>
    show(
      plainPage(
        old.to ? t('state.moved') : t('event.cancelled'),
        old.title,
        h('a', { href: organizerPath(eventToken), class: 'primary' }, t('event.manage')),
      ),
    );

  return load();
}
