// Requests to the API.
import { wellFormed } from '../lib/text';
import { correct } from '../lib/clock';
import { setOffline } from '../lib/connection';
import { dated, isDetails, listed, type EventDetails, type NewEvent } from './event';
import { type Guard, type Guarded, has, isText, isUUID, listOf } from '../lib/guards';
import { t } from '../lib/i18n';

export const isFieldError = has({ field: isText, message: isText });
type FieldError = Guarded<typeof isFieldError>;
const isProblem = has({ type: isText });
const isInvalid = has({ fieldErrors: listOf(isFieldError) });
const kinds = ['offline', 'lost', 'throttled', 'busy', 'large', 'missing', 'login', 'answer'] as const;
export type Kind = (typeof kinds)[number];
export const isKind = (value: unknown): value is Kind => kinds.some((kind) => kind === value);

// With keepalive, a write is sent even if the visitor leaves the page. Browsers refuse more than 64 KiB of such bodies.
const mostKeptAlive = 60 * 1024;
let keptAlive = 0;

/**
 * A failed request. If `final`, the service itself, not a gateway, has refused the request and would refuse a repeat.
 * Otherwise the service may have carried the request out. `retryAfter` is in seconds.
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
      'list-too-long': t('failure.list'),
      offline: '', // the page shows its own message while offline
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

/** Accepts the empty body of a 204. */
const isEmpty = (body: unknown) => body === '';

/** Does the work of AbortSignal.timeout, which Safari lacks before version 16. */
function timeout(milliseconds: number) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

/** @param path below /api/events @param isExpected guards the response's data @param key the Idempotency-Key */
export async function request<Data>(method: string, path: string, isExpected: Guard<Data>, body?: unknown, key = '') {
  // Offline is only a hint: send the request anyway.
  const hint = !navigator.onLine;
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
      redirect: 'manual', // a proxy redirects to its login, which a script cannot show
      keepalive,
    });
    const text = await response.text();
    data = text && JSON.parse(text);
  } catch {
    // There was no response, the response was incomplete, or its body is not JSON.
    if (!response && hint) setOffline(true);
    if (!response || response.ok) throw new APIError(!response && hint ? 'offline' : 'lost');
  } finally {
    if (keepalive) keptAlive -= size;
  }
  const { status, type } = response;
  const isLogin = status === 401 || type === 'opaqueredirect';
  const date = response.headers.get('Date');
  if (status === success[method] && isExpected(data)) {
    setOffline(false);
    if (data) correct(date, asked); // an empty response may be a proxy's
    return { data, headers: response.headers };
  }
  // A proxy or a captive portal may send a success of its own.
  if (response.ok) throw new APIError('lost');
  const code = isProblem(data) ? data.type.split(':').pop() : undefined;
  if (code !== undefined) {
    setOffline(false);
    correct(date, asked);
  }
  // A login ends the announcement of an event: its form keeps the draft, and the organizer sends the draft again.
  const final = isLogin ? !path : status < 500 && status !== 429 && code !== undefined;
  throw new APIError(isLogin ? 'login' : final && status === 404 ? 'missing' : (kindByStatus[status] ?? 'answer'), {
    status,
    code: code ?? '',
    fieldErrors: isInvalid(data) ? data.fieldErrors : [],
    final,
    retryAfter: secondsOf(response.headers.get('Retry-After') ?? ''),
  });
}

/**
 * The seconds of a Retry-After, which is a number of seconds or a date (RFC 9110). One day at most, because a clock may
 * be wrong, and because timers cannot exceed 24 days.
 */
const secondsOf = (after: string) =>
  Math.min(Number(after) || Math.max(0, (Date.parse(after) - Date.now()) / 1000) || 0, 86_400);

export const secret = (organizerToken: string) => `?organizerToken=${encodeURIComponent(organizerToken)}`;

const isCreated = has({ ...listed, eventToken: isUUID, organizerToken: isUUID });
/** Resolves to the new event with its end, which the response does not have. */
export const createEvent = async (event: NewEvent, key: string) => ({
  ...(await request('POST', '', isCreated, event, key)).data,
  endDateTime: event.endDateTime,
});

export const getEvent = async (eventToken: string): Promise<EventDetails> =>
  dated((await request('GET', `/${eventToken}`, isDetails)).data);

const isRSVP = has({ rsvpToken: isUUID, name: isText });
export const createRSVP = async (eventToken: string, name: string, key: string) =>
  (await request('POST', `/${eventToken}/rsvps`, isRSVP, { name }, key)).data;

const isNamed = has({ name: isText });
export const getRSVP = async (eventToken: string, rsvpToken: string) =>
  (await request('GET', `/${eventToken}/rsvps/${rsvpToken}`, isNamed)).data;

export const cancelRSVP = (eventToken: string, rsvpToken: string) =>
  request('DELETE', `/${eventToken}/rsvps/${rsvpToken}`, isEmpty);

/** @param movedTo the token of the event that replaces the cancelled one */
export function cancelEvent(
  { eventToken, organizerToken }: { eventToken: string; organizerToken: string },
  reason: string,
  key: string,
  movedTo?: string,
) {
  const body = { cancelled: true, cancellationReason: reason || undefined, movedTo };
  return request('PATCH', `/${eventToken}${secret(organizerToken)}`, isEmpty, body, key);
}
