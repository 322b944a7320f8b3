// The guests of this device: who has signed up here or by a link opened here, and how each stands. A guest is a saved
// RSVP, an item of the outbox, or both.
import type { EventDetails } from './event';
import { isOfGuest } from './items';
import { unsent, type Shown } from './outbox';
import { allRSVPs, type SavedRSVP } from './saved';

/** A yes or a withdrawal. */
export type GuestItem = Extract<Shown, { kind: 'rsvp' | 'withdraw' }>;

type Common = {
  eventToken: string;
  name: string;
  /** of a walk-in: the number among equal names */
  nth: number | undefined;
};

/** sending: the yes is on its way; late: an attempt has failed, or its response is late */
type Pending = Common & { stands: 'sending' | 'late'; rsvp: null; item: GuestItem };
/** The service has refused the yes. */
type Refused = Common & { stands: 'refused'; rsvp: null; item: GuestItem };
/** in: the service has stored the RSVP; linked: a guest's link was opened here, and the service has not confirmed it */
export type OnList = Common & { stands: 'in' | 'linked'; rsvp: SavedRSVP; item: GuestItem | null };
/** The withdrawal can still be undone. */
type Leaving = Common & { stands: 'leaving'; rsvp: SavedRSVP; item: GuestItem };
/** The withdrawal is being sent. */
type Withdrawing = Common & { stands: 'withdrawing'; rsvp: SavedRSVP | null; item: GuestItem };
/** The RSVP was withdrawn elsewhere; that is shown until it is dismissed. */
type Gone = Common & { stands: 'gone'; rsvp: SavedRSVP; item: GuestItem | null };

/** A guest. `item` of a guest on the list is a refused withdrawal. */
export type Guest = Pending | Refused | OnList | Leaving | Withdrawing | Gone;

/** A saved RSVP with its withdrawal, or an item without one. */
type Source = { rsvp: SavedRSVP; item: GuestItem | null } | { rsvp: null; item: GuestItem };

function standing({ rsvp, item }: Source): Guest['stands'] {
  if (item?.kind === 'withdraw' && !item.refused) return rsvp && item.early ? 'leaving' : 'withdrawing';
  if (rsvp?.gone) return 'gone';
  if (rsvp) return rsvp.byLink ? 'linked' : 'in';
  if (item.refused) return 'refused';
  return item.error ? 'late' : 'sending';
}

/** All guests and walk-ins: first the saved ones in the order of their addition, then items without an entry. */
function all(eventToken?: string): Guest[] {
  const items = unsent(eventToken).filter(isOfGuest);
  const rsvps = allRSVPs(eventToken);
  const byId = new Map(items.map((item) => [item.id, item]));
  const saved = new Set(rsvps.map(({ rsvpToken }) => rsvpToken));
  const sources: Source[] = [
    ...rsvps.map((rsvp) => ({ rsvp, item: byId.get(rsvp.rsvpToken) ?? null })),
    ...items.filter(({ id }) => !saved.has(id)).map((item) => ({ rsvp: null, item })),
  ];
  return sources.map((source) => {
    const { eventToken: of, name, nth } = source.rsvp ?? source.item;
    return { ...source, eventToken: of, name, nth, stands: standing(source) } as Guest;
  });
}

/** The guests of an event, or of all. */
export const guestsHere = (eventToken?: string) => all(eventToken).filter(({ nth }) => !nth);

/** The walk-ins: guests whom an organizer has added on this device during the check-in. */
export const walkInsHere = (eventToken: string) => all(eventToken).filter(({ nth }) => nth);

/** Whether a guest is on the list, and is not being withdrawn. */
export const isOnList = (guest: Guest): guest is OnList => guest.stands === 'in' || guest.stands === 'linked';

/** Whether the yes of a guest has no final answer. */
export const isPending = (guest: Guest): guest is Pending => guest.stands === 'sending' || guest.stands === 'late';

/** Whether one of two guests in one form has no final answer. */
export const isHalfSent = (guests: Guest[]) =>
  guests.some((guest) => isPending(guest) && guest.item.kind === 'rsvp' && guest.item.both);

/** Subtracts guests who leave from the count, unless an attempt has failed: the service may have counted that one. */
export function counted(event: EventDetails, guests: Guest[]): EventDetails {
  const fewer = guests.filter(({ stands, item }) => ['leaving', 'withdrawing'].includes(stands) && !item?.error).length;
  return { ...event, attendeeCount: Math.max(0, event.attendeeCount - fewer) };
}
