// @ts-check
import { h } from '../lib/dom';
import { locale, pinned } from '../lib/i18n';

const most = 100;

/**
 * An offset that looks drawn by hand. It is stable for a place, so redrawing moves no stroke.
 * @param {number} place
 * @param {number} reach
 */
const wobble = (place, reach) => (((place * 7919 + 31) % 97) / 96 - 0.5) * 2 * reach;

/** @param {number} place */
function stroke(place) {
  const within = place % 5;
  if (within === 4)
    return `M3 ${40 + wobble(place, 3)}Q28 ${31 + wobble(place + 1, 3)} 57 ${12 + wobble(place + 2, 3)}`;
  const x = 10 + within * 13;
  return `M${x + wobble(place, 1.5)} ${5 + wobble(place + 3, 2)}Q${x + wobble(place + 1, 3)} 28 ${x + wobble(place + 2, 1.5)} ${51 + wobble(place + 5, 2)}`;
}

/**
 * Tally marks. The last `own` strokes have another colour, the last `fresh` are animated, and a dashed one stands
 * for the `next` guest. Only the newest groups within `limit` are drawn; a number in front counts the earlier guests.
 * @param {number} count
 * @param {{ own?: number, fresh?: number, next?: boolean, ghosts?: number, limit?: number }} [marks]
 */
export function tally(count, { own = 0, fresh = 0, next = false, ghosts = 0, limit = most } = {}) {
  const end = Math.max(count + Number(next), ghosts);
  const left = Math.ceil(Math.max(0, end - limit) / 5) * 5;
  const groups = [];
  for (let first = left; first < end; first += 5) {
    const strokes = [];
    for (let place = first; place < Math.min(first + 5, end); place += 1) {
      const drawn = [place >= count - own && 'own', place >= count - fresh && 'fresh'].filter(Boolean).join(' ');
      strokes.push(
        h('path', { d: stroke(place), pathLength: 1, class: place < count ? drawn : next ? 'next' : 'ghost' }),
      );
    }
    groups.push(h('svg', { viewBox: '0 0 60 56', width: 60, height: 56, focusable: 'false' }, strokes));
  }
  return h(
    'div',
    { class: 'tally', 'aria-hidden': 'true' },
    left > 0 && h('b', {}, new Intl.NumberFormat(locale, { ...pinned, signDisplay: 'always' }).format(left)),
    groups,
  );
}
