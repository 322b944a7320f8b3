// A cancelled event has moved if its reason ends with the link to another event that accepts RSVPs. lib/events.ts
// then sets `to`. The service knows no moves; internal/site/move.go has the same rule.
import type { EventDetails } from './api';
import { isUUID } from './guards';
import { simplified } from './text';

/**
 * The target of a move, whose address is the last line of a reason, and why: the text before the last blank
 * line. An event does not move to itself.
 * @param pages the beginning of the addresses of the site's events
 * @param own token of the event with the reason
 */
export function movedTo(reason: string, pages: string, own: string) {
  const [, before = '', link = ''] = /^([^]*\n|)[ \t]*(\S+)[ \t\n]*$/.exec(reason.replace(/\r\n?/g, '\n')) ?? [];
  const token = link.startsWith(pages) ? link.slice(pages.length).toLowerCase() : '';
  if (!isUUID(token) || token === own) return null;
  const [, why = ''] = /^([^]*)\n[ \t]*\n/.exec(before) ?? [];
  return { token, why: why.replace(/[ \t\n]+$/, '') };
}

/** The target of a move, else the event itself. */
export const newest = (event: EventDetails) => event.to ?? event;

/** The most important change. */
export function changeOf(event: EventDetails) {
  const to = newest(event);
  if (Date.parse(event.dateTime) !== Date.parse(to.dateTime)) return 'date';
  return to.location && to.location !== event.location ? 'place' : 'anew';
}

/** Whether readers see the same title on both events. */
export const sameTitle = (event: EventDetails) => simplified(event.title) === simplified(newest(event).title);
