import { h, make, part } from './dom';
import { t } from './i18n';

export function head({ title, indexed = false, canonical }: { title?: string; indexed?: boolean; canonical?: string }) {
  document.title = title ? `${title} · Turnout` : t('site.title');
  for (const old of document.querySelectorAll('meta[name=robots],link:is([rel=canonical],[rel=manifest])'))
    old.remove();
  // An icon on the home screen opens the manifest's page, home, from whichever page the icon was made.
  document.head.append(
    make(indexed ? <link rel="manifest" href="/manifest.webmanifest" /> : <meta name="robots" content="noindex" />),
  );
  // The browser's own share button shares this link, so the link must not contain a secret.
  if (canonical) document.head.append(make(<link rel="canonical" href={canonical} />));
}

/** The colour of a poster, 0 to 7, as in internal/site/colour.go. The title decides, as the list has it at once. */
export function colourOf(title: string) {
  let sum = 0;
  for (const letter of String(title)) sum = (sum * 31 + Number(letter.codePointAt(0))) % 65521;
  return sum % 8;
}

/** @param isOff whether the event is cancelled; undefined keeps the grey of a cancelled event with the same colour */
export function paint(title?: string, isOff?: boolean) {
  const root = document.documentElement;
  const colour = title === undefined ? 'home' : String(colourOf(title));
  const isGrey = 'off' in root.dataset;
  if (root.dataset.colour === colour && (isOff ?? isGrey) === isGrey) return;
  root.dataset.colour = colour;
  root.toggleAttribute('data-off', Boolean(isOff));
  tint();
}

export function tint() {
  const { backgroundColor } = getComputedStyle(part('top'));
  for (const bars of document.querySelectorAll('meta[name=theme-color]')) bars.setAttribute('content', backgroundColor);
}
