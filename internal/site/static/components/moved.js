// @ts-check
// The panel of an event that has moved, which is loaded only then.
import { announce, byId, focusOn, h } from '../lib/dom';
import { draft, keepDraft } from '../lib/drafts';
import { expires } from '../lib/event-data';
import { nameDraft } from '../lib/handlers';
import { locale, t } from '../lib/i18n';
import { linkify } from '../lib/linkify';
import { changeOf, newest, sameTitle } from '../lib/move';
import { add, items, newKey, staying } from '../lib/outbox';
import { keepAgain, savedRSVPs } from '../lib/saved';
import { sameName } from '../lib/text';
import { dayIn, phase } from '../lib/time';
import { eventPath } from '../lib/urls';
import { button } from './buttons';
import { calendarLinks } from './calendar-links';
import { leaving, notKept } from './rsvp-panel';

/** @typedef {import('../lib/api').EventDetails} EventDetails */
/** @typedef {import('../lib/saved').SavedRSVP} SavedRSVP */
/** @typedef {import('./rsvp-panel').State} State */
/** @typedef {import('./rsvp-panel').Actions} Actions */

/** Of an event that is over, nothing is asked. @param {EventDetails} event */
export function question(event) {
  if (phase(newest(event)) === 'over') return t('event.closed');
  return { date: t('moved.date'), place: t('moved.place'), anew: t('moved.anew') }[changeOf(event)];
}

/** Whether guests can say yes to the new event here. @param {EventDetails} event */
export const asks = (event) => sameTitle(event) && phase(newest(event)) !== 'over';

/** @param {string} eventToken */
const comingTo = (eventToken) => staying({ rsvps: savedRSVPs(eventToken), items: items(eventToken) });

/** The RSVPs without one by the same name to the new event, wherever that was made. @param {SavedRSVP[]} rsvps @param {EventDetails} to */
function unanswered(rsvps, { eventToken }) {
  const names = [...comingTo(eventToken), ...items(eventToken).filter(({ kind }) => kind === 'rsvp')].map(({ name }) =>
    String(name),
  );
  return rsvps.filter((rsvp) => {
    const index = names.findIndex((name) => sameName(name, rsvp.name));
    if (index >= 0) names.splice(index, 1);
    return index < 0;
  });
}

/**
 * Says yes for a guest, unless another tab did. The key is stored before the first request, and used again
 * until there is an answer.
 * @param {SavedRSVP} rsvp @param {EventDetails} to @param {Actions} actions
 */
function sayYes({ eventToken, rsvpToken }, to, actions) {
  const rsvp = unanswered(savedRSVPs(eventToken), to).find((one) => one.rsvpToken === rsvpToken);
  if (!rsvp) return actions.again();
  const { name, again = newKey() } = rsvp;
  keepAgain(rsvp, again);
  return add({
    id: again,
    kind: 'rsvp',
    eventToken: to.eventToken,
    name,
    title: to.title,
    dateTime: to.dateTime,
    timezone: to.timezone,
  });
}

/** Shows how an RSVP to the new event has ended. @param {{ id: string, name: string }} item @param {boolean} answer @param {boolean} refusal */
export function settle({ id, name }, answer, refusal) {
  if (answer) announce(t('rsvp.done', { name }));
  if (answer || refusal) focusOn(byId(answer ? 'moved-title' : `refused-${id}`));
}

/** The way to the new event, and to its form with a guest's name. @param {EventDetails} event @param {SavedRSVP[]} open @param {string} className */
function see(event, [guest], className) {
  const to = newest(event);
  const onclick = () => {
    if (!guest || draft(nameDraft(to.eventToken))) return;
    keepDraft(nameDraft(to.eventToken), guest.name);
    expires(to);
  };
  return h(
    'a',
    { class: className, href: eventPath(to.eventToken), onclick },
    sameTitle(event) && changeOf(event) === 'date' ? t('moved.see') : t('moved.seeTitle', { title: to.title }),
  );
}

/**
 * Asks a guest, unless the answer is known or is shown as waiting or refused.
 * @param {State} state @param {SavedRSVP} rsvp @param {SavedRSVP[]} open @param {Actions} actions
 */
function row({ event, rsvps, items: all }, rsvp, open, actions) {
  const item = all.find(({ id }) => id === rsvp.again);
  if (item ? item.error : !open.includes(rsvp)) return false;
  const no = rsvps.length === 1 && changeOf(event) === 'date' ? t('moved.cannot') : t('yours.cancel');
  return h(
    'li',
    { class: 'moved', id: `rsvp-${rsvp.rsvpToken}` },
    button(
      h('span', { class: 'named' }, item ? t('rsvp.sending') : t('moved.yes', { name: rsvp.name })),
      () => sayYes(rsvp, newest(event), actions),
      'primary large',
      { 'aria-disabled': item && 'true' },
    ),
    button(no, () => actions.withdraw(rsvp), 'secondary', {
      'aria-label': rsvps.length > 1 && t('yours.cancelName', { name: rsvp.name }),
    }),
  );
}

/** The question about the new event, why there is one, and the way to it. @param {State} state @param {Actions} actions */
export function movedPanel(state, actions) {
  const { event, rsvps, thanks } = state;
  const to = newest(event);
  const left = staying(state);
  const open = unanswered(left, to);
  const coming = comingTo(to.eventToken)
    .filter(({ byLink }) => !byLink)
    .map(({ name }) => name);
  const isIn = coming.length > 0 && !open.length && phase(to) !== 'over';
  const isAsked = asks(event) && rsvps.length > 0;
  return h(
    'section',
    { class: 'moved', id: 'state', 'aria-labelledby': 'moved-title' },
    h(
      'h2',
      { id: 'moved-title', tabindex: -1 },
      isIn
        ? t('moved.in', { date: dayIn(to) })
        : (thanks || isAsked) && !left.length
          ? t('withdraw.thanks')
          : question(event),
    ),
    event.why && h('p', { class: 'user prose', dir: 'auto' }, ...linkify(event.why)),
    coming.length > 0 &&
      h(
        'p',
        { class: 'user' },
        t('mine.guest', { n: coming.length, name: new Intl.ListFormat(locale).format(coming) }),
      ),
    isAsked &&
      h(
        'ul',
        { class: 'moved' },
        rsvps.map((rsvp) =>
          left.includes(rsvp) ? row(state, rsvp, open, actions) : leaving(rsvp, false, true, actions),
        ),
      ),
    isAsked && coming.length > 0 && notKept(),
    isIn
      ? h('div', { class: 'actions' }, calendarLinks(to, true), see(event, [], 'secondary'))
      : see(event, open, isAsked ? 'plain' : 'primary'),
  );
}
