// @ts-check
import { download } from '../lib/browser.js';
import { calendar } from '../lib/calendar.js';
import { t } from '../lib/i18n.js';
import { fileName } from '../lib/text.js';
import { button } from './buttons.js';

/**
 * The ways to put an event into one's calendar.
 * @param {import('../lib/api.js').EventDetails} event
 * @param {import('../lib/saved.js').SavedRSVP} [rsvp] whose link goes into the entry
 */
export const calendarLinks = (event, rsvp) => button(t('event.calendar'),
  () => download(fileName(event.title, '.ics'), 'text/calendar', calendar(event, rsvp)));
