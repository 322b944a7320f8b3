import { amend, type SavedRSVP } from '../model/saved';
import { download, h, type keptRows, person } from '../lib/dom';
import { t } from '../lib/i18n';
import { calendarPath, rsvpURL } from '../lib/urls';
import { button, copyButton, flash, fold, shareButton } from './buttons';

/** Folds a text into the lines of a calendar file, which may have 75 octets (RFC 5545, section 3.1). */
const folded = (text: string) => (text.match(/.{1,18}/gsu) as string[]).join('\r\n ');

/**
 * Adds a guest's own link to the server's calendar entry. This device makes the file, because with a link to a calendar
 * service another site would see the secret in the URL.
 */
async function ownEntry(rsvp: SavedRSVP) {
  const answer = await fetch(calendarPath(rsvp.eventToken));
  if (!answer.ok) throw new Error('calendar');
  const text = `${t('guestLink.text')}\n${rsvpURL(rsvp)}\n\n`.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n');
  return (await answer.text())
    .replace(/^DESCRIPTION(;LANGUAGE=.*?)?:/m, (name) => `${name}\r\n ${folded(text)}\r\n `)
    .replace(/^URL:.*(\r\n .*)*/m, () => `URL:${folded(rsvpURL(rsvp))}`);
}

/** The ways to keep a guest's own link. With this link the guest can cancel the RSVP on another device. */
export const keepRSVP = (rsvps: SavedRSVP[], row: ReturnType<typeof keptRows>) =>
  fold(
    'keep-rsvp',
    'line',
    t('guestLink.title'),
    <p class="hint">{t('guestLink.text')}</p>,
    rsvps.map((rsvp) =>
      row(`keep ${rsvp.rsvpToken}`, [rsvp, rsvps.length > 1], () => (
        <div class="row" role="group" aria-label={rsvp.name} onclick={() => amend(rsvp, { shared: true })}>
          {rsvps.length > 1 && person(rsvp.name, 'p', 'named')}
          {shareButton(
            { title: rsvp.title, text: t('yours.link', { name: rsvp.name }), url: rsvpURL(rsvp) },
            t('links.send'),
          )}
          {copyButton(t('guestLink.copy'), rsvpURL(rsvp))}
          {button(
            t('guestLink.calendar'),
            async ({ currentTarget }) => {
              const entry = await ownEntry(rsvp).catch(() => null);
              if (entry) return download('event.ics', 'text/calendar', entry);
              flash(currentTarget, t('failure.lost'));
            },
            'plain online',
          )}
        </div>
      )),
    ),
  );
