// @ts-check

const space = 'http://www.w3.org/2000/svg';

// Drawn on a grid of 24, with strokes of 2.
const paths = {
  when: 'M4 6h16v14H4zM4 10.5h16M8 3v5M16 3v5',
  where: 'M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  who: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8',
  share: 'M12 15V3.5M7.5 8 12 3.5 16.5 8M5 12v8h14v-8',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M4.5 12.5 10 18 19.5 7',
  key: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12.5 19.5 4M16 7.5l3 3',
  download: 'M12 3.5V15M7.5 10.5 12 15l4.5-4.5M5 20h14',
};

/**
 * An icon in front of a text with the same meaning.
 * @param {keyof typeof paths} name
 */
export function icon(name) {
  const svg = document.createElementNS(space, 'svg');
  for (const [key, value] of Object.entries({ class: 'icon', viewBox: '0 0 24 24', width: '20', height: '20', 'aria-hidden': 'true', focusable: 'false' })) svg.setAttribute(key, value);
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
