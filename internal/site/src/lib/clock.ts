// The service's time is this device's clock plus the skew from each answer's Date header. Timers (Undo, retries) stay
// on the device's clock.

const slack = 1000; // milliseconds: Date has whole seconds

/** The skew by the last response. Before the first one, `early` is the skew by the page's HTML. */
let skew: number | undefined;
let early = 0;

let answered = () => {};
export const synchronized = new Promise<void>((resolve) => void (answered = resolve));

/** The service's time at a moment of this device's clock. */
export const serviceTime = (moment: number) => moment + (skew ?? early);

export const now = () => serviceTime(Date.now());

/** Sets the clock until the first answer. */
export const startAt = (at: number) => void (early = at - Date.now());

/** @param date the header of an answer @param asked when the request began, by this device's clock */
export function correct(date: string | null, asked: number) {
  const received = Date.now();
  const measured = Date.parse(date ?? '') + 500 - (asked + received) / 2;
  if (Number.isNaN(measured)) return;
  skew ??= 0;
  if (Math.abs(measured - skew) > slack + (received - asked) / 2) skew = measured;
  answered();
}

export const minute = 60_000;
export const day = 24 * 60 * minute;
