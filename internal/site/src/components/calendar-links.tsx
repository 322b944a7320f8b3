import { h } from '../lib/dom';
import { isComing, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { calendarPath, calendarURL, eventURL, link } from '../lib/urls';
import { fold, linkTo } from './buttons';
import { icon } from './icon';

const longest = 500; // characters of a description in a link
const duration = 2 * 3_600_000; // as in calendar.go

/** The addresses that add an event at Google's and Outlook's. */
function services({ eventToken, title, dateTime, host = '', description = '', location: place = '' }: EventDetails) {
  const start = Date.parse(dateTime);
  const [from = '', to = ''] = [start, start + duration].map((moment) =>
    new Date(moment).toISOString().replace(/\.\d+/, ''),
  );
  const text = [host.replace(/\s+/g, ' ').trim(), [...description].slice(0, longest).join(''), eventURL(eventToken)]
    .filter(Boolean)
    .join('\n\n');
  return {
    google: link('https://calendar.google.com/calendar/render', {
      action: 'TEMPLATE',
      text: title,
      dates: `${from}/${to}`.replace(/[-:]/g, ''),
      details: text,
      location: place,
    }),
    outlook: link('https://outlook.live.com/calendar/0/action/compose', {
      rru: 'addevent',
      subject: title,
      startdt: from,
      enddt: to,
      body: text,
      location: place,
    }),
  };
}

const onAndroid = navigator.userAgent.includes('Android');
// Elsewhere no program opens webcal: links by default.
const subscribable = /iPhone|iPad|Macintosh/.test(navigator.userAgent);

/**
 * Adds an event to the platform's calendar until it is over. Guests of a cancelled one get the entry again, as an
 * update.
 */
export function calendarLink(event: EventDetails, isGuest: boolean) {
  const path = calendarPath(event.eventToken);
  // A new address, because the browser and CloudFront may cache the former entry for a minute.
  if (event.cancelled) return isGuest && linkTo(`${path}?cancelled=1`, t('calendar.cancelled'), 'secondary');
  const href = onAndroid ? services(event).google : path;
  return (
    isComing(event) && linkTo(href, [isGuest && icon('when'), t('event.calendar')], isGuest ? 'primary' : 'secondary')
  );
}

export function otherCalendars(event: EventDetails) {
  const { google, outlook } = services(event);
  return (
    isComing(event) &&
    fold(
      'calendars',
      'line',
      t('calendar.others'),
      <div class="row">
        {onAndroid ? linkTo(calendarPath(event.eventToken), t('calendar.file')) : linkTo(google, 'Google')}
        {linkTo(outlook, 'Outlook')}
        {subscribable && linkTo(calendarURL(event.eventToken), t('calendar.subscribe'))}
      </div>,
    )
  );
}
