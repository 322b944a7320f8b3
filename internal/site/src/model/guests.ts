// The guests of this device, with the state of each RSVP: guests signed up here, or their own links were opened here. A
// guest consists of a saved RSVP, an item of the outbox, or both.
import type { EventDetails } from './event';
import { isOfGuest } from './items';
import { unsent, type Shown } from './outbox';
import { allRSVPs, type SavedRSVP } from './saved';
import { sameName } from '../lib/text';

/** A yes or a withdrawal. */
export type GuestItem = Extract<Shown, { kind: 'rsvp' | 'withdraw' }>;

type Common = {
  eventToken: string;
  name: string;
  /** the number of a walk-in among walk-ins with the same name; undefined for other guests */
  nth: number | undefined;
};

/** sending: the yes is being sent; late: an attempt has failed, or its response is late */
type Pending = Common & { stands: 'sending' | 'late'; rsvp: null; item: GuestItem };
/** The service has refused the yes. */
type Refused = Common & { stands: 'refused'; rsvp: null; item: GuestItem };
/** in: the service has stored the RSVP; linked: a guest's own link was opened here, which the service has to confirm */
export type OnList = Common & { stands: 'in' | 'linked'; rsvp: SavedRSVP; item: GuestItem | null };
/** The withdrawal can still be undone. */
type Leaving = Common & { stands: 'leaving'; rsvp: SavedRSVP; item: GuestItem };
/** The withdrawal is being sent. */
type Withdrawing = Common & { stands: 'withdrawing'; rsvp: SavedRSVP | null; item: GuestItem };
/** The RSVP was withdrawn elsewhere. The page says this until the visitor dismisses the message. */
type Gone = Common & { stands: 'gone'; rsvp: SavedRSVP; item: GuestItem | null };

/** Any guest of this device. If a guest on the list has an `item`, it is a refused withdrawal. */
export type Guest = Pending | Refused | OnList | Leaving | Withdrawing | Gone;

/** The source of a guest: a saved RSVP, perhaps with its withdrawal, or an item without a saved RSVP. */
type Source = { rsvp: SavedRSVP; item: GuestItem | null } | { rsvp: null; item: GuestItem };

function standing({ rsvp, item }: Source): Guest['stands'] {
  if (item?.kind === 'withdraw' && !item.refused) return rsvp && item.early ? 'leaving' : 'withdrawing';
  if (rsvp?.gone) return 'gone';
  if (rsvp) return rsvp.byLink ? 'linked' : 'in';
  if (item.refused) return 'refused';
  return item.error ? 'late' : 'sending';
}

/** Lists guests and walk-ins: saved RSVPs in the order of their addition, then items without a saved RSVP. */
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

/** The guests of one event, or of all events. */
export const guestsHere = (eventToken?: string) => all(eventToken).filter(({ nth }) => !nth);

/** The walk-ins: guests whom an organizer has added on this device during the check-in. */
export const walkInsHere = (eventToken: string) => all(eventToken).filter(({ nth }) => nth);

/** Whether a guest is on the list, with no withdrawal under way. */
export const isOnList = (guest: Guest): guest is OnList => guest.stands === 'in' || guest.stands === 'linked';

/** Whether the service has neither stored nor refused a guest's yes. */
export const isPending = (guest: Guest): guest is Pending => guest.stands === 'sending' || guest.stands === 'late';

/** Whether two guests have signed up in one form, and the service has neither stored nor refused one guest's yes. */
export const isHalfSent = (guests: Guest[]) =>
  guests.some((guest) => isPending(guest) && guest.item.kind === 'rsvp' && guest.item.both);

/** Subtracts leaving guests from the count, except after a failed attempt, which the service may have counted. */
export function counted(event: EventDetails, guests: Guest[]): EventDetails {
  const fewer = guests.filter(({ stands, item }) => ['leaving', 'withdrawing'].includes(stands) && !item?.error).length;
  return { ...event, attendeeCount: Math.max(0, event.attendeeCount - fewer) };
}

/** The guests of the old event who have not said yes to the new event. Guests of both are compared by name. */
export function unanswered<One extends Guest>(guests: One[], there: Guest[]) {
  const names = there.filter((guest) => isOnList(guest) || guest.item?.kind === 'rsvp').map(({ name }) => name);
  return guests.filter((guest) => {
    const index = names.findIndex((name) => sameName(name, guest.name));
    if (index >= 0) names.splice(index, 1);
    return index < 0;
  });
}
