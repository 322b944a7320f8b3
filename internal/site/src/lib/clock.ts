// The service's time is this device's clock plus the skew measured by the Date header of responses. Timers (Undo,
// retries) use this device's clock.

const slack = 1000; // milliseconds: Date has whole seconds

/** The skew measured by the last response. Before the first response, `early` is the least skew by the page's HTML. */
let skew: number | undefined;
let early = 0;

let answered = () => {};
export const synchronized = new Promise<void>((resolve) => void (answered = resolve));

/** Converts a time of this device's clock into the service's time. */
export const serviceTime = (moment: number) => moment + (skew ?? early);

export const now = () => serviceTime(Date.now());

/** Until the first response, the service's time is not before `at`. HTML from a cache may have any age. */
export const notBefore = (at: number) => void (early = Math.max(0, at - Date.now()));

/** @param date the Date header of a response @param asked when the request began, by this device's clock */
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
