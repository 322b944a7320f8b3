import { byId, h, isEnter, person } from '../lib/dom';
import { t } from '../lib/i18n';
import { keeps } from '../lib/storage';
import { blank, separator } from '../lib/text';
import { button } from '../components/buttons';
import { nameError, roll, type CheckIn, type Row } from './check-in';
import type { OrganizeFacts } from './attendance';
import { moreButton, searchField, upTo } from '../components/guest-list';
import { icon } from '../components/icon';
import { asOfLine, notice } from '../components/notice';

/** Keeps the focus in the search, so that the keyboard of a phone stays open. */
const stay = (event: Event) => {
  if (document.activeElement === byId('search')) event.preventDefault();
};

/** Clicks the checkbox of a label without moving the focus. A click on the label itself would move the focus. */
function click(event: MouseEvent & { currentTarget: HTMLLabelElement }) {
  const { control } = event.currentTarget;
  if (event.target === control) return;
  event.preventDefault();
  control?.click();
}

/**
 * The open check-in, or null. Changes that came after the rows were made are shown below the rows, so that no row
 * moves.
 */
export function checkInView({ event: { eventToken }, names, asOf }: OrganizeFacts, checkIn: CheckIn) {
  const { guests, search, shown, last, hint, enter } = checkIn.own;
  if (!guests) return null;
  const { here, added, all, found, isComing, ...state } = roll(eventToken, names, guests, checkIn.own);
  const some = found.slice(0, upTo(found.length, shown));
  const marked = !blank(search) && !enter && state.next;
  const isAll = enter === 'all';
  const ticked = last && (last.isHere ? t('guests.isHere', last.row) : t('guests.notHere', last.row));
  const said = isAll ? t('guests.allHere') : ticked;
  const isKept = keeps('here') && keeps('rsvp');

  function onkey(event: KeyboardEvent) {
    if (!isEnter(event) || event.repeat) return;
    if (event.type === 'keydown') checkIn.enter(state.next, state.isAnyComing);
    else checkIn.entered();
  }

  function entry(index: number, row: Row) {
    const isHere = here.has(row.id);
    const isGone = !isComing(row);
    const isMarked = row === marked;
    const guest = added.get(row.id);
    const isLeaving = guest?.stands === 'leaving';
    return checkIn.row(row.id, [row, index, isHere, isGone, isMarked, guest], () => (
      <li id={`guest-${index}`} class={isGone ? 'gone' : isMarked && 'marked'}>
        <label onclick={click}>
          <span class="row">
            {person(row.name)}
            {row.of > 1 && <span class="hint">{` ${t('guests.nth', { n: row.nth, all: row.of })}`}</span>}
            {isGone && <span class="hint">{` ${t('guests.gone')}`}</span>}
            {guest?.item && !isLeaving && (
              <span class="hint">{` ${guest.item.refused ? guest.item.error?.words : t('guests.unconfirmed')}`}</span>
            )}
          </span>
          <input type="checkbox" checked={isHere} onclick={(event) => checkIn.tick(row, event)} />
        </label>
        {guest &&
          button(isLeaving ? t('yours.undo') : t('yours.remove'), (event) => checkIn.withdraw(guest, event), 'plain', {
            'aria-label': isLeaving ? t('yours.undoName', row) : t('yours.removeName', row),
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
            {t('guests.here', { n: state.arrived })}
            {!said && <span>{`${separator}${t('guests.toCome', { n: state.expected - state.arrived })}`}</span>}
          </h1>
          <p id="last" onmousedown={stay}>
            <span role="status" class={!said && 'unseen'}>
              {said || (search && t('guests.found', { n: found.length, all: all.length }))}
            </span>
            {said && !isAll && [separator, button(t('guests.undo'), checkIn.undo, 'plain', { id: 'undo' })]}
          </p>
        </div>
        <div class="field" role="search">
          {searchField(search, checkIn.search, t('guests.findOrAdd'), nameError(search), onkey)}
        </div>
        <svg viewBox={`0 0 ${state.expected || 1} 1`} preserveAspectRatio="none" aria-hidden="true">
          <path d={`M0 0h${state.arrived}v1H0z`} />
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
        {(state.signedUp > 0 || state.isOutdated) &&
          button(
            state.signedUp ? t('guests.arrived', { n: state.signedUp }) : t('guests.renew'),
            checkIn.renew,
            'secondary',
            { id: 'renew' },
          )}
        {asOf && <p>{asOfLine(asOf)}</p>}
        {hint && isKept && <p>{t('guests.ticks')}</p>}
        {!isKept && notice('bad', <p>{t('guests.notKept')}</p>)}
      </div>
    </div>,
  ];
}
