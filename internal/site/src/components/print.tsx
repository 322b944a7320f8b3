import { type Child, h, make, person, user } from '../lib/dom';
import { newest, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { inLine, inLines } from '../lib/text';
import { whenAnywhere } from '../model/time';
import { codePath, eventURL } from '../lib/urls';
import { byName, attendeesOf } from './guest-list';
import { state, turnout } from './event-words';
import { flash } from './buttons';
import { tally } from './tally';

const paperOf = () => document.querySelector('.paper');

/** Lays out content. Browsers print this content instead of the page. */
function lay(...content: Child[]) {
  paperOf()?.remove();
  const paper = make(
    <div class="paper" aria-hidden="true">
      {content}
    </div>,
  );
  document.body.prepend(paper);
  addEventListener('afterprint', () => paper.remove(), { once: true });
  return paper;
}

const patience = 3000; // milliseconds until a browser that prints says so

/** Prints. Many apps have no printing, or a print command that does nothing: then the button says so. */
export async function print(self: HTMLElement) {
  const begins = new Promise<boolean>((done) => {
    addEventListener('beforeprint', () => done(true), { once: true });
    setTimeout(done, patience, false);
  });
  (window.print as (() => void) | undefined)?.();
  if (await begins) return;
  paperOf()?.remove();
  flash(self, t('print.none'));
}

const mostLines = 5;

const stateOf = (event: EventDetails) => event.cancelled && <p class="at">{state(event)}</p>;
const when = (event: EventDetails) => <p class="at">{whenAnywhere(newest(event))}</p>;

function where(event: EventDetails) {
  const { location, language } = newest(event);
  const place = inLines(location);
  return place && user(place.split('\n').length > mostLines ? inLine(place) : place, 'p', 'at', language);
}

/** Runs of letters that a line should not divide, or single letters of scripts without spaces. */
const words = /[^\s\u2e80-\u{1ffff}]+|./gsu;

/**
 * Fits a text into a part of the poster, so that no word is divided and the poster is one sheet. The unit is --u.
 * @param most the largest size @param area the size of a text of 1 em; sizes fall with the root of a text's length
 */
function fit(element: HTMLElement, text: string, most: number, area: number) {
  const pen = document.createElement('canvas').getContext('2d');
  if (!pen) return;
  pen.font = `800 10px ${getComputedStyle(document.body).getPropertyValue('font-family')}`;
  const ems = (part: string) => pen.measureText(part).width / 10 || 1;
  const longest = Math.max(...(text.match(words) ?? ['']).map(ems));
  // A word longer than 30 em is divided.
  const size = Math.min(most, 84 / Math.min(longest, 30), area / Math.sqrt(ems(text)));
  element.style.fontSize = `calc(${size} * var(--u))`;
}

/**
 * A poster for a door or a notice board, with a tally to fill in by hand. Long texts are smaller, and leave room for
 * fewer strokes, or none.
 */
export async function printPoster(event: EventDetails, self: HTMLElement) {
  const { host, language, location: place = '' } = newest(event);
  const by = host && person(host, 'p', 'at', language);
  const title = user(event.title, 'p', 'headline', event.language);
  const facts = <div class="when">{[stateOf(event), when(event), where(event)]}</div>;
  fit(make(title), event.title, 17.8, 50);
  fit(make(facts), place, 3.9, 28);
  if (by) fit(make(by), host, 3.9, 24);
  const paper = lay(
    <div class="placard">
      <div class="band">
        <div>
          {by}
          {title}
        </div>
        {facts}
        <div class="room">
          <p class="at">{t('home.title')}</p>
          {tally(0, { ghosts: 75 })}
        </div>
      </div>
      <div class="scan">
        <img src={codePath(event.eventToken)} alt="" />
        <div>
          <p class="at">{t('share.scan')}</p>
          <p dir="ltr">{eventURL(event.eventToken)}</p>
        </div>
      </div>
    </div>,
  );
  // Paper would lack an image that is not loaded.
  await Promise.all([...paper.querySelectorAll('img')].map((image) => image.decode().catch(() => {})));
  if (paper.isConnected) await print(self);
}

/**
 * Lays out a check-in sheet, unless a poster is laid out. The sheet has the names in alphabetical order, each with a
 * box to tick. Each sheet begins with the title and the date.
 */
export const layCheckIn = ({ event, names }: { event: EventDetails; names: string[] }) =>
  paperOf() ??
  lay(
    <div class="list">
      <div>
        {user(event.title, 'p', 'headline', event.language)}
        {when(event)}
      </div>
      {stateOf(event)}
      {where(event)}
      <p class="at">{turnout(event)}</p>
      <ul class="boxes">
        {byName(attendeesOf(names)).map(({ name }) => (
          <li>{person(name)}</li>
        ))}
      </ul>
    </div>,
  );
