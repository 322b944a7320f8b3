// @ts-check
import { h, user } from '../lib/dom';
import { colourOf } from '../lib/head';
import { locale, t } from '../lib/i18n';
import { exportSaved } from '../lib/event-data';
import { ofDoor } from '../lib/handlers';
import { items, staying } from '../lib/outbox';
import { outlives, saved } from '../lib/saved';
import { phase, relativeDay, shortIn } from '../lib/time';
import { eventPath, eventURL, organizerPath } from '../lib/urls';
import { button, copyButton } from './buttons';
import { icon } from './icon';
import { asOfText, notice } from './notice';
import { state, turnout } from './poster';
import { tally } from './tally';
import { textsOf } from './unsent';

/**
 * An event that was announced or signed up for on this device, or both, with its items in the outbox and the newest
 * known details; asOf is set if these may be out of date, gone if the service does not have the event.
 * @typedef {import('../lib/time').Moment & { eventToken: string, title: string, organizerToken?: string | undefined }
 *   & { rsvps: import('../lib/saved').SavedRSVP[], items: import('../lib/outbox').Shown[], gone?: boolean }
 *   & Partial<{ details: import('../lib/api').EventDetails | undefined, asOf: import('../lib/events').AsOf | null | undefined }>} Entry
 */
/** @typedef {{ kind: 'good' | 'bad', text: string }} Message */
/** @typedef {{ remove: (entry: Entry) => void, load: (file: File) => void, dismiss: (id: string) => void }} Actions */

/** @returns {Entry[]} by date */
export function entries() {
  const { events, rsvps } = saved();
  /** @type {Map<string, Entry>} */
  const found = new Map();
  /** @param {Partial<Entry> & { eventToken: string }} one */
  function entryOf({ eventToken, title, dateTime = '', timezone = '', organizerToken }) {
    const entry = found.get(eventToken) ?? {
      eventToken,
      title: String(title),
      dateTime,
      timezone,
      organizerToken,
      rsvps: [],
      items: [],
    };
    found.set(eventToken, entry);
    return entry;
  }
  for (const event of events) entryOf(event);
  for (const rsvp of rsvps) entryOf(rsvp).rsvps.push(rsvp);
  // A new announcement has no entry: the form shows it.
  for (const item of items())
    if (!ofDoor(item) && (found.has(item.eventToken) || item.title)) entryOf(item).items.push(item);
  return [...found.values()].sort((a, b) => (Date.parse(a.dateTime) || 0) - (Date.parse(b.dateTime) || 0));
}

/** @param {Entry} entry */
export const isPast = (entry) => ['over', 'closed'].includes(phase(entry.details ?? entry));

/**
 * The events of this device. Past ones are folded unless they have items in the outbox.
 * @param {Entry[]} all
 * @param {Actions} actions
 */
export function savedList(all, actions) {
  const isFolded = (/** @type {Entry} */ entry) => isPast(entry) && !entry.items.length;
  const shown = all.filter((entry) => !isFolded(entry));
  const past = all.filter(isFolded).reverse();
  return h(
    'section',
    { class: 'saved', id: 'saved', 'aria-labelledby': 'saved-title' },
    !outlives() && notice('bad', h('p', {}, t('mine.notKept'))),
    shown.length > 0
      ? h(
          'ul',
          { class: 'entries' },
          shown.map((entry) => card(entry, actions)),
        )
      : h('p', { class: 'hint' }, t('mine.noneComing')),
    past.length > 0 &&
      h(
        'details',
        { class: 'fold', id: 'past' },
        h('summary', { class: 'line' }, t('mine.past', { n: past.length })),
        h(
          'ul',
          { class: 'entries' },
          past.map((entry) => card(entry, actions)),
        ),
      ),
  );
}

const strokes = 20; // at most, so that the marks and the number fit on one line

/** @param {import('../lib/time').Moment} event */
function whenText(event) {
  try {
    return `${shortIn(event)} · ${relativeDay(event)}`;
  } catch {
    return ''; // Early versions imported dates unchecked.
  }
}

/** @param {Entry} entry @param {Actions} actions */
function card(entry, actions) {
  const { eventToken, organizerToken, title, details, asOf, gone } = entry;
  const coming = staying(entry);
  const names = coming.filter(({ byLink }) => !byLink).map(({ name }) => String(name));
  const list = new Intl.ListFormat(locale).format(names);
  const done = isPast(entry) || details?.cancelled;
  const roles = [
    organizerToken && t('mine.organizer'),
    ...(names.length === 0 ? [] : done ? [t('yours.were'), list] : [t('mine.guest', { n: names.length, name: list })]),
    ...coming.filter(({ byLink }) => byLink).map(({ name }) => t('yours.link', { name })),
  ]
    .filter(Boolean)
    .join(' · ');
  const n = details?.attendeeCount;
  return h(
    'li',
    { class: 'entry', id: `entry-${eventToken}`, 'data-colour': colourOf(title) },
    h('a', { href: organizerToken ? organizerPath(eventToken) : eventPath(eventToken) }, user(title)),
    h('p', {}, whenText(details?.to ?? details ?? entry)),
    roles && h('p', { class: 'user' }, roles),
    ...entry.items.map((item) => itemView(item, actions)),
    // The line is reserved before the service answers, so the layout does not shift.
    !isPast(entry) &&
      h(
        'div',
        { class: 'row marks' },
        Boolean(n) && tally(Number(n), { limit: strokes }),
        details && h('strong', {}, state(details) || turnout(details)),
        gone && h('strong', {}, t('missing.title')),
        asOf && h('span', {}, asOfText(asOf)),
      ),
    h(
      'details',
      { class: 'menu', id: `menu-${eventToken}` },
      h('summary', {}, icon('more'), h('span', { class: 'unseen' }, t('mine.more', { title }))),
      h(
        'div',
        { class: 'row' },
        copyButton(t('copy.link'), eventURL(eventToken), 'plain', { 'aria-label': t('mine.copyNamed', { title }) }),
        organizerToken &&
          h(
            'a',
            { class: 'plain', href: `/?again=${eventToken}`, 'aria-label': t('mine.againNamed', { title }) },
            t('mine.again'),
          ),
        button(t('mine.remove'), () => actions.remove(entry), 'plain', {
          'aria-label': t('mine.removeNamed', { title }),
        }),
      ),
    ),
  );
}

/**
 * An unsent or refused item.
 * @param {Entry['items'][number]} item
 * @param {Actions} actions
 */
function itemView(item, actions) {
  const { listed, refused } = textsOf(item);
  if (!item.refused) return h('p', { class: 'unsent' }, listed);
  return h(
    'div',
    { class: 'unsent' },
    h('p', {}, refused),
    h('p', {}, item.error?.words),
    button(t('outbox.dismiss'), () => actions.dismiss(item.id), 'plain'),
  );
}

/**
 * Export and import of the list, for another device.
 * @param {number} count
 * @param {Message | null} message
 * @param {Actions} actions
 */
export const takeAlong = (count, message, actions) =>
  h(
    'section',
    { class: 'take-along', id: 'take-along' },
    message && notice(message.kind, h('p', {}, message.text)),
    h('p', { class: 'hint' }, count > 0 ? t('mine.secret') : t('how.kept')),
    h(
      'div',
      { class: 'row' },
      count > 0 && button(t('mine.export'), exportSaved, 'plain'),
      h(
        'label',
        { class: 'plain' },
        t('mine.import'),
        h('input', {
          type: 'file',
          id: 'import',
          value: '',
          class: 'unseen',
          accept: '.json,application/json',
          onchange: (/** @type {any} */ { target }) => actions.load(target.files[0]),
        }),
      ),
    ),
  );
