// @ts-check
// The details of an event, from the service or from this device's copy.
import { APIError, getEvent } from './api.js';
import { copyOf, keepCopy } from './event-data.js';

/** @typedef {import('./api.js').EventDetails} EventDetails */

/**
 * Asks the service, and stores its answer if the event is on the list of this device.
 * @param {string} eventToken
 */
export async function readEvent(eventToken) {
  const event = await getEvent(eventToken);
  keepCopy(event);
  return event;
}

/**
 * `at` is the time of a stored answer, `error` why there is no newer one; `late` is the one that may still arrive.
 * @typedef {{ at: number, error: APIError, late: Promise<EventDetails> | null }} AsOf
 */

const patience = 4000;

/**
 * The event, or this device's copy of it if the service fails or takes longer than four seconds.
 * @param {string} eventToken
 * @returns {Promise<{ event: EventDetails, asOf: AsOf | null }>}
 */
export async function eventOrCopy(eventToken) {
  const asked = readEvent(eventToken);
  const copy = copyOf(eventToken);
  if (!copy) return { event: await asked, asOf: null };
  const tooLate = new APIError('lost');
  const late = new Promise((_, fail) => { setTimeout(fail, patience, tooLate); });
  try {
    return { event: await Promise.race([asked, late]), asOf: null };
  } catch (error) {
    if (!(error instanceof APIError) || error.kind === 'missing') throw error;
    return { event: copy.event, asOf: { at: copy.at, error, late: error === tooLate ? asked : null } };
  }
}
