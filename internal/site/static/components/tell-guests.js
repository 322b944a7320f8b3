// @ts-check
import { h } from '../lib/dom';
import { t } from '../lib/i18n';
import { changeOf, newest } from '../lib/move';
import { plain } from '../lib/text';
import { whenAnywhere } from '../lib/time';
import { eventURL } from '../lib/urls';
import { passOn } from './share-panel';

/** @typedef {import('../lib/api').EventDetails} EventDetails */

/** The changes of a moved event in words. @param {EventDetails} event */
function news(event) {
  const { title, location: place = '', ...to } = newest(event);
  const change = changeOf(event);
  if (change === 'place') return t('tell.place', { title, place });
  if (change === 'anew') return t('state.movedTitle', { title });
  const date = t('tell.date', { title, date: whenAnywhere(to) });
  return place && place !== event.location ? `${date}\n${t('change.place', { place })}` : date;
}

/** The message about a cancelled or moved event. @param {EventDetails} event @returns {import('./share-panel').Message} */
export function told(event) {
  const { eventToken, title: name } = newest(event);
  const title = plain(event.to ? t('state.movedTitle', { title: name }) : t('state.cancelledTitle', { title: name }));
  const text = event.to
    ? plain([news(event), event.why, t('tell.again')].filter(Boolean).join('\n'))
    : [title, event.cancellationReason].filter(Boolean).join(' – ').replaceAll('\n\n', '\n');
  return { title, text, url: eventURL(eventToken) };
}

/** The service does not notify the guests. @param {EventDetails} event @param {import('../lib/dom').Child} [note] */
export const tellGuests = (event, note) =>
  h(
    'section',
    { class: 'tell', id: 'tell', 'aria-labelledby': 'tell-title' },
    h('div', {}, h('h2', { id: 'tell-title' }, t('tell.title')), note, h('p', { class: 'hint' }, t('tell.text'))),
    ...passOn(told(event)),
  );
