// The API over HTTP.
import { wellFormed } from '../lib/text';
import { correct } from '../lib/clock';
import { isDetails, listed, type EventDetails, type NewEvent } from './event';
import { type Guard, type Guarded, has, isText, isUUID, listOf } from '../lib/guards';
import { t } from '../lib/i18n';

export const isFieldError = has({ field: isText, message: isText });
type FieldError = Guarded<typeof isFieldError>;
const isProblem = has({ type: isText });
const isInvalid = has({ fieldErrors: listOf(isFieldError) });
const kinds = ['offline', 'lost', 'throttled', 'busy', 'large', 'missing', 'login', 'answer'] as const;
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
      login: t('failure.login'),
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
  const content = body ? JSON.stringify(body, (_, value: unknown) => (isText(value) ? wellFormed(value) : value)) : '';
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
      redirect: 'manual', // to a login of a proxy, which needs the page
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
  const { status, type } = response;
  const isLogin = status === 401 || type === 'opaqueredirect';
  const date = response.headers.get('Date');
  if (status === success[method] && isExpected(data)) {
    if (data) correct(date, asked); // an empty answer may be a proxy's
    return { data, headers: response.headers };
  }
  // A proxy or a captive portal may answer with success.
  if (response.ok) throw new APIError('lost');
  const code = isProblem(data) ? data.type.split(':').pop() : undefined;
  if (code !== undefined) correct(date, asked);
  // The form of an announcement keeps its draft: after a login it is sent anew.
  const final = isLogin ? !path : status < 500 && status !== 429 && code !== undefined;
  throw new APIError(isLogin ? 'login' : final && status === 404 ? 'missing' : (kindByStatus[status] ?? 'answer'), {
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

const isCreated = has({ ...listed, eventToken: isUUID, organizerToken: isUUID });
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
