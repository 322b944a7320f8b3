import type { EventDetails } from '../lib/api';
import { h, type Child } from '../lib/dom';
import { link } from '../lib/external-links';
import { t } from '../lib/i18n';
import { plain } from '../lib/text';
import { daysUntil, isZone, timeIn } from '../lib/time';
import { cardPath, codePath, eventURL } from '../lib/urls';
import { button, copyButton, externalLink, shareButton, type Level } from './buttons';
import { icon } from './icon';
import { printPoster } from './print';
import { message } from './share-link';

export type Message = { title: string; text: string; url: string };

/** Whether the share sheet is the way to send a message. On a desktop the messengers are nearer. */
const hasSheet = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

/**
 * A message, word for word, and the ways to send it.
 * @param label of the button for the share sheet
 * @param more controls
 */
export function passOn(sent: Message, label: string = t('share.native'), picture: Child = null, ...more: Child[]) {
  const { title, text, url } = sent;
  const whole = `${text}\n${url}`;
  const copyLabel = [icon('copy'), t('tell.copy')];
  return [
    <div class="said">
      {picture}
      <p class="user prose" dir="auto">
        {text}
        {'\n'}
        <bdi dir="ltr">{url}</bdi>
      </p>
    </div>,
    hasSheet()
      ? shareButton(sent, [icon('share'), label], 'primary large')
      : copyButton(copyLabel, whole, 'primary large'),
    <div class="ways">
      {hasSheet() && copyButton(copyLabel, whole)}
      {more}
      {!hasSheet() && (
        <div class="row">
          {externalLink('WhatsApp', link('https://wa.me/', { text: whole }))}
          {externalLink('Telegram', link('https://t.me/share/url', { url, text }))}
          <a
            class="plain"
            href={link('mailto:', { subject: title, body: `${text}\n\n${url}\n`.replaceAll('\n', '\r\n') })}
          >
            {t('share.email')}
          </a>
        </div>
      )}
    </div>,
  ];
}

/** Addresses of cards that did not load. */
const missing: Set<string> = new Set();

/** The picture that messengers show with the link. */
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

const about = ({ eventToken, title }: EventDetails, text: string): Message => ({
  title,
  text,
  url: eventURL(eventToken),
});

/** The invitation as guests get it, and the ways to send it. */
export const invitation = (event: EventDetails) =>
  passOn(
    about(event, message(event)),
    t('share.send'),
    card(event),
    <details class="fold" id="code">
      <summary class="secondary">{t('share.code')}</summary>
      <img
        class="code"
        src={codePath(event.eventToken)}
        alt={t('share.code')}
        width={176}
        height={176}
        loading="lazy"
      />
    </details>,
    button(t('share.poster'), () => printPoster(event)),
  );

/** The day of an event in its zone, if it is today or tomorrow. */
function soon(event: EventDetails) {
  if (!isZone(event.timezone)) return '';
  const time = timeIn(event);
  return [t('remind.today', { time }), t('remind.tomorrow', { time })][daysUntil(event)];
}

/** The reminder. Its first words are true for a day, so the date follows. */
const reminder = (event: EventDetails) => plain(message(event, soon(event) ?? ''));

/** The button for the invitation or, once there are guests, the reminder: it opens the share sheet, or unfolds the message. */
export function send(event: EventDetails, level: Level) {
  const [label, text] = event.attendeeCount ? [t('share.remind'), reminder(event)] : [t('share.send'), message(event)];
  const all = about(event, text);
  return hasSheet() ? (
    shareButton(all, [icon('share'), label], level)
  ) : (
    <details class="fold" id="send">
      <summary class={level}>
        {icon('share')}
        {label}
      </summary>
      {passOn(all)}
    </details>
  );
}
