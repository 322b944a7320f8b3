// What goes wrong between the page and what it relies on.
window.faults = {
  // Records the Idempotency-Key of each write.
  noteKeys() {
    const request = window.fetch;
    window.fetch = (address, options) => {
      if (options?.headers?.['Idempotency-Key']) localStorage.setItem(`key ${options.method} ${options.headers['Idempotency-Key']}`, '');
      return request(address, options);
    };
  },
  // Gives the page another answer to each request of a method, until restored; real sends it.
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
  // Something that has stopped keeps the lock of each item.
  keepLocks() {
    const { request } = LockManager.prototype;
    LockManager.prototype.request = function (name, ...rest) {
      if (name.startsWith('outbox.')) request.call(this, name, () => new Promise(() => {}));
      return request.call(this, name, ...rest);
    };
  },
  // Another tab writes the first item after this one, with another key.
  overwriteItem(createKey) {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (name, value) {
      setItem.call(this, name, value);
      if (!name.startsWith('turnout.outbox.')) return;
      Storage.prototype.setItem = setItem;
      setTimeout(() => setItem.call(this, name, JSON.stringify({ ...JSON.parse(value), createKey })));
    };
  },
  // Records what becomes of a service worker that is being installed.
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
  // This tab writes the list as it was before another one did, once.
  overwriteList() {
    addEventListener('storage', ({ key }) => {
      if (key !== 'turnout.mine' || localStorage.late) return;
      localStorage.late = localStorage[key] = '{"events":[],"rsvps":[]}';
    });
  },
  // What an earlier version of the site has left: an RSVP and a withdrawal that are not sent. A third
  // item can be undone until a moment that is far away since the clock was set back, a fourth was refused.
  leaveItems({ EventToken: eventToken, Title: title, DateTime: dateTime, Timezone: timezone }, rsvpToken, undone) {
    const [key, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    const store = (name, value) => localStorage.setItem(`turnout.${name}`, JSON.stringify(value));
    store('unanswered', { [key]: { eventToken, name: 'Anna', key } });
    store('leaving', { [rsvpToken]: { rsvp: { eventToken, rsvpToken, name: 'Cleo', title, dateTime, timezone }, due: 0 } });
    store(`outbox.${undone}`, { eventToken, name: 'Emil', title, dateTime, timezone, kind: 'withdraw', due: Date.now() + 60 * 864e5 });
    store(`outbox.${other}`, { eventToken, name: 'Dora', title, dateTime, kind: 'rsvp', refused: {} });
  },
  // Damages a list, with one event that is whole, and other entries.
  damage() {
    const list = JSON.parse(localStorage.getItem('turnout.mine'));
    list.events[0].organizerToken = list.events[0].organizerToken.toUpperCase();
    list.events.unshift(null, { ...list.events[0], dateTime: 'some day' });
    localStorage.setItem('turnout.mine', JSON.stringify(list));
    localStorage.setItem('turnout.drafts', '{"event": {"title"');
    localStorage.setItem('turnout.outbox.1', '{"kind"');
    localStorage.setItem(`turnout.outbox.${list.events.at(-1).eventToken}`, '{"kind": "toString"}');
  },
};
