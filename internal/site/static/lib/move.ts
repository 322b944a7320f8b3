// A cancelled event has moved if at most three moves lead from it to one that accepts RSVPs. lib/events.ts then sets
// `to`, as internal/site/move.go does for the page.
import type { EventDetails } from './api';
import { simplified } from './text';

/** The target of a move, else the event itself. */
export const newest = (event: EventDetails) => event.to ?? event;

/**
 * Why an event was cancelled, without the lines that name the event that it has moved to: they are for readers of the
 * API.
 */
export function reasonOf({ cancellationReason, movedTo }: EventDetails) {
  const reason = cancellationReason ?? '';
  if (!movedTo) return reason;
  const lines = reason.split(/\r\n?|\n/).filter((line) => !line.toLowerCase().includes(movedTo));
  return lines.join('\n').trim();
}

/** The most important change. */
export function changeOf(event: EventDetails) {
  const to = newest(event);
  if (Date.parse(event.dateTime) !== Date.parse(to.dateTime)) return 'date';
  return to.location && to.location !== event.location ? 'place' : 'anew';
}

/** Whether readers see the same title on both events. */
export const sameTitle = (event: EventDetails) => simplified(event.title) === simplified(newest(event).title);
