// @ts-check
// The service's time: this device's clock plus its skew, which the Date of each answer gives. What is
// waited for (Undo, retries) stays on the device's clock.

const slack = 1000; // milliseconds: Date has whole seconds

let skew = 0;
let corrected = false;
/** By the HTML of the page, until an answer corrects it. */
let early = 0;

/** @type {() => void} */
let resolveSynchronized;
/** Resolves with the first answer. @type {Promise<void>} */
export const synchronized = new Promise((resolve) => { resolveSynchronized = resolve; });

/** The service's time at a moment of this device's clock. @param {number} moment */
export const serviceTime = (moment) => moment + (corrected ? skew : early);

export const now = () => serviceTime(Date.now());

/** Until there is an answer, it is the time of the page's HTML. @param {number} at */
export const startAt = (at) => { early = at - Date.now(); };

/**
 * @param {string | null} date the header of an answer
 * @param {number} asked when it was asked for, by this device's clock
 */
export function correct(date, asked) {
  const received = Date.now();
  const measured = Date.parse(date ?? '') + 500 - (asked + received) / 2;
  if (Number.isNaN(measured)) return;
  if (Math.abs(measured - skew) > slack + (received - asked) / 2) skew = measured;
  corrected = true;
  resolveSynchronized();
}
