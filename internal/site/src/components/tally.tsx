import { h } from '../lib/dom';
import { locale, pinned } from '../lib/i18n';

/**
 * Shifts a coordinate a little, so that strokes look drawn by hand. The shift depends on `place` alone, so that
 * redrawing moves nothing.
 */
const by = (x: number, place: number, reach: number) =>
  Math.floor((x + (((place * 7919 + 31) % 97) / 96 - 0.5) * 2 * reach) * 10 + 0.5) / 10;

/** The path of the stroke at place n. */
function stroke(n: number) {
  const within = n % 5;
  if (within === 4) return `M3 ${by(40, n, 3)}Q28 ${by(31, n + 1, 3)} 57 ${by(12, n + 2, 3)}`;
  const x = 10 + within * 13;
  return `M${by(x, n, 1.5)} ${by(5, n + 3, 2)}Q${by(x, n + 1, 3)} 28 ${by(x, n + 2, 1.5)} ${by(51, n + 5, 2)}`;
}

/**
 * The last `own` strokes have another colour, and the last `fresh` strokes are animated. Dashed strokes with a halo
 * stand for the `next` guests. `ghosts` are places that people fill in by hand. Only the newest groups within `limit`
 * are drawn.
 */
export type Marks = { own?: number; fresh?: number; next?: number; ghosts?: number; limit?: number };

/** Draws tally marks. A number in front counts the guests whose strokes are not drawn. */
export function tally(count: number, { own = 0, fresh = 0, next = 0, ghosts = 0, limit = 100 }: Marks = {}) {
  const end = Math.max(count + next, ghosts);
  const left = Math.ceil(Math.max(0, end - limit) / 5) * 5;
  const groups = [];
  for (let first = left; first < end; first += 5) {
    const strokes = [];
    for (let place = first; place < Math.min(first + 5, end); place += 1) {
      const drawn = [place >= count - own && 'own', place >= count - fresh && 'fresh'].filter(Boolean).join(' ');
      const kind = place < count ? drawn : next ? 'next' : 'ghost';
      const d = stroke(place);
      if (/own|next/.test(kind)) strokes.push(<path d={d} class="halo" />);
      strokes.push(<path d={d} pathLength={1} class={kind} />);
    }
    groups.push(
      <svg viewBox="0 0 60 56" width={60} height={56} focusable="false">
        {strokes}
      </svg>,
    );
  }
  return (
    <div class="tally" aria-hidden="true">
      {left > 0 && <b>{new Intl.NumberFormat(locale, { ...pinned, signDisplay: 'always' }).format(left)}</b>}
      {groups}
    </div>
  );
}
