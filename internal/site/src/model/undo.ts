// A guest can undo a withdrawal for some seconds, until the page is hidden, as a phone may then end the browser.
import { onHide } from '../lib/dom';
import type { SavedRSVP } from './saved';
import { known } from './events';
import { readItem } from './items';
import { add, drop, sendEarly, unsent } from './outbox';

export const undoTime = 20_000; // milliseconds

/** The ids of withdrawals that this page has added. */
const ofThisPage: Set<string> = new Set();

const undoable = () => unsent().filter(({ id, early }) => early && ofThisPage.has(id));

export function addWithdrawal(rsvp: SavedRSVP) {
  ofThisPage.add(rsvp.rsvpToken);
  const before = known(rsvp.eventToken)?.event.attendeeCount;
  add({ ...rsvp, id: rsvp.rsvpToken, kind: 'withdraw', before, due: Date.now() + undoTime });
}

/** Undoes a withdrawal if its request has not begun, whatever the clock says. Reports whether the undo succeeded. */
export function undo(id: string) {
  const item = readItem(id);
  const isEarly = item?.kind === 'withdraw' && Boolean(item.due);
  if (isEarly) drop(id);
  return isEarly;
}

export function endUndo() {
  for (const { id } of undoable()) sendEarly(id);
}

onHide(endUndo);
