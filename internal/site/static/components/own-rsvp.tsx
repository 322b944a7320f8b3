import type { Known } from '../lib/events';
import type { Shown } from '../lib/outbox';
import { h, user } from '../lib/dom';
import { t } from '../lib/i18n';
import { exportSaved, forget, outlives, type SavedRSVP } from '../lib/saved';
import { asOne, guestsIn } from '../lib/text';
import { button } from './buttons';
import { notice } from './notice';

/** What stores know about an event, for its guests. */
export type PanelFacts = Pick<Known, 'event' | 'asOf'> & {
  /** made on this device, without those whose withdrawal is being sent; of two in one form, once both are answered */
  rsvps: SavedRSVP[];
  /** of the event in the outbox, and RSVPs to the one that it has moved to */
  items: Shown[];
  /** withdrawn elsewhere */
  withdrawn: SavedRSVP[];
};
/** What only the page knows. */
export const newPanel = {
  /** whether the service no longer accepts RSVPs */
  closed: false,
  /** whether a guest has just withdrawn */
  thanks: false,
  /** the text of the name's field */
  name: '',
  /** of the name's field */
  error: '',
  /** how many of the strokes are new */
  fresh: 0,
  /** of the guest who signed up on this page; 0 if it is not known */
  number: 0,
};
export type PanelOwn = typeof newPanel;
export type PanelActions = {
  type: (name: string) => unknown;
  submit: () => unknown;
  /** says that the name stands for one guest */
  keepWhole: () => unknown;
  /** asks the service once more */
  again: () => unknown;
  /** called once a notice is gone */
  dismissed: () => unknown;
  withdraw: (rsvp: SavedRSVP) => unknown;
  undo: (rsvp: SavedRSVP) => unknown;
};
export type Panel = PanelFacts & PanelOwn & PanelActions;

/** The names in the form: two only of those who say yes, not of whom they bring. */
export const namesIn = ({ rsvps, name }: Pick<Panel, 'rsvps' | 'name'>) =>
  rsvps.length ? [asOne(name)] : guestsIn(name);

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
      isComing ? t('withdraw.leaving', { name: rsvp.name }) : t('withdraw.done', { name: rsvp.name }),
    )}
    {button(t('yours.undo'), () => undo(rsvp), 'secondary', {
      'aria-label': isComing && t('yours.undoName', { name: rsvp.name }),
    })}
  </li>
);

export const notKept = () =>
  !outlives() && notice('bad', <p>{t('yours.notKept')}</p>, button(t('mine.export'), exportSaved));

/** Names that were withdrawn elsewhere, until that is dismissed. */
export const withdrawnNotice = (rsvps: SavedRSVP[], dismissed: () => unknown) =>
  rsvps.length > 0 &&
  notice(
    'bad',
    <p>{t('yours.withdrawn')}</p>,
    ...rsvps.map(({ name }) => user(name, 'p')),
    button(t('outbox.dismiss'), () => {
      for (const { eventToken, rsvpToken } of rsvps) forget(eventToken, rsvpToken);
      dismissed();
    }),
  );
