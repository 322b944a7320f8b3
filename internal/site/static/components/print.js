// @ts-check
import { h, make, user } from '../lib/dom';
import { t } from '../lib/i18n';
import { characters } from '../lib/limits';
import { newest } from '../lib/move';
import { readerDiffers, whenAnywhere, whenIn } from '../lib/time';
import { codePath, eventURL } from '../lib/urls';
import { guestsOf, sortByName } from './guest-list';
import { state, turnout } from './poster';
import { tally } from './tally';

/** @typedef {import('../lib/api').EventDetails} EventDetails */

/** Prints content instead of the page. @param {...import('../lib/dom').Child} content */
async function print(...content) {
  document.querySelector('.paper')?.remove();
  const paper = make(h('div', { class: 'paper', 'aria-hidden': 'true' }, ...content));
  document.body.append(paper);
  addEventListener('afterprint', () => paper.remove(), { once: true });
  // A picture that is not loaded would be missing on paper.
  await Promise.all([...paper.querySelectorAll('img')].map((image) => image.decode().catch(() => {})));
  window.print();
}

/** @param {EventDetails} event */
function whenAndWhere(event) {
  const shown = newest(event);
  return [
    event.cancelled && h('p', { class: 'at' }, state(event)),
    h('p', { class: 'at' }, readerDiffers(shown) ? whenAnywhere(shown) : whenIn(shown)),
    shown.location && user(shown.location, 'p', 'at'),
  ];
}

/** A poster for a door or a notice board, with a tally to fill in by hand. @param {EventDetails} event */
export function printPoster(event) {
  const title = user(event.title, 'p', 'headline');
  // The longest word fits in a line of 16 cm, unless it has to be broken, and the whole title in 11 cm.
  const longest = Math.max(...event.title.split(/\s/).map(characters));
  make(title).style.fontSize =
    `${Math.max(30, Math.min(100, 745 / longest, 422 / Math.sqrt(characters(event.title))))}pt`;
  return print(
    h(
      'div',
      { class: 'placard' },
      h(
        'div',
        { class: 'band' },
        title,
        h('div', {}, whenAndWhere(event)),
        !event.cancelled &&
          h('div', { class: 'room' }, h('p', { class: 'at' }, t('home.title')), tally(0, { ghosts: 75 })),
      ),
      h(
        'div',
        { class: 'scan' },
        h('img', { src: codePath(event.eventToken), alt: '' }),
        h('div', {}, h('p', { class: 'at' }, t('share.scan')), h('p', { dir: 'ltr' }, eventURL(event.eventToken))),
      ),
    ),
  );
}

/**
 * A check-in sheet: the names in alphabetical order, each with a box to tick.
 * @param {EventDetails} event
 * @param {string[]} names
 */
export const printCheckIn = (event, names) =>
  print(
    user(event.title, 'p', 'headline'),
    ...whenAndWhere(event),
    h('p', { class: 'at' }, turnout(event)),
    h(
      'ul',
      { class: 'boxes' },
      sortByName([...guestsOf(names)]).map(({ name }) => h('li', {}, user(name))),
    ),
  );
