import { t } from './i18n.js';

const wait = 30_000;

// Everything that can go wrong with a request. `uncertain` means that the
// service may have done what was asked although no answer says so.
export class Failure extends Error {
  constructor(kind, uncertain, { status = 0, code = '', said = '', fieldErrors = [] } = {}) {
    super(kind);
    Object.assign(this, { kind, uncertain, status, code, said, fieldErrors });
  }

  get words() {
    switch (this.kind) {
      case 'offline': return t('failure.offline');
      case 'lost': return t('failure.lost');
      case 'throttled': return t('failure.throttled');
      case 'busy': return t('failure.busy');
      case 'large': return t('failure.large');
      case 'missing': return t('failure.missing');
      default: return this.said ? t('failure.said', { status: this.status, said: this.said }) : t('failure.status', { status: this.status });
    }
  }
}

const kinds = { 404: 'missing', 413: 'large', 429: 'throttled', 503: 'busy' };

async function request(method, path, body) {
  // Only a hint: a browser without a network still reaches its own machine.
  const offline = !navigator.onLine;
  let response;
  let data;
  try {
    response = await fetch(`/api/events${path}`, {
      method,
      headers: body && { 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(wait),
      cache: 'no-store',
      credentials: 'omit',
    });
    const text = await response.text();
    data = text && JSON.parse(text);
  } catch {
    if (!response && offline) throw new Failure('offline', false);
    // No answer, half an answer, or a page that is not the service's.
    if (!response || response.ok) throw new Failure('lost', method !== 'GET');
  }
  if (response.ok) return data;
  const { status } = response;
  // A service that gives up on its store does not know what the store did, nor
  // does a gateway that gives up on the service.
  throw new Failure(kinds[status] ?? 'answer', method !== 'GET' && status >= 500, {
    status,
    code: String(data?.type ?? '').split(':').pop(),
    said: String(data?.detail ?? data?.title ?? data?.message ?? ''),
    fieldErrors: Array.isArray(data?.fieldErrors) ? data.fieldErrors : [],
  });
}

const secret = (organizerToken) => `?organizerToken=${encodeURIComponent(organizerToken)}`;

export const createEvent = (body) => request('POST', '', body);
// RFC 3339 lets T and Z be small letters; Date.parse need not take them.
export async function getEvent(eventToken) {
  const event = await request('GET', `/${eventToken}`);
  return { ...event, dateTime: event.dateTime.toUpperCase() };
}
export const createRSVP = (eventToken, name) => request('POST', `/${eventToken}/rsvps`, { name });
export const cancelRSVP = (eventToken, rsvpToken) => request('DELETE', `/${eventToken}/rsvps/${rsvpToken}`);
export const listAttendees = async (eventToken, organizerToken) =>
  (await request('GET', `/${eventToken}/attendees${secret(organizerToken)}`)).attendees;
export const cancelEvent = (eventToken, organizerToken, cancellationReason) =>
  request('PATCH', `/${eventToken}${secret(organizerToken)}`, { cancelled: true, ...(cancellationReason && { cancellationReason }) });
