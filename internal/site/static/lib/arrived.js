// @ts-check
import { byId } from './dom.js';

/**
 * The event in the HTML of the page. The first call returns it, later ones null.
 * @param {string} eventToken
 * @returns {import('./api.js').EventDetails | null}
 */
export function takeArrived(eventToken) {
  const element = byId('event');
  element?.remove();
  const event = JSON.parse(element?.textContent ?? 'null');
  return event?.eventToken === eventToken ? { ...event, dateTime: event.dateTime.toUpperCase() } : null;
}
