// @ts-check
import { h } from '../lib/dom';

/**
 * An icon in front of a text with the same meaning. The drawings are in page.html.
 * @param {'when' | 'where' | 'share' | 'copy' | 'check' | 'key' | 'plus' | 'more'} name
 */
export function icon(name) {
  // The width and height keep it small if the stylesheet is missing.
  const attributes = {
    class: 'icon',
    width: 20,
    height: 20,
    viewBox: '0 0 24 24',
    'aria-hidden': 'true',
    focusable: 'false',
  };
  return h('svg', attributes, h('use', { href: `#icon-${name}` }));
}
