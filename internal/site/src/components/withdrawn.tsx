import { h } from '../lib/dom';
import { locale, t } from '../lib/i18n';
import type { Guest } from '../model/guests';
import { forget } from '../model/saved';
import { button } from './buttons';
import { notice } from './notice';

const withdrawnElsewhere = (guests: Guest[]) => guests.filter((guest) => guest.stands === 'gone');

/** Says whose RSVPs were withdrawn elsewhere. */
export function withdrawnText(guests: Guest[]) {
  const names = withdrawnElsewhere(guests).map(({ name }) => name);
  return t('yours.withdrawn', { n: names.length, name: new Intl.ListFormat(locale).format(names) });
}

/** The notice about RSVPs that were withdrawn elsewhere, until a visitor dismisses the notice. */
export function withdrawnNotice(guests: Guest[], dismissed: () => unknown) {
  const withdrawn = withdrawnElsewhere(guests);
  return (
    withdrawn.length > 0 &&
    notice(
      'bad',
      <p class="user">{withdrawnText(guests)}</p>,
      button(t('outbox.dismiss'), () => {
        for (const { eventToken, rsvp } of withdrawn) forget(eventToken, rsvp.rsvpToken);
        dismissed();
      }),
    )
  );
}
