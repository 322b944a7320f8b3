import { day, now } from '../lib/clock';
import { h, type Child } from '../lib/dom';
import { changeOf, newest, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { inLine, plain } from '../lib/text';
import { daysUntil, isZone, timeIn, whenAnywhere } from '../model/time';
import { cardPath, codePath, eventURL, fitting, link } from '../lib/urls';
import { button, copyButton, fold, linkTo, shareButton, type Level } from './buttons';
import { icon } from './icon';
import { documentTitle } from './event-words';
import { printPoster } from './print';
import { message } from './share-link';

/** Whether to offer the share sheet for a message. On a desktop, links to messengers are shorter ways. */
const hasSheet = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

/** Shows a message word for word, with the ways to send it. @param label the text of the button for the share sheet */
function passOn(
  { reason = '', ...sent }: ReturnType<typeof about> & { reason?: string },
  level: Level,
  label: string = t('share.native'),
  picture?: Child,
  ...more: Child[]
) {
  const { title, text, url } = sent;
  const whole = `${text}\n${url}`;
  const start = text.lastIndexOf(reason);
  const texts = { reason, after: text.slice(start + reason.length), before: text.slice(0, start), title };
  const way = (addressOf: (said: string, subject: string) => string) =>
    fitting(texts, (short) => addressOf(short.before + short.reason + short.after, short.title));
  const copyLabel = [icon('copy'), t('tell.copy')];
  return [
    hasSheet()
      ? shareButton(sent, [icon('share'), label], `${level} large`)
      : copyButton(copyLabel, whole, `${level} large`),
    !hasSheet() && (
      <div class="ways messengers">
        {linkTo(
          way((said) => link('https://wa.me/', { text: `${said}\n${url}` })),
          'WhatsApp',
          'secondary',
        )}
        {linkTo(
          way((said) => link('https://t.me/share/url', { url, text: said })),
          'Telegram',
          'secondary',
        )}
        {linkTo(
          way((said, subject) => link('mailto:', { subject, body: `${said}\n\n${url}\n`.replaceAll('\n', '\r\n') })),
          t('share.email'),
          'secondary',
        )}
      </div>
    ),
    <div class="said">
      {picture}
      <p class="user prose" dir="auto">
        {text}
        {'\n'}
        <bdi dir="ltr">{url}</bdi>
      </p>
    </div>,
    hasSheet() && <div class="ways">{copyButton(copyLabel, whole)}</div>,
    more.length > 0 && <div class="ways">{more}</div>,
  ];
}

/** The URLs of cards that did not load. */
const missing: Set<string> = new Set();

/** The card, the image that messengers show with the link. */
function card({ eventToken }: EventDetails) {
  const src = cardPath(eventToken);
  return (
    !missing.has(src) && (
      <img
        src={src}
        alt=""
        width={1200}
        height={630}
        loading="lazy"
        onerror={({ target }) => {
          missing.add(src);
          target.remove();
        }}
      />
    )
  );
}

const about = ({ eventToken, title }: Pick<EventDetails, 'eventToken' | 'title'>, text: string) => ({
  title,
  text,
  url: eventURL(eventToken),
});

/** The invitation as guests receive it, and the ways to send it. */
export const invitation = (event: EventDetails, level: Level) =>
  passOn(
    about(event, message(event)),
    level,
    t('share.send'),
    card(event),
    fold(
      'code',
      'secondary',
      t('share.code'),
      <img
        class="code"
        src={codePath(event.eventToken)}
        alt={t('share.code')}
        width={176}
        height={176}
        loading="lazy"
      />,
    ),
    button(t('share.poster'), ({ currentTarget }) => printPoster(event, currentTarget), 'secondary online'),
  );

/** Whether the next message is the reminder: somebody has signed up, and the event starts within two days. */
export const isSoon = (event: EventDetails) => event.attendeeCount > 0 && Date.parse(event.dateTime) - now() <= 2 * day;

/** The reminder's text. It says today or tomorrow by the event's clock, because its readers know the date. */
function reminder(event: EventDetails) {
  const time = timeIn(event);
  const days = isZone(event.timezone) ? daysUntil(event) : NaN;
  return plain(message(event, t('remind.first'), [t('remind.today', { time }), t('remind.tomorrow', { time })][days]));
}

/** The button for the next message: it opens the share sheet, or unfolds the message. */
export function send(event: EventDetails, level: Level) {
  const isReminder = isSoon(event);
  const label = [icon('share'), isReminder ? t('share.remind') : t('share.send')];
  const sent = about(event, isReminder ? reminder(event) : message(event));
  return hasSheet()
    ? shareButton(sent, label, level)
    : fold('send', level, label, isReminder ? passOn(sent, level) : invitation(event, level));
}

/** The invitation in a folded row, unless the button for the next message unfolds the invitation. */
export const invitationRow = (event: EventDetails) =>
  (hasSheet() || isSoon(event)) && fold('share', 'line', t('share.open'), invitation(event, 'secondary'));

/** The changes of a moved event in words. */
function news(event: EventDetails) {
  const { title, location: place = '', ...to } = newest(event);
  const change = changeOf(event);
  if (change === 'place') return t('tell.place', { title, place: inLine(place) });
  if (change === 'anew') return t('state.movedTitle', { title });
  const date = t('tell.date', { title, date: whenAnywhere(to) });
  const isElsewhere = place && inLine(place) !== inLine(event.location);
  return isElsewhere ? `${date}\n${t('change.place', { place: inLine(place) })}` : date;
}

/** The message for guests about a cancelled or moved event. */
export function told(event: EventDetails) {
  const { eventToken } = newest(event);
  const title = documentTitle({ ...event, cancelled: true });
  const reason = plain(event.cancellationReason ?? '').replaceAll('\n\n', '\n');
  const text = event.to
    ? plain([news(event), reason, t('tell.again')].filter(Boolean).join('\n'))
    : [title, reason].filter(Boolean).join(' – ');
  return { ...about({ eventToken, title }, text), reason };
}

/** The organizer's ways to tell the guests, because the service does not notify guests. */
export const tellGuests = (event: EventDetails, note?: Child) => (
  <section class="guest-section" id="tell">
    <h2>{t('tell.title')}</h2>
    {note}
    <p class="hint">{t('tell.text')}</p>
    {passOn(told(event), 'primary')}
  </section>
);
