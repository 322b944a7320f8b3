// @ts-check
import { h, user } from '../lib/dom.js';
import { download } from '../lib/browser.js';
import { colourOf } from '../lib/head.js';
import { locale, t } from '../lib/i18n.js';
import { copied } from '../lib/kept.js';
import { outlives, saved } from '../lib/saved.js';
import { phase, relativeDay, shortIn } from '../lib/time.js';
import { eventPath, eventURL, organizerPath } from '../lib/urls.js';
import { button, copyButton } from './buttons.js';
import { icon } from './icon.js';
import { notice } from './notice.js';
import { state, turnout } from './poster.js';
import { tally } from './tally.js';

/**
 * An event that was announced or signed up for on this device, or both.
 * @typedef {object} Entry
 * @property {string} eventToken
 * @property {string} title
 * @property {string} dateTime
 * @property {string} timezone
 * @property {string} [organizerToken]
 * @property {import('../lib/saved.js').SavedRSVP[]} rsvps
 * @property {import('../lib/api.js').EventDetails} [details] the service's answer
 */
/** @typedef {{ kind: 'good' | 'bad', text: string }} Message */
/** @typedef {{ remove: (entry: Entry) => void, load: (file: File) => void }} Actions */

export function exportSaved() {
  const list = saved();
  download('turnout.json', 'application/json', `${JSON.stringify(list, null, 2)}\n`);
  list.events.forEach(copied);
}

/** @returns {Entry[]} by date */
export function entries() {
  const { events, rsvps } = saved();
  /** @type {Map<string, Entry>} */
  const found = new Map();
  for (const entry of [...events, ...rsvps]) {
    const known = found.get(entry.eventToken) ?? { ...entry, rsvps: [] };
    if ('rsvpToken' in entry) known.rsvps.push(entry);
    found.set(entry.eventToken, known);
  }
  return [...found.values()].sort((a, b) => Date.parse(a.dateTime) - Date.parse(b.dateTime));
}

/** @param {Entry} entry */
export const isPast = (entry) => ['over', 'closed'].includes(phase(entry.details ?? entry));

/**
 * The coming events of this device, and the past ones folded.
 * @param {Entry[]} all
 * @param {Actions} actions
 */
export function savedList(all, actions) {
  const coming = all.filter((entry) => !isPast(entry));
  const past = all.filter(isPast).reverse();
  return h('section', { class: 'saved', id: 'saved', 'aria-labelledby': 'saved-title' },
    !outlives() && notice('bad', h('p', {}, t('mine.notKept'))),
    coming.length > 0 ? h('ul', { class: 'entries' }, coming.map((entry) => card(entry, actions))) : h('p', { class: 'hint' }, t('mine.noneComing')),
    past.length > 0 && h('details', { class: 'fold', id: 'past' }, h('summary', {}, t('mine.past', { n: past.length })),
      h('ul', { class: 'entries' }, past.map((entry) => card(entry, actions)))));
}

const strokes = 20; // at most, so that the marks and the number fit on one line

/** @param {Entry} entry @param {Actions} actions */
function card(entry, actions) {
  const { eventToken, organizerToken, title, rsvps, details } = entry;
  const roles = [
    organizerToken && t('mine.organizer'),
    rsvps.length > 0 && t('mine.guest', { n: rsvps.length, name: new Intl.ListFormat(locale).format(rsvps.map(({ name }) => name)) }),
  ].filter(Boolean).join(' · ');
  const n = details?.attendeeCount;
  return h('li', { class: 'entry', id: `entry-${eventToken}`, 'data-colour': colourOf(title) },
    h('a', { href: organizerToken ? organizerPath(eventToken) : eventPath(eventToken) }, user(title)),
    h('p', {}, shortIn(entry), ' · ', relativeDay(entry)),
    h('p', { class: 'user' }, roles),
    // The line is there before the service's answer, so that nothing moves then.
    !isPast(entry) && h('div', { class: 'row marks' },
      Boolean(n) && tally(Number(n), { limit: strokes }), details && h('strong', {}, state(details) || turnout(details))),
    h('details', { class: 'menu', id: `menu-${eventToken}` },
      h('summary', {}, icon('more'), h('span', { class: 'unseen' }, t('mine.more', { title }))),
      h('div', { class: 'row' },
        copyButton(t('copy.link'), eventURL(eventToken), 'plain', { 'aria-label': t('mine.copyNamed', { title }) }),
        organizerToken && h('a', { class: 'plain', href: `/?again=${eventToken}`, 'aria-label': t('mine.againNamed', { title }) }, t('mine.again')),
        button(t('mine.remove'), () => actions.remove(entry), 'plain', { 'aria-label': t('mine.removeNamed', { title }) }))));
}

/**
 * Export and import of the list, for another device.
 * @param {number} count
 * @param {Message | null} message
 * @param {Actions} actions
 */
export const takeAlong = (count, message, actions) => h('section', { class: 'take-along', id: 'take-along' },
  message && notice(message.kind, h('p', {}, message.text)),
  h('div', { class: 'row' },
    count > 0 && button(t('mine.export'), exportSaved, 'plain'),
    h('label', { class: 'plain' }, t('mine.import'),
      h('input', { type: 'file', id: 'import', class: 'unseen', accept: '.json,application/json',
        onchange: (/** @type {any} */ { target }) => actions.load(target.files[0]) }))),
  h('p', { class: 'hint' }, count > 0 ? t('mine.secret') : t('mine.none')));
