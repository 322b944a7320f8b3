// The service's time: this device's clock plus the skew computed from each answer's Date header.
// Timers (Undo, retries) stay on the device's clock.

const slack = 1000; // milliseconds: Date has whole seconds

let skew = 0;
let corrected = false;
/** From the page's HTML until the first answer. */
let early = 0;

let resolveSynchronized: () => void;
/** Resolves with the first answer. */
export const synchronized: Promise<void> = new Promise((resolve) => {
  resolveSynchronized = resolve;
});

/** The service's time at a moment of this device's clock. */
export const serviceTime = (moment: number) => moment + (corrected ? skew : early);

export const now = () => serviceTime(Date.now());

/** Sets the clock from the page's HTML, until the first answer. */
export const startAt = (at: number) => {
  early = at - Date.now();
};

/** @param date the header of an answer @param asked when the request began, by this device's clock */
export function correct(date: string | null, asked: number) {
  const received = Date.now();
  const measured = Date.parse(date ?? '') + 500 - (asked + received) / 2;
  if (Number.isNaN(measured)) return;
  if (Math.abs(measured - skew) > slack + (received - asked) / 2) skew = measured;
  corrected = true;
  resolveSynchronized();
}
