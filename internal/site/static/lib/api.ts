import { correct } from './time';
import { has, isFlag, isNumber, isText, isUUID, listOf, maybe, type Guard, type Guarded } from './guards';
import { t } from './i18n';
import { simplified } from './text';

export const moment = { title: isText, dateTime: isText, timezone: isText };
export const ofOrganizer = { ...moment, location: maybe(isText), host: maybe(isText), description: maybe(isText) };
export const isNewEvent = has(ofOrganizer);
export type NewEvent = Guarded<typeof isNewEvent>;

/** The text before a date, the date without the weekday, and the text after it. */
const isMoment = (value: unknown): value is [string, string, string] => listOf(isText)(value) && value.length === 3;

/** The server's words for an event's date and time, in the language of the tag; closes is the last day with RSVPs. */
const isWords = has({ tag: isText, when: isMoment, whenWithYear: isMoment, date: isText, closes: isText });
export type Words = Guarded<typeof isWords>;

export const isDetails = has({
  ...ofOrganizer,
  eventToken: isUUID,
  attendeeCount: isNumber,
  words: maybe(isWords),
  cancelled: isFlag,
  movedTo: maybe(isUUID),
  cancellationReason: (value): value is string | null | undefined => maybe(isText)(value) || value === null,
});
/**
 * `to` is the event that it has moved to, with the old facts while it is `unread`. lib/events.ts adds it if at most three
 * moves lead to an event that accepts RSVPs, as internal/site/move.go does.
 */
export type EventDetails = Guarded<typeof isDetails> & { to?: EventDetails | undefined; unread?: boolean };

/** The target of its move, else the event itself. */
export const newest = (event: EventDetails) => event.to ?? event;

export function changeOf(event: EventDetails) {
  const to = newest(event);
  if (Date.parse(event.dateTime) !== Date.parse(to.dateTime)) return 'date';
  return to.location && to.location !== event.location ? 'place' : 'anew';
}

/** Whether readers see the same title on both events. */
export const sameTitle = (event: EventDetails) => simplified(event.title) === simplified(newest(event).title);

export const isFieldError = has({ field: isText, message: isText });
type FieldError = Guarded<typeof isFieldError>;
const isProblem = has({ type: isText });
const isInvalid = has({ fieldErrors: listOf(isFieldError) });
const kinds = ['offline', 'lost', 'throttled', 'busy', 'large', 'missing', 'answer'] as const;
export type Kind = (typeof kinds)[number];
export const isKind = (value: unknown): value is Kind => kinds.some((kind) => kind === value);

// A write is sent even if the page is left meanwhile (keepalive). Browsers refuse that beyond 64 KiB of pending bodies.
const mostKeptAlive = 60 * 1024;
let keptAlive = 0;

/**
 * A failed request. If `final`, the service itself, not a gateway, has refused it and would do so again; otherwise it
 * may have carried it out. `retryAfter` is in seconds.
 */
export class APIError extends Error {
  readonly status: number = 0;
  readonly code: string = '';
  readonly fieldErrors: FieldError[] = [];
  readonly final: boolean = false;
  readonly retryAfter: number = 0;
  readonly kind: Kind;

  constructor(kind: Kind, more: Partial<APIError> = {}) {
    super(kind);
    Object.assign(this, more);
    this.kind = kind;
  }

  get words() {
    const texts: Record<string, string> = {
      'event-cancelled': t('event.cancelled'),
      'event-expired': t('event.closed'),
      'change-other': t('change.other'),
      'change-gone': t('change.gone'),
      'change-refused': t('change.refused'),
      offline: '', // the page says so
      lost: t('failure.lost'),
      throttled: t('failure.throttled'),
      busy: t('failure.busy'),
      large: t('failure.large'),
      missing: t('failure.missing'),
    };
    return texts[this.code] ?? texts[this.kind] ?? t('failure.status', { status: this.status });
  }
}

const kindByStatus: Record<number, Kind> = { 413: 'large', 429: 'throttled', 503: 'busy' };

const success: Record<string, number> = { GET: 200, POST: 201, PATCH: 204, DELETE: 204 };

/** A 204 has no body. */
const isEmpty = (body: unknown) => body === '';

/** As AbortSignal.timeout, which Safari has from version 16 on. */
export function timeout(milliseconds: number) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

/** @param path below /api/events @param isExpected whether an answer is the service's @param key Idempotency-Key */
export async function request<Data>(method: string, path: string, isExpected: Guard<Data>, body?: unknown, key = '') {
  // Only a hint: a browser that is offline still reaches its own machine.
  const offline = !navigator.onLine;
  const content = body ? JSON.stringify(body) : '';
  const { size } = new Blob([content]);
  const keepalive = method !== 'GET' && keptAlive + size <= mostKeptAlive;
  if (keepalive) keptAlive += size;
  const asked = Date.now();
  let response;
  let data: unknown;
  try {
    response = await fetch(`/api/events${path}`, {
      method,
      headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...(key ? { 'Idempotency-Key': key } : {}) },
      body: content || null,
      signal: timeout(30_000),
      cache: 'no-store',
      credentials: 'omit',
      keepalive,
    });
    const text = await response.text();
    data = text && JSON.parse(text);
  } catch {
    // No answer, an incomplete one, or a foreign page.
    if (!response || response.ok) throw new APIError(!response && offline ? 'offline' : 'lost');
  } finally {
    if (keepalive) keptAlive -= size;
  }
  const { status } = response;
  const date = response.headers.get('Date');
  if (status === success[method] && isExpected(data)) {
    if (data) correct(date, asked); // an empty answer may be a proxy's
    return { data, headers: response.headers };
  }
  // A proxy or a captive portal may answer with success.
  if (response.ok) throw new APIError('lost');
  const code = isProblem(data) ? data.type.split(':').pop() : undefined;
  if (code !== undefined) correct(date, asked);
  const final = status < 500 && status !== 429 && code !== undefined;
  throw new APIError(final && status === 404 ? 'missing' : (kindByStatus[status] ?? 'answer'), {
    status,
    code: code ?? '',
    fieldErrors: isInvalid(data) ? data.fieldErrors : [],
    final,
    retryAfter: secondsOf(response.headers.get('Retry-After') ?? ''),
  });
}

/** Retry-After is in seconds or a date (RFC 9110). At most a day: a clock may be wrong, and timers end at 24 days. */
const secondsOf = (after: string) =>
  Math.min(Number(after) || Math.max(0, (Date.parse(after) - Date.now()) / 1000) || 0, 86_400);

export const secret = (organizerToken: string) => `?organizerToken=${encodeURIComponent(organizerToken)}`;

const isCreated = has({ ...moment, eventToken: isUUID, organizerToken: isUUID });
export const createEvent = async (event: NewEvent, key: string) =>
  (await request('POST', '', isCreated, event, key)).data;

/** RFC 3339 allows t and z in lower case; Date.parse need not accept them. */
export async function getEvent(eventToken: string): Promise<EventDetails> {
  const { data } = await request('GET', `/${eventToken}`, isDetails);
  return { ...data, dateTime: data.dateTime.toUpperCase() };
}

const isRSVP = has({ rsvpToken: isUUID, name: isText });
export const createRSVP = async (eventToken: string, name: string, key: string) =>
  (await request('POST', `/${eventToken}/rsvps`, isRSVP, { name }, key)).data;

const isNamed = has({ name: isText });
export const getRSVP = async (eventToken: string, rsvpToken: string) =>
  (await request('GET', `/${eventToken}/rsvps/${rsvpToken}`, isNamed)).data;

export const cancelRSVP = (eventToken: string, rsvpToken: string) =>
  request('DELETE', `/${eventToken}/rsvps/${rsvpToken}`, isEmpty);

/** @param movedTo the token of the event that takes its place */
export function cancelEvent(
  { eventToken, organizerToken }: { eventToken: string; organizerToken: string },
  reason: string,
  key: string,
  movedTo?: string,
) {
  const body = { cancelled: true, cancellationReason: reason || undefined, movedTo };
  return request('PATCH', `/${eventToken}${secret(organizerToken)}`, isEmpty, body, key);
}
