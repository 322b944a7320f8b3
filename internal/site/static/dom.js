import { t } from './i18n.js';

// Text always enters the page as a text node, so markup in it stays text.
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child || child === 0));
  return element;
}

// Somebody else's words: isolated, so their direction does not leak out.
export const user = (text, tag = 'bdi', className = '') => h(tag, { class: `user ${className}`, dir: 'auto' }, text);

// Without the flag u, which would take ſ for an s.
const address = /\bhttps?:\/\/[^\s<>"\u2066-\u2069\u202a-\u202e]+/gi;

// The host behind a name and an @ is another than the one that meets the eye.
function honest(url) {
  try {
    const { username, password } = new URL(url);
    return !username && !password;
  } catch {
    return false;
  }
}

// Only http and https become links; closing punctuation belongs to the sentence.
export function linked(text) {
  const nodes = [];
  let last = 0;
  for (const match of text.matchAll(address)) {
    let [url] = match;
    while (/[.,;:!?'*_\]}»”’]$/u.test(url) || (url.endsWith(')') && url.split(')').length > url.split('(').length)) url = url.slice(0, -1);
    if (!honest(url)) continue;
    nodes.push(text.slice(last, match.index), h('a', { href: url, rel: 'noopener noreferrer nofollow', target: '_blank' }, url));
    last = match.index + url.length;
  }
  return [...nodes, text.slice(last)];
}

export const button = (label, onclick, className = 'quiet', props = {}) =>
  h('button', { type: 'button', class: className, onclick, ...props }, label);

// A second click while the first is under way does nothing. The button keeps
// the focus, which disabling it would lose.
export function locked(work) {
  let running = false;
  return async (event) => {
    event?.preventDefault();
    if (running) return;
    running = true;
    const target = event?.submitter ?? event?.currentTarget?.querySelector?.('[type=submit]') ?? event?.currentTarget;
    target?.setAttribute('aria-disabled', 'true');
    try {
      await work(event);
    } finally {
      running = false;
      target?.removeAttribute('aria-disabled');
    }
  };
}

export function say(text) {
  const announcer = document.getElementById('announcer');
  announcer.textContent = '';
  requestAnimationFrame(() => { announcer.textContent = text; });
}

export function focusOn(element) {
  if (!element.matches('a[href],button,input,select,textarea')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}

// Announced by the live region that it is put into.
export const notice = (kind, ...children) => h('div', { class: `notice ${kind}` }, ...children);

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure context there is no clipboard object.
    const area = h('textarea', { class: 'unseen', value: text, 'aria-hidden': 'true' });
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (!copied) throw new Error('copy');
  }
}

export function copyButton(label, text, className = 'quiet', name) {
  const self = button(label, async () => {
    let word;
    try {
      await copy(typeof text === 'function' ? text() : text);
      word = t('copy.done');
    } catch {
      word = t('copy.failed');
    }
    self.textContent = word;
    say(word);
    self.focus();
    setTimeout(() => { self.textContent = label; }, 2000);
  }, className, { 'aria-label': name });
  return self;
}

// A person who changes their mind makes the promise fail.
export const shareButton = (title, url, name) => navigator.share
  && button(t('share.native'), () => navigator.share({ title, url }).catch(() => {}), 'quiet', { 'aria-label': name });

export function download(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

// Resolves to whether the question was answered with yes.
export function ask({ title, body, yes, no, kind = 'danger', valid = () => true }) {
  return new Promise((resolve) => {
    const dialog = h('dialog', { 'aria-labelledby': 'ask-title' },
      h('form', { method: 'dialog' },
        h('h2', { id: 'ask-title' }, title), ...body,
        h('div', { class: 'row' },
          h('button', { value: 'yes', class: kind, onclick: (event) => valid() || event.preventDefault() }, yes),
          h('button', { value: 'no', class: 'quiet', autofocus: true }, no))));
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

// A label, its control, a hint and a place for the error, tied together.
export function field({ id, label, control, hint, limit, optional }) {
  const error = h('p', { class: 'error', id: `${id}-error`, hidden: true });
  const count = limit && h('span', { class: 'count', 'aria-hidden': 'true' });
  control.id = id;
  control.setAttribute('aria-describedby', [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' '));
  const row = h('div', { class: 'field' },
    h('label', { for: id }, label, optional && h('span', { class: 'optional' }, ` ${t('form.optional')}`)),
    h('div', { class: 'control' }, control, count,
      hint && h('p', { class: 'hint', id: `${id}-hint` }, hint), error));
  const recount = () => {
    if (!count) return;
    const used = [...control.value].length;
    count.textContent = used > limit * 0.8 ? `${used} / ${limit}` : '';
  };
  control.addEventListener('input', recount);
  recount();
  return {
    row,
    control,
    fail(message) {
      error.textContent = message ?? '';
      error.hidden = !message;
      control.toggleAttribute('aria-invalid', Boolean(message));
      if (message) control.setAttribute('aria-invalid', 'true');
    },
    failed: () => !error.hidden,
  };
}

// Text areas grow with their text; the first paint needs the element placed.
export function growing(area) {
  const grow = () => {
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
  };
  area.addEventListener('input', grow);
  requestAnimationFrame(grow);
  return area;
}
