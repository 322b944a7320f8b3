import { button, h, linked, say, user } from './dom.js';
import { t } from './i18n.js';
import { tally } from './tally.js';
import { dateIn, isExpired, ownZone, place, readerDiffers, timeIn, zonedTimeIn } from './time.js';

const length = (title) => [...title].length;

// Long titles are set smaller, so that a poster stays a poster.
export const size = (title) => (length(title) > 90 ? 'long' : length(title) > 32 ? 'middling' : 'short');

export function state(event) {
  if (event.cancelled) return t('state.cancelled');
  return isExpired(event) && t('state.expired');
}

function turnout(event) {
  const n = event.attendeeCount;
  if (state(event)) return n ? t('event.signedUp', { n }) : t('event.nobodyCame');
  return n ? t('event.coming', { n }) : t('event.nobody');
}

const crowd = (event, marks) => h('div', {},
  h('dt', {}, t('event.who')), h('dd', {},
    h('p', { class: 'big coming' }, turnout(event)),
    tally(event.attendeeCount, { ghosts: event.attendeeCount ? 0 : 5, ...marks })));

export function poster(event, { kicker, marks } = {}) {
  const there = readerDiffers(event) && h('p', { class: 'reader' },
    t('event.reader', { date: dateIn(event, ownZone()), time: timeIn(event, ownZone()), zone: place(ownZone()) }));
  return h('section', { class: `poster ${event.cancelled ? 'off' : ''}` }, h('div', { class: 'wrap' },
    h('p', { class: 'kicker' }, state(event) || kicker || t('event.kicker')),
    h('h1', { class: `user ${size(event.title)}`, dir: 'auto' }, event.title),
    h('dl', { class: 'facts' },
      h('div', {}, h('dt', {}, t('event.when')), h('dd', {},
        h('p', { class: 'big' }, h('time', { datetime: event.dateTime }, dateIn(event))),
        h('p', {}, zonedTimeIn(event), ' · ', place(event.timezone)), there)),
      event.location && h('div', {}, h('dt', {}, t('event.where')), h('dd', { class: 'user big', dir: 'auto' }, linked(event.location))),
      crowd(event, marks))));
}

export const reason = (event) => h('section', { class: 'notice bad', id: 'state' },
  h('h2', {}, t('event.cancelled')),
  event.cancellationReason ? user(event.cancellationReason, 'p', 'prose') : h('p', {}, t('event.noReason')));

export const loading = () => h('section', { class: 'poster full', 'aria-busy': 'true' }, h('div', { class: 'wrap' },
  h('h1', { class: 'short' }, t('event.loading')), tally(0, { ghosts: 5 })));

export function plainPage(title, text, ...actions) {
  return h('section', { class: 'poster full' }, h('div', { class: 'wrap' },
    tally(0, { ghosts: 5 }), h('h1', {}, title), h('p', { class: 'lead' }, text), h('div', { class: 'row' }, ...actions)));
}

export function unknownEvent({ head, show }) {
  head({ title: t('missing.title') });
  show(plainPage(t('missing.title'), t('missing.text'), h('a', { href: '/', class: 'button' }, t('unknown.home'))));
}

export function refused({ head, show }, eventToken, given) {
  head({ title: t('refused.title') });
  show(plainPage(t('refused.title'), given ? t('refused.wrong') : t('refused.none'),
    h('a', { href: `/e/${eventToken}`, class: 'button' }, t('refused.public'))));
}

// Back online, the page tries again by itself.
export function unreachable({ head, show, signal }, failure, again) {
  head({ title: t('unreachable.title') });
  const retry = () => {
    removeEventListener('online', retry);
    again();
  };
  show(plainPage(t('unreachable.title'), failure.words, button(t('unreachable.again'), retry, 'button')));
  say(failure.words);
  addEventListener('online', retry, { signal });
}
