import { h } from '../lib/dom';
import { endsAt, isComing, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { inLine } from '../lib/text';
import { calendarPath, calendarURL, eventURL, fitting, link } from '../lib/urls';
import { fold, linkTo } from './buttons';
import { icon } from './icon';

const duration = 2 * 3_600_000; // milliseconds of an entry for an event without an end, as in calendar.go

/** The URLs that add an event to Google's and Outlook's calendars. */
export function services(event: EventDetails) {
  const start = Date.parse(event.dateTime);
  const [from = '', to = ''] = [start, endsAt(event) ?? start + duration].map((moment) =>
    new Date(moment).toISOString().replace(/\.\d+/, ''),
  );
  const texts = {
    description: event.description ?? '',
    place: inLine(event.location),
    host: (event.host ?? '').replace(/\s+/g, ' ').trim(),
    title: event.title,
  };
  const about = ({ host, description }: typeof texts) =>
    [host, description, eventURL(event.eventToken)].filter(Boolean).join('\n\n');
  return {
    google: fitting(texts, (short) =>
      link('https://calendar.google.com/calendar/render', {
        action: 'TEMPLATE',
        text: short.title,
        dates: `${from}/${to}`.replace(/[-:]/g, ''),
        details: about(short),
        location: short.place,
      }),
    ),
    outlook: fitting(texts, (short) =>
      link('https://outlook.live.com/calendar/0/action/compose', {
        rru: 'addevent',
        subject: short.title,
        startdt: from,
        enddt: to,
        body: about(short),
        location: short.place,
      }),
    ),
  };
}

const onAndroid = navigator.userAgent.includes('Android');
// Only these systems have a program for webcal: links.
const subscribable = /iPhone|iPad|Macintosh/.test(navigator.userAgent);

/**
 * Adds an event to the platform's calendar, until the event is over. Guests of a cancelled event get an entry that
 * cancels the first entry.
 */
export function calendarLink(event: EventDetails, isGuest: boolean) {
  const path = calendarPath(event.eventToken);
  // The URL is new because the browser and CloudFront may cache the former entry for a minute.
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
