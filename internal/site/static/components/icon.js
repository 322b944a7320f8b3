// @ts-check

const space = 'http://www.w3.org/2000/svg';

/**
 * An icon in front of a text with the same meaning. The drawings are in page.html.
 * @param {'when' | 'where' | 'who' | 'share' | 'copy' | 'check' | 'key' | 'download' | 'plus' | 'more'} name
 */
export function icon(name) {
  const svg = document.createElementNS(space, 'svg');
  // With these attributes, it does not fill the screen if the stylesheet is missing.
  const attributes = { class: 'icon', width: '20', height: '20', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}
