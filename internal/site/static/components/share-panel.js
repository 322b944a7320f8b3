// @ts-check
import { h } from '../lib/dom';
import { link } from '../lib/external-links';
import { t } from '../lib/i18n';
import { plain } from '../lib/text';
import { daysUntil, isZone, timeIn } from '../lib/time';
import { cardPath, codePath, eventURL } from '../lib/urls';
import { button, copyButton, externalLink, shareButton } from './buttons';
import { icon } from './icon';
import { printPoster } from './print';
import { message } from './share-link';

/** @typedef {import('../lib/api').EventDetails} EventDetails */
/** @typedef {import('../lib/dom').Child} Child */
/** @typedef {{ title: string, text: string, url: string }} Message */

/** Whether the share sheet is the way to send a message. On a desktop the messengers are nearer. */
const hasSheet = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches;

/**
 * A message, word for word, and the ways to send it.
 * @param {Message} sent
 * @param {string} [label] of the button for the share sheet
 * @param {Child} [picture]
 * @param {Child[]} more controls
 */
export function passOn(sent, label = t('share.native'), picture = null, ...more) {
  const { title, text, url } = sent;
  const whole = `${text}\n${url}`;
  const copyLabel = [icon('copy'), t('tell.copy')];
  return [
    h(
      'div',
      { class: 'said' },
      picture,
      h('p', { class: 'user prose', dir: 'auto' }, text, '\n', h('bdi', { dir: 'ltr' }, url)),
    ),
    hasSheet()
      ? shareButton(sent, [icon('share'), label], 'primary large')
      : copyButton(copyLabel, whole, 'primary large'),
    h(
      'div',
      { class: 'ways' },
      hasSheet() && copyButton(copyLabel, whole),
      ...more,
      !hasSheet() &&
        h(
          'div',
          { class: 'row' },
          externalLink('WhatsApp', link('https://wa.me/', { text: whole })),
          externalLink('Telegram', link('https://t.me/share/url', { url, text })),
          h(
            'a',
            {
              class: 'plain',
              href: link('mailto:', { subject: title, body: `${text}\n\n${url}\n`.replaceAll('\n', '\r\n') }),
            },
            t('share.email'),
          ),
        ),
    ),
  ];
}

/** Addresses of cards that did not load. @type {Set<string>} */
const missing = new Set();

/** The picture that messengers show with the link. @param {EventDetails} event */
function card({ eventToken }) {
  const src = cardPath(eventToken);
  return (
    !missing.has(src) &&
    h('img', {
      src,
      alt: '',
      width: 1200,
      height: 630,
      loading: 'lazy',
      onerror: (/** @type {any} */ { target }) => {
        missing.add(src);
        target.remove();
      },
    })
  );
}

/** @param {EventDetails} event @param {string} text @returns {Message} */
const about = ({ eventToken, title }, text) => ({ title, text, url: eventURL(eventToken) });

/** The invitation as guests get it, and the ways to send it. @param {EventDetails} event */
export const invitation = (event) =>
  passOn(
    about(event, message(event)),
    t('share.send'),
    card(event),
    h(
      'details',
      { class: 'fold', id: 'code' },
      h('summary', { class: 'secondary' }, t('share.code')),
      h('img', {
        class: 'code',
        src: codePath(event.eventToken),
        alt: t('share.code'),
        width: 176,
        height: 176,
        loading: 'lazy',
      }),
    ),
    button(t('share.poster'), () => printPoster(event)),
  );

/** The day of an event in its zone, if it is today or tomorrow. @param {EventDetails} event */
function soon(event) {
  if (!isZone(event.timezone)) return '';
  const time = timeIn(event);
  return [t('remind.today', { time }), t('remind.tomorrow', { time })][daysUntil(event)];
}

/** The reminder. Its first words are true for a day, so the date follows. @param {EventDetails} event */
const reminder = (event) => plain(message(event, soon(event) ?? ''));

/**
 * The button for the invitation or, once there are guests, the reminder: it opens the share sheet, or unfolds the message.
 * @param {EventDetails} event
 * @param {import('./buttons').Level} level
 */
export function send(event, level) {
  const [label, text] = event.attendeeCount ? [t('share.remind'), reminder(event)] : [t('share.send'), message(event)];
  const all = about(event, text);
  return hasSheet()
    ? shareButton(all, [icon('share'), label], level)
    : h('details', { class: 'fold', id: 'send' }, h('summary', { class: level }, icon('share'), label), passOn(all));
}
