import type { EventDetails } from '../lib/api';
import { h, type Children } from '../lib/dom';
import { t } from '../lib/i18n';
import { isComing } from '../lib/time';
import { calendarPath, calendarURL, eventURL, link } from '../lib/urls';
import { externalLink, type Level } from './buttons';
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

const ownLink = (label: Children, href: string, className: Level = 'plain') => (
  <a class={className} href={href}>
    {label}
  </a>
);

const onAndroid = navigator.userAgent.includes('Android');
// Elsewhere no program opens webcal: links by default.
const subscribable = /iPhone|iPad|Macintosh/.test(navigator.userAgent);

/**
 * Adds an event to the platform's calendar, until it is over. A cancelled event's guests get the entry again to update
 * their calendars; others get nothing.
 */
export function calendarLink(event: EventDetails, isGuest: boolean) {
  const path = calendarPath(event.eventToken);
  // A new address, because the browser and CloudFront may cache the former entry for a minute.
  if (event.cancelled) return isGuest && ownLink(t('calendar.cancelled'), `${path}?cancelled=1`, 'secondary');
  const [way, href] = onAndroid ? [externalLink, services(event).google] : [ownLink, path];
  return (
    isComing(event) && way([isGuest && icon('when'), t('event.calendar')], href, isGuest ? 'primary' : 'secondary')
  );
}

export function otherCalendars(event: EventDetails) {
  const { google, outlook } = services(event);
  return (
    isComing(event) && (
      <details class="fold calendars" id="calendars">
        <summary class="line">{t('calendar.others')}</summary>
        <div class="row">
          {onAndroid ? ownLink(t('calendar.file'), calendarPath(event.eventToken)) : externalLink('Google', google)}
          {externalLink('Outlook', outlook)}
          {subscribable && ownLink(t('calendar.subscribe'), calendarURL(event.eventToken))}
        </div>
      </details>
    )
  );
}
