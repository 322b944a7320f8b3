// @ts-check
// A cancelled event has moved if its reason ends with the link to another event that accepts RSVPs. lib/events.js
// then sets `to`. The service knows no moves; internal/site/move.go has the same rule.
import { isUUID } from './saved';
import { simplified } from './text';

/** @typedef {import('./api').EventDetails} EventDetails */

/**
 * The target of a move, whose address is the last line of a reason, and why: the text before the last blank
 * line. An event does not move to itself.
 * @param {string} reason
 * @param {string} pages the beginning of the addresses of the site's events
 * @param {string} own token of the event with the reason
 */
export function movedTo(reason, pages, own) {
  const [, before = '', link = ''] = /^([^]*\n|)[ \t]*(\S+)[ \t\n]*$/.exec(reason.replace(/\r\n?/g, '\n')) ?? [];
  const token = link.startsWith(pages) ? link.slice(pages.length).toLowerCase() : '';
  if (!isUUID(token) || token === own) return null;
  const [, why = ''] = /^([^]*)\n[ \t]*\n/.exec(before) ?? [];
  return { token, why: why.replace(/[ \t\n]+$/, '') };
}

/** The target of a move, else the event itself. @param {EventDetails} event */
export const newest = (event) => event.to ?? event;

/** The most important change. @param {EventDetails} event */
export function changeOf(event) {
  const to = newest(event);
  if (Date.parse(event.dateTime) !== Date.parse(to.dateTime)) return 'date';
  return to.location && to.location !== event.location ? 'place' : 'anew';
}

/** Whether readers see the same title on both events. @param {EventDetails} event */
export const sameTitle = (event) => simplified(event.title) === simplified(newest(event).title);
