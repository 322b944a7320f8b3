// Sends each kind of item, and stores the result.
import { APIError, cancelEvent, cancelRSVP, createEvent, createRSVP, getEvent } from './api';
import { keepDraft, reasonDraft } from './drafts';
import type { EventDetails } from './event';
import { amendItem, readItem, writeItem, type Announcement, type Change, type Item, type OfKind } from './items';
import { forget, isSaved, rsvpOf, save, type SavedEvent } from './saved';

/** The part of a response that pages need. `cancelled` has members of the cancelled event. */
export type Answer = { cancelled?: Partial<EventDetails> };

async function rsvp(item: OfKind<'rsvp'>) {
  const { eventToken, id, name, nth } = item;
  if (item.unwanted) return withdrawUnanswered(item);
  const made = await createRSVP(eventToken, name, id);
  const now = readItem(id);
  if (!now) {
    // This device has dropped the guest: withdraw the new RSVP, unless another tab has saved this RSVP.
    if (!nth && !isSaved(eventToken, made.rsvpToken)) writeItem({ ...item, unwanted: true, hidden: true });
  } else if (!now.hidden) {
    save({ rsvps: [{ ...rsvpOf(item, made), nth, at: item.at }] }); // two guests stay in the order of their names
  }
}

/** Repeats an RSVP's request to learn its token, then withdraws the RSVP. If the repeat is refused, no RSVP exists. */
async function withdrawUnanswered({ eventToken, name, id }: OfKind<'rsvp'>) {
  try {
    const { rsvpToken } = await createRSVP(eventToken, name, id);
    await cancelRSVP(eventToken, rsvpToken);
    forget(eventToken, rsvpToken); // another tab may have saved the RSVP meanwhile
  } catch (error) {
    if (!(error instanceof APIError) || !error.final) throw error;
  }
}

async function withdraw({ eventToken, id }: OfKind<'withdraw'>) {
  await cancelRSVP(eventToken, id);
  forget(eventToken, id);
}

async function announce({ body, id, draft: name }: Announcement) {
  save({ events: [{ ...(await createEvent(body, id)), key: id }] });
  keepDraft(name, null);
}

/** Cancels an event. If another device has cancelled the event before, the result has that device's reason. */
async function cancel(item: OfKind<'cancel'>) {
  const { eventToken, reason, id } = item;
  let cancelled: Answer['cancelled'] = { cancellationReason: reason || null };
  try {
    await cancelEvent(item, reason, id);
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== 'event-already-cancelled') throw error;
    const { cancellationReason = null, movedTo } = await getEvent(eventToken);
    cancelled = { cancellationReason, movedTo };
  }
  keepDraft(reasonDraft(eventToken), null);
  return { cancelled };
}

async function change(item: Change) {
  /** Stores the progress, and takes over the progress that another tab has stored. */
  const keep = (more: Partial<Change>) => {
    amendItem(item.id, more);
    Object.assign(item, readItem(item.id), more);
  };
  if (!item.begun) {
    // Since the form was opened, another device may have changed or cancelled the old event.
    const { cancelled, attendeeCount } = await getEvent(item.eventToken);
    if (cancelled) throw new APIError('answer', { status: 409, code: 'event-cancelled', final: true });
    keep({ begun: true, before: attendeeCount });
  }
  const created = item.created ?? (await createEvent(item.body, item.createKey));
  if (!item.created) {
    save({ events: [{ ...created, key: item.createKey, before: item.before }] });
    keep({ created });
  }
  await cancelOld(item, created);
  keepDraft(item.draft, null);
  return { cancelled: { cancellationReason: item.reason || null, movedTo: created.eventToken } };
}

/** Cancels the old event. If the service refuses, the new event still exists. */
async function cancelOld(item: Change, created: SavedEvent) {
  try {
    await cancelEvent(item, item.reason ?? '', item.cancelKey, created.eventToken);
  } catch (error) {
    if (!(error instanceof APIError) || !error.final) throw error;
    const { status } = error;
    const ended = status === 404 ? 'gone' : [409, 422].includes(status) ? await leadsTo(item, created) : 'refused';
    if (ended) throw new APIError('answer', { status, code: `change-${ended}`, final: true });
  }
}

/** Returns "" if the old event has moved to the new event, "gone" if the old event does not exist, or else "other". */
async function leadsTo(old: Change, { eventToken: to }: SavedEvent) {
  try {
    const { movedTo } = await getEvent(old.eventToken);
    return movedTo === to ? '' : 'other';
  } catch (error) {
    if (error instanceof APIError && error.kind === 'missing') return 'gone';
    throw error;
  }
}

/**
 * Each function sends an item so that a repeat is safe, stores the result, and resolves to the response. A final
 * APIError ends the item. After any other APIError the outbox sends the item again.
 */
export const handlers: { [Kind in Item['kind']]: (item: OfKind<Kind>) => Promise<Answer | void> } = {
  rsvp,
  withdraw,
  announce,
  cancel,
  change,
};
