// @ts-check
import { download } from '../lib/browser.js';
import { calendar, span } from '../lib/calendar.js';
import { googleCalendar, outlook } from '../lib/elsewhere.js';
import { t } from '../lib/i18n.js';
import { fileName } from '../lib/text.js';
import { eventURL } from '../lib/urls.js';
import { button, externalLink } from './buttons.js';

const longest = 500; // characters of a description that an address bears

/**
 * A calendar file and links to calendar services. The private link of an RSVP is
 * in the file only.
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
    externalLink('Google', googleCalendar(entry)), externalLink('Outlook', outlook(entry)),
  ];
}
