import type { EventDetails } from '../lib/api';
import { link } from '../lib/external-links';
import { h } from '../lib/dom';
import { t } from '../lib/i18n';
import { isComing } from '../lib/time';
import { calendarPath, calendarURL, eventURL } from '../lib/urls';
import { externalLink } from './buttons';
import { icon } from './icon';

const longest = 500; // characters of a description in a link
const duration = 2 * 3_600_000; // as in calendar.go

function services({ eventToken, title, dateTime, description = '', location: place = '' }: EventDetails) {
  const start = Date.parse(dateTime);
  const [from = '', to = ''] = [start, start + duration].map((moment) =>
    new Date(moment).toISOString().replace(/\.\d+/, ''),
  );
  const text = [[...description].slice(0, longest).join(''), eventURL(eventToken)].filter(Boolean).join('\n\n');
  return [
    externalLink(
      'Google',
      link('https://calendar.google.com/calendar/render', {
        action: 'TEMPLATE',
        text: title,
        dates: `${from}/${to}`.replace(/[-:]/g, ''),
        details: text,
        location: place,
      }),
    ),
    externalLink(
      'Outlook',
      link('https://outlook.live.com/calendar/0/action/compose', {
        rru: 'addevent',
        subject: title,
        startdt: from,
        enddt: to,
        body: text,
        location: place,
      }),
    ),
  ];
}

// The index of the platform's own service. Its link is the first; elsewhere, it is that of the file.
const ownService = ['Android', 'Windows'].findIndex((system) => navigator.userAgent.includes(system));
// Elsewhere no program opens webcal: links by default.
const subscribable = /iPhone|iPad|Macintosh/.test(navigator.userAgent);

/**
 * Links that add an event to a calendar until it is over. A cancelled event's guests get the entry
 * again to update their calendars; others get nothing.
 */
export function calendarLinks(event: EventDetails, { isGuest = false } = {}) {
  const { eventToken } = event;
  // A new address, because the browser and CloudFront may cache the former entry for a minute.
  if (event.cancelled)
    return (
      isGuest && (
        <a class="secondary" href={`${calendarPath(eventToken)}?cancelled=1`}>
          {t('calendar.cancelled')}
        </a>
      )
    );
  const online = services(event);
  return (
    isComing(event) && (
      <details class="calendar" id="calendar">
        <summary class={isGuest ? 'primary' : 'secondary'}>
          {isGuest && icon('when')}
          {t('event.calendar')}
        </summary>
        <div class="row">
          {[
            ...new Set([
              online[ownService],
              <a class="plain" href={calendarPath(eventToken)}>
                {t('calendar.file')}
              </a>,
              subscribable && (
                <a class="plain" href={calendarURL(eventToken)}>
                  {t('calendar.subscribe')}
                </a>
              ),
              ...online,
            ]),
          ]}
        </div>
        {subscribable && <p class="hint">{t('calendar.later')}</p>}
      </details>
    )
  );
}
