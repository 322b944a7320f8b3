// @ts-check
import { h } from '../lib/dom.js';
import { download } from '../lib/browser.js';
import { calendar, span } from '../lib/calendar.js';
import { googleCalendar, outlook } from '../lib/elsewhere.js';
import { t } from '../lib/i18n.js';
import { fileName } from '../lib/text.js';
import { eventURL } from '../lib/urls.js';
import { button } from './buttons.js';

const longest = 500; // characters of a description that an address bears

/**
 * @param {string} label
 * @param {string} href
 */
const way = (label, href) => h('a', { class: 'plain', href, target: '_blank', rel: 'noopener noreferrer' }, label);

/**
 * The ways to put an event into one's calendar. The link of an RSVP goes into the
 * file only: it is nothing to tell another service.
 * @param {import('../lib/api.js').EventDetails} event
 * @param {import('../lib/saved.js').SavedRSVP} [rsvp] whose link goes into the entry
 */
export function calendarLinks(event, rsvp) {
  const text = [...event.description ?? ''].slice(0, longest).join('');
  const entry = {
    ...span(event), title: event.title, place: event.location ?? '',
    text: [text, eventURL(event.eventToken)].filter(Boolean).join('\n\n'),
  };
  return [
    button(t('event.calendar'), () => download(fileName(event.title, '.ics'), 'text/calendar', calendar(event, rsvp))),
    way('Google', googleCalendar(entry)), way('Outlook', outlook(entry)),
  ];
}
