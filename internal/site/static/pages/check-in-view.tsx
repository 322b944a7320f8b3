import { byId, h, user } from '../lib/dom';
import { checkedIn } from '../lib/attendees';
import { walkInsHere } from '../lib/guests';
import { t } from '../lib/i18n';
import { keeps } from '../lib/storage';
import { blank } from '../lib/text';
import { button } from '../components/buttons';
import { nameError, walkIns, type CheckIn, type Row } from './check-in';
import type { OrganizeFacts } from './attendance';
import { attendeesOf, matching, moreButton, searchField, upTo } from '../components/guest-list';
import { icon } from '../components/icon';
import { asOfLine, notice } from '../components/notice';

/** Leaves the focus in the search, and with it the keyboard of a phone as it is. */
const stay = (event: Event) => {
  if (document.activeElement === byId('search')) event.preventDefault();
};

/** A label would move the focus from the search to its checkbox. */
function click(event: MouseEvent & { currentTarget: HTMLLabelElement }) {
  const { control } = event.currentTarget;
  if (event.target === control) return;
  event.preventDefault();
  control?.click();
}

/** The page of an open check-in, or null. Changes since the rows were made are below them, so that no row moves. */
export function checkInView({ event: { eventToken }, names, asOf }: OrganizeFacts, checkIn: CheckIn) {
  const { guests, search, ahead, shown, last, hint, enter } = checkIn.own;
  if (!guests) return null;
  const here = checkedIn(eventToken);
  const present = new Set(attendeesOf(names).map(({ id }) => id));
  for (const { stands, nth, name } of walkInsHere(eventToken))
    if (stands === 'leaving' || stands === 'withdrawing') present.delete(`${nth} ${name}`);
  const added = new Map(walkIns(eventToken).map((guest) => [guest.id, guest]));
  const listed = new Set(guests.map(({ id }) => id));
  const all = [...guests, ...[...added.values()].filter(({ id }) => !listed.has(id))];
  const isFound = matching(search);
  const found = [...all.entries()].filter(([, row]) => isFound(row));
  found.sort(([, a], [, b]) => Number(ahead.has(b.id)) - Number(ahead.has(a.id)));
  const some = found.slice(0, upTo(found.length, shown));
  const isComing = ({ id }: Row) => present.has(id) || added.has(id);
  const coming = found.map(([, row]) => row).filter(isComing);
  const next = coming.find(({ id }) => !here.has(id));
  const marked = !blank(search) && !enter && next;
  const arrived = [...present].filter((id) => !listed.has(id) && !added.has(id)).length;
  const arrivals = [...added.values()].filter(({ id, item }) => here.has(id) && !item?.refused);
  const counted = new Set([...present, ...arrivals.map(({ id }) => id)]);
  const n = [...counted].filter((id) => here.has(id)).length;
  const isAll = enter === 'all';
  const ticked = last && (last.isHere ? t('guests.isHere', last.row) : t('guests.notHere', last.row));
  const said = isAll ? t('guests.allHere') : ticked;
  const isKept = keeps('here') && keeps('rsvp');
  function onkey({ type, key, isComposing, repeat }: KeyboardEvent) {
    if (key !== 'Enter' || isComposing || repeat) return;
    if (type === 'keydown') checkIn.enter(next, coming.length > 0);
    else checkIn.entered();
  }

  function entry(index: number, row: Row) {
    const isHere = here.has(row.id);
    const isGone = !isComing(row);
    const isMarked = row === marked;
    const guest = added.get(row.id);
    const item = guest?.item;
    return checkIn.row(row.id, [row, index, isHere, isGone, isMarked, guest], () => (
      <li id={`guest-${index}`} class={isGone ? 'gone' : isMarked && 'marked'}>
        <label onclick={click}>
          <span class="row">
            {user(row.name)}
            {row.of > 1 && <span class="hint">{` ${t('guests.nth', { n: row.nth, all: row.of })}`}</span>}
            {isGone && <span class="hint">{` ${t('guests.gone')}`}</span>}
            {item && !item.early && (
              <span class="hint">{` ${item.error && item.refused ? item.error.words : t('guests.notSent')}`}</span>
            )}
          </span>
          <input type="checkbox" checked={isHere} onclick={(event) => checkIn.tick(row, event)} />
        </label>
        {guest &&
          button(item?.early ? t('yours.undo') : t('yours.remove'), (event) => checkIn.remove(guest, event), 'plain', {
            'aria-label': item?.early ? t('yours.undoName', row) : t('yours.removeName', row),
          })}
      </li>
    ));
  }

  return [
    <section class="poster door" id="door">
      <div class="wrap">
        <div id="standing">
          {button(t('guests.close'), checkIn.close, 'plain', { id: 'done' })}
          <h1 id="here" tabindex={-1}>
            {t('guests.here', { n })}
            {!said && <span>{` · ${t('guests.toCome', { n: counted.size - n })}`}</span>}
          </h1>
          <p id="last" onmousedown={stay}>
            <span role="status" class={!said && 'unseen'}>
              {said || (search && t('guests.found', { n: found.length, all: all.length }))}
            </span>
            {said && !isAll && [' · ', button(t('yours.undo'), checkIn.undo, 'plain', { id: 'undo' })]}
          </p>
        </div>
        <div class="field" role="search">
          {searchField(search, checkIn.search, t('guests.findOrAdd'), nameError(search), onkey)}
        </div>
        <svg viewBox={`0 0 ${counted.size || 1} 1`} preserveAspectRatio="none" aria-hidden="true">
          <path d={`M0 0h${n}v1H0z`} />
        </svg>
      </div>
    </section>,
    <div class="wrap" id="check-in-list">
      <ol class="guests check-in" id="guests" onmousedown={stay}>
        {some.map(([index, row]) => entry(index, row))}
        {!blank(search) && (
          <li id="add">
            {button(
              [icon('plus'), t('guests.add', { name: search.trim() })],
              checkIn.add,
              found.length ? 'plain' : 'primary large',
            )}
          </li>
        )}
      </ol>
      {moreButton(found.length - some.length, checkIn.more)}
      {some.some(([, { of }]) => of > 1) && <p class="hint">{t('guests.sameName')}</p>}
      <div class="row news" aria-live="polite">
        {(arrived > 0 || guests.some(({ id }) => !present.has(id))) &&
          button(arrived ? t('guests.arrived', { n: arrived }) : t('guests.renew'), checkIn.renew, 'secondary', {
            id: 'renew',
          })}
        {asOf && <p>{asOfLine(asOf)}</p>}
        {hint && isKept && <p>{t('guests.ticks')}</p>}
        {!isKept && notice('bad', <p>{t('guests.notKept')}</p>)}
      </div>
    </div>,
  ];
}
