import { changeOf, newest, reasonOf, type EventDetails } from '../lib/api';
import { h, type Child } from '../lib/dom';
import { t } from '../lib/i18n';
import { plain } from '../lib/text';
import { whenAnywhere } from '../lib/time';
import { eventURL } from '../lib/urls';
import { passOn, type Message } from './share-panel';

/** The changes of a moved event in words. */
function news(event: EventDetails) {
  const { title, location: place = '', ...to } = newest(event);
  const change = changeOf(event);
  if (change === 'place') return t('tell.place', { title, place });
  if (change === 'anew') return t('state.movedTitle', { title });
  const date = t('tell.date', { title, date: whenAnywhere(to) });
  return place && place !== event.location ? `${date}\n${t('change.place', { place })}` : date;
}

/** The message about a cancelled or moved event. */
export function told(event: EventDetails): Message {
  const { eventToken, title: name } = newest(event);
  const title = plain(event.to ? t('state.movedTitle', { title: name }) : t('state.cancelledTitle', { title: name }));
  const text = event.to
    ? plain([news(event), reasonOf(event), t('tell.again')].filter(Boolean).join('\n'))
    : [title, reasonOf(event)].filter(Boolean).join(' – ').replaceAll('\n\n', '\n');
  return { title, text, url: eventURL(eventToken) };
}

/** The service does not notify the guests. */
export const tellGuests = (event: EventDetails, note?: Child) => (
  <section class="guest-section" id="tell" aria-labelledby="tell-title">
    <h2 id="tell-title">{t('tell.title')}</h2>
    {note}
    <p class="hint">{t('tell.text')}</p>
    {passOn(told(event))}
  </section>
);
