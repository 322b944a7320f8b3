import { h } from '../lib/dom';

/** An icon in front of a text with the same meaning. page.html has the drawings. */
export function icon(name: 'when' | 'where' | 'share' | 'copy' | 'plus' | 'more') {
  // The width and height keep the icon small if the stylesheet is missing.
  return (
    <svg class="icon" width={20} height={20} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
