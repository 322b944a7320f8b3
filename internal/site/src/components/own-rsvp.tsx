import type { Known } from '../model/events';
import { h, type keptRows } from '../lib/dom';
import { t } from '../lib/i18n';
import { isHalfSent, isOnList, type Guest } from '../model/guests';
import { dismissStranger } from '../model/refresh';
import { exportSaved, outlives, type SavedRSVP } from '../model/saved';
import { asOne, guestsIn } from '../lib/text';
import { button } from './buttons';
import { notice } from './notice';

/** The facts of the stores about an event and its guests on this device. */
export type PanelFacts = Pick<Known, 'event' | 'asOf'> & {
  guests: Guest[];
  /** this device's guests of the event to which this event has moved */
  there: Guest[];
  /** whether a link was opened here whose RSVP the service does not know */
  stranger: boolean;
};
/** The state of the page itself. */
export const newPanel = {
  /** whether the service no longer accepts RSVPs */
  closed: false,
  /** whether a guest has just withdrawn */
  thanks: false,
  /** the text of the field for the name */
  name: '',
  /** the error of the field for the name */
  error: '',
  /** how many of the last strokes are new */
  fresh: 0,
  /** the number of the guest who signed up on this page; 0 if the number is not known */
  number: 0,
};
export type PanelOwn = typeof newPanel;
export type PanelActions = {
  type: (name: string) => unknown;
  submit: () => unknown;
  /** notes that the name stands for one guest */
  keepWhole: () => unknown;
  /** asks the service once more */
  again: () => unknown;
  /** called once a notice is removed */
  dismissed: () => unknown;
  withdraw: (rsvp: SavedRSVP) => unknown;
  undo: (rsvp: SavedRSVP) => unknown;
};
/** `row` keeps the rows of guests, because each response draws the page and a device may have hundreds of guests. */
export type Panel = PanelFacts & PanelOwn & PanelActions & { row: ReturnType<typeof keptRows> };

/**
 * The guests with a row: guests on the list, and guests whose withdrawal can be undone. Two guests of one form get rows
 * once both have a response.
 */
export const rowsOf = ({ guests }: Pick<Panel, 'guests'>) =>
  isHalfSent(guests) ? [] : guests.filter((guest) => isOnList(guest) || guest.stands === 'leaving');

/** The guests whose withdrawal is being sent. */
export const withdrawing = ({ guests }: Pick<Panel, 'guests'>) =>
  guests.filter(({ stands }) => stands === 'withdrawing');

/** The names in the form. Only the first form splits two names; the form for companions takes one name. */
export const namesIn = (panel: Pick<Panel, 'guests' | 'name'>) =>
  rowsOf(panel).length ? [asOne(panel.name)] : guestsIn(panel.name);

export const rowOf = (rsvpToken: string) => `rsvp-${rsvpToken}`;

/** A name whose withdrawal can still be undone. */
export const leaving = (
  rsvp: SavedRSVP,
  { isComing, isTitle = false }: { isComing: boolean; isTitle?: boolean },
  undo: PanelActions['undo'],
) => (
  <li id={rowOf(rsvp.rsvpToken)} class="line leaving">
    {h(
      isTitle ? 'h2' : 'span',
      { class: 'user', id: isTitle && 'yours-title' },
      isComing ? t('withdraw.leaving', { name: rsvp.name }) : t('withdraw.soon', { name: rsvp.name }),
    )}
    {button(t('yours.undo'), () => undo(rsvp), 'secondary', {
      'aria-label': isComing && t('yours.undoName', { name: rsvp.name }),
    })}
  </li>
);

export const notKept = () =>
  !outlives() && notice('bad', <p>{t('yours.notKept')}</p>, button(t('mine.export'), exportSaved));

/** Says that a link belongs to nobody on the list. The notice shows no text of the link. */
export const strangerNotice = ({ event, stranger, dismissed }: Panel) =>
  stranger &&
  notice(
    'bad',
    <p>{t('yours.stranger')}</p>,
    button(t('outbox.dismiss'), () => {
      dismissStranger(event.eventToken);
      dismissed();
    }),
  );
