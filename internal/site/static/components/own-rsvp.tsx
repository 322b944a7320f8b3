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
export type PanelOwn = {
  /** whether the service no longer accepts RSVPs */
  closed: boolean;
  /** whether a guest has just withdrawn */
  thanks: boolean;
  /** the text of the name's field */
  name: string;
  /** of the name's field */
  error: string;
  /** of the guest who signed up on this page; 0 if it is not known */
  number: number;
};
export type PanelState = PanelFacts & PanelOwn;
export type PanelActions = {
  type: (name: string) => void;
  submit: () => void;
  /** says that the name stands for one guest */
  keepWhole: () => void;
  /** asks the service once more */
  again: () => unknown;
  /** called once a notice is gone */
  dismissed: () => void;
  withdraw: (rsvp: SavedRSVP) => void;
  undo: (rsvp: SavedRSVP) => void;
};

/** The names in the form: two only of those who say yes, not of whom they bring. */
export const namesIn = ({ rsvps, name }: Pick<PanelState, 'rsvps' | 'name'>) =>
  rsvps.length ? [asOne(name)] : guestsIn(name);

export const rowOf = (rsvpToken: string) => `rsvp-${rsvpToken}`;

/** A name whose withdrawal can still be undone. */
export const leaving = (
  { rsvp, isComing, isTitle = false }: { rsvp: SavedRSVP; isComing: boolean; isTitle?: boolean },
  actions: PanelActions,
) => (
  <li id={rowOf(rsvp.rsvpToken)} class="line leaving">
    {h(
      isTitle ? 'h2' : 'span',
      { class: 'user', id: isTitle && 'yours-title' },
      isComing ? t('withdraw.leaving', { name: rsvp.name }) : t('withdraw.done', { name: rsvp.name }),
    )}
    {button(t('yours.undo'), () => actions.undo(rsvp), 'secondary', {
      'aria-label': isComing && t('yours.undoName', { name: rsvp.name }),
    })}
  </li>
);

export const notKept = () =>
  !outlives() && notice('bad', <p>{t('yours.notKept')}</p>, button(t('mine.export'), exportSaved));

/** Names that were withdrawn elsewhere, until that is dismissed. */
export const withdrawnNotice = (rsvps: SavedRSVP[], dismissed: () => void) =>
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
