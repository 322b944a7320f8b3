// Faults of the page's environment.
window.faults = {
  // Records the Idempotency-Key of each write.
  noteKeys() {
    const request = window.fetch;
    window.fetch = (address, options) => {
      if (options?.headers?.['Idempotency-Key']) localStorage.setItem(`key ${options.method} ${options.headers['Idempotency-Key']}`, '');
      return request(address, options);
    };
  },
  // Answers each request of a method with other(real), until restored; real sends the request.
  answer(method, other) {
    const request = window.fetch;
    window.faults.restore = () => {
      window.fetch = request;
    };
    window.fetch = async (address, options) => {
      const real = () => request(address, options);
      return options?.method === method ? other(real) : real();
    };
  },
  // Holds the lock of each item, as a suspended tab does.
  keepLocks() {
    const { request } = LockManager.prototype;
    LockManager.prototype.request = function (name, ...rest) {
      if (name.startsWith('outbox.')) void request.call(this, name, () => new Promise(() => {}));
      return request.call(this, name, ...rest);
    };
  },
  // Overwrites the first item that is stored, as another tab would, with another key.
  overwriteItem(createKey) {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (name, value) {
      setItem.call(this, name, value);
      if (!name.startsWith('turnout.outbox.')) return;
      Storage.prototype.setItem = setItem;
      queueMicrotask(() => setItem.call(this, name, JSON.stringify({ ...JSON.parse(value), createKey })));
    };
  },
  // Records in window.installed the state of a service worker that is being installed.
  noteInstall() {
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = async function (address) {
      const { installing } = await register.call(this, address);
      const note = () => {
        window.installed = installing?.state ?? 'redundant';
      };
      installing?.addEventListener('statechange', note);
      note();
    };
  },
  // Stores an unsent RSVP and an unsent withdrawal. A third item
  // can be undone until a time far ahead, as if the clock had been set back; a fourth was refused.
  leaveItems({ EventToken: eventToken, Title: title, DateTime: dateTime, Timezone: timezone }, rsvpToken, undone) {
    const [key, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const store = (name, value) => localStorage.setItem(`turnout.${name}`, JSON.stringify(value));
    store(`outbox.${key}`, { eventToken, name: 'Anna', title, dateTime, timezone, kind: 'rsvp' });
    store(`outbox.${rsvpToken}`, { eventToken, rsvpToken, name: 'Cleo', title, dateTime, timezone, kind: 'withdraw', due: 0 });
    store(`outbox.${undone}`, { eventToken, name: 'Emil', title, dateTime, timezone, kind: 'withdraw', due: Date.now() + 60 * 864e5 });
    store(`outbox.${other}`, { eventToken, name: 'Dora', title, dateTime, timezone, kind: 'rsvp', refused: { kind: 'answer', status: 409, code: '', fieldErrors: [] } });
  },
  // Damages stored values: the saved event keeps its title and its links, and gets a date that no calendar has.
  damage() {
    const name = Object.keys(localStorage).find((one) => one.startsWith('turnout.organizer.'));
    const event = JSON.parse(localStorage[name]);
    localStorage[name] = JSON.stringify({ ...event, dateTime: '+275760-09-13T00:00:00Z', timezone: 'Nowhere/Else' });
    const dateless = { ...event, eventToken: event.organizerToken, title: 'Dateless', dateTime: 'soon' };
    Object.assign(localStorage, {
      'turnout.organizer.0': JSON.stringify(dateless), 'turnout.organizer.1': '{"eventToken"', 'turnout.rsvp.1.2': '[null]', 'turnout.rsvp.1.3': `{"eventToken":"${event.organizerToken}"}`,
      'turnout.drafts': '{"event": {"title"', 'turnout.outbox.1': '{"kind"', [`turnout.outbox.${event.eventToken}`]: '{"kind": "toString"}',
    });
  },
  // Replaces intervals by window.timers, counts requests in window.asked, and lets hide(true) hide the page.
  holdTimers() {
    const { fetch } = window;
    window.timers = new Map();
    window.setInterval = (work, wait) => {
      window.timers.set(window.timers.size + 1, { work, wait });
      return window.timers.size;
    };
    window.clearInterval = (id) => window.timers.delete(id);
    window.asked = 0;
    window.fetch = (...request) => {
      window.asked += 1;
      return fetch(...request);
    };
    window.hide = (is) => Object.defineProperty(document, 'hidden', { configurable: true, get: () => is });
  },
  // Answers the list of guests in pages of eight names, each of which waits for window.release.
  paginate() {
    const { fetch } = window;
    window.fetch = async (address, ...rest) => {
      const { pathname, searchParams } = new URL(address, location);
      const first = Number(searchParams.get('cursor'));
      if (!pathname.endsWith('/attendees')) return fetch(address, ...rest);
      if (first) await new Promise((done) => { window.release = done; });
      searchParams.delete('cursor');
      const { attendees } = await (await fetch(`${pathname}?${searchParams}`, ...rest)).json();
      const headers = first + 8 < attendees.length ? { Link: `<?${searchParams}&cursor=${first + 8}>; rel="next"` } : {};
      return new Response(JSON.stringify({ attendees: attendees.slice(first, first + 8) }), { headers });
    };
  },
};
