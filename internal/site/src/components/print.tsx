import { type Child, h, make, person, user } from '../lib/dom';
import { newest, type EventDetails } from '../model/event';
import { t } from '../lib/i18n';
import { characters, inLines } from '../lib/text';
import { whenAnywhere } from '../model/time';
import { codePath, eventURL } from '../lib/urls';
import { byName, attendeesOf } from './guest-list';
import { state, turnout } from './event-words';
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

function whenAndWhere(event: EventDetails) {
  const shown = newest(event);
  return [
    event.cancelled && <p class="at">{state(event)}</p>,
    <p class="at">{whenAnywhere(shown)}</p>,
    shown.location && user(inLines(shown.location), 'p', 'at', shown.language),
  ];
}

/**
 * A poster for a door or a notice board, with a tally to fill in by hand. Long texts are smaller, and leave room for
 * fewer strokes, or none.
 */
export async function printPoster(event: EventDetails) {
  const { host, language, location: place = '' } = newest(event);
  const title = user(event.title, 'p', 'headline', event.language);
  // Fit the longest word into 16 cm of width, and the whole title into 11 cm of height.
  const longest = Math.max(...event.title.split(/\s/).map(characters));
  make(title).style.fontSize =
    `${Math.max(24, Math.min(92, 745 / longest, 400 / Math.sqrt(characters(event.title))))}pt`;
  // Fit the place into five lines. The date is larger.
  const facts = <div class="when">{whenAndWhere(event)}</div>;
  make(facts).style.fontSize = `${Math.max(12, Math.min(20, 180 / Math.sqrt(characters(place) + 1)))}pt`;
  const paper = lay(
    <div class="placard">
      <div class="band">
        <div>
          {host && person(host, 'p', 'at', language)}
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
  if (paper.isConnected) window.print();
}

/**
 * Lays out a check-in sheet, unless a poster is laid out. The sheet has the names in alphabetical order, each with a
 * box to tick.
 */
export const layCheckIn = ({ event, names }: { event: EventDetails; names: string[] }) =>
  paperOf() ??
  lay(
    user(event.title, 'p', 'headline', event.language),
    ...whenAndWhere(event),
    <p class="at">{turnout(event)}</p>,
    <ul class="boxes">
      {byName(attendeesOf(names)).map(({ name }) => (
        <li>{person(name)}</li>
      ))}
    </ul>,
  );
