({
  // Resolves once a condition holds, looking again whenever the page changes.
  until: (holds) => new Promise((done) => {
    const events = ['input', 'focusin', 'load'];
    const look = () => {
      if (!holds()) return;
      observer.disconnect();
      for (const type of events) document.removeEventListener(type, look, true);
      done(true);
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    for (const type of events) document.addEventListener(type, look, true);
    look();
  }),
  // The same for a condition that does not show on the page.
  async unseen(holds) {
    while (!await holds()) await new Promise((done) => setTimeout(done, 50));
  },
  // Counts in window.underWay the requests that have no whole answer yet.
  count() {
    if ('underWay' in window) return;
    const { fetch } = window;
    window.underWay = 0;
    window.fetch = (...request) => {
      window.underWay += 1;
      const answer = fetch(...request);
      answer.then((one) => one.clone().arrayBuffer()).catch(() => {}).finally(() => { window.underWay -= 1; });
      return answer;
    };
  },
  // Resolves once the page has had all answers, and time to react to them.
  async idle() {
    do {
      await this.unseen(() => !window.underWay);
      await new Promise((done) => setTimeout(done, 300));
    } while (window.underWay);
  },
  // Replaces the text of a field, as if typed.
  write(field, text) {
    field.focus();
    field.select();
    return document.execCommand(text ? 'insertText' : 'delete', false, text) || (!field.value && !text);
  },
  // Sets a field for which the browser has a picker.
  async pick(field, value) {
    field.focus();
    await Promise.resolve(); // while the page draws what the focus has changed
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    return field.value;
  },
  // Keeps long timers of the page, those over 400 ms, from firing.
  hold() {
    const { setTimeout } = window;
    window.setTimeout = (callback, delay, ...args) => (delay > 400 ? 0 : setTimeout(callback, delay, ...args));
  },
  // Moves the device's clock, and with it the time that the service says.
  later(time) {
    const { now } = Date, { get } = Headers.prototype;
    Date.now = () => now() + time;
    Headers.prototype.get = function (name) {
      const value = get.call(this, name);
      return name === 'Date' && value ? new Date(Date.parse(value) + time).toUTCString() : value;
    };
  },
  // Records in window.copied the next text for the clipboard.
  noteCopy() {
    const { clipboard } = navigator, { writeText } = Clipboard.prototype;
    clipboard.writeText = async (text) => {
      await writeText.call(clipboard, text).catch(() => {}); // refused where the browser has no window
      window.copied = text;
    };
    delete window.copied;
  },
  // The values stored under names with this prefix, such as the saved events under 'organizer.'.
  stored(beginning) {
    try {
      return Object.keys(localStorage).filter((name) => name.startsWith(`turnout.${beginning}`)).map((name) => JSON.parse(localStorage[name]))
        .map((entry) => entry?.until ? entry.value : entry);
    } catch {
      return [];
    }
  },
  // The paths of all files that the service worker has cached.
  async kept() {
    const found = [];
    for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) found.push(url.slice(location.origin.length));
    return found.sort();
  },
  // The addresses pushed since the first call, and the elements with an address, that contain a text.
  mentions(text) {
    if (!window.pushed) {
      window.pushed = [];
      const { pushState } = history;
      history.pushState = (state, title, url) => {
        window.pushed.push(url);
        pushState.call(history, state, title, url);
      };
    }
    const elements = [...document.querySelectorAll('[href], [src], [action]')].map((element) => element.outerHTML);
    return [...window.pushed, ...elements].filter((address) => String(address).includes(text));
  },
  // Resolves to the point at which to click an element, or to an empty array if the element must be
  // looked up again. Until letGo, which reports whether it was clicked, other clicks are blocked.
  meet: (element) => new Promise((done, fail) => {
    if (!element) {
      done([]);
      return;
    }
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    // A view transition covers everything until it ends, and what has just appeared takes no click.
    if (top === document.documentElement || getComputedStyle(element).pointerEvents === 'none') {
      requestAnimationFrame(() => done([]));
      return;
    }
    if (!element.contains(top)) {
      fail(new Error(`covered by ${top?.outerHTML.slice(0, 100)}`));
      return;
    }
    window.clicked = false;
    const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
    const meet = (event) => {
      const hit = element.contains(event.target);
      if (!hit) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
      if (event.type === 'click') window.clicked = hit;
    };
    for (const type of types) addEventListener(type, meet, true);
    window.letGo = () => {
      for (const type of types) removeEventListener(type, meet, true);
      return window.clicked;
    };
    done([x + width / 2, y + height / 2]);
  }),
  // The markup of an event's page, with sorted attributes and without the parts in which the script's
  // differs from the server's: the line of the zone, and the calendar.
  markup() {
    const main = document.querySelector('main').cloneNode(true);
    for (const e of main.querySelectorAll('.small, .tools, noscript, .late')) e.remove();
    for (const e of main.querySelectorAll('#rsvp, #rsvp button')) {
      e.removeAttribute('method');
      e.disabled = false;
    }
    for (const e of main.querySelectorAll('*')) {
      const attributes = [...e.attributes].map(({ name, value }) => [name, value]).sort();
      for (const [name] of attributes) e.removeAttribute(name);
      for (const [name, value] of attributes) e.setAttribute(name, value);
    }
    return main.innerHTML;
  },
  // How often Lighthouse's benchmark of a machine runs within half a second.
  loops() {
    let rounds = 0;
    for (const start = performance.now(); performance.now() - start < 500; rounds += 1) {
      let text = '';
      for (let i = 0; i < 10000; i += 1) text += 'a';
      if (text.length === 1) throw new Error();
    }
    return rounds;
  },
})
