// @ts-check
// h makes elements, and patch puts them into the page. It updates existing elements instead of
// replacing them, which would lose focus, typed text and scroll position.

/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {Record<string, any>} Props */
/** @typedef {Record<string, (event: any) => unknown>} Listeners */

/** @type {WeakMap<Element, Listeners>} */
const listeners = new WeakMap();

/** @param {Event} event */
const dispatch = (event) => listeners.get(/** @type {Element} */ (event.currentTarget))?.[event.type]?.(event);

/** @param {Element} element @param {Listeners} own */
function listen(element, own) {
  listeners.set(element, own);
  // Adding the same listener twice adds it once.
  for (const type of Object.keys(own)) element.addEventListener(type, dispatch);
}

/**
 * Makes an element. Props are attributes; `on…` adds a listener, `value` and `checked`
 * are properties. Text always enters the page as a text node, so markup in it
 * stays text.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  /** @type {Listeners} */
  const own = {};
  const { value, checked, ...attributes } = props ?? {};
  for (const [name, content] of Object.entries(attributes)) {
    if (content === undefined || content === null || content === false) continue;
    if (name.startsWith('on')) own[name.slice(2)] = content;
    else element.setAttribute(name, content === true ? '' : content);
  }
  listen(element, own);
  element.append(...nodes(children));
  // The value of a select can only be set once its options are there.
  if (value !== undefined) /** @type {any} */ (element).value = value;
  if (checked !== undefined) /** @type {any} */ (element).checked = checked;
  return element;
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {...SVGElement} children */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
const nodes = (children) => /** @type {any[]} */ (children.flat().filter((child) => child || child === 0)
  .map((child) => (typeof child === 'number' ? String(child) : child)));

/**
 * A user's text, isolated so that its direction does not affect the text around it.
 * @param {string} text
 * @param {keyof HTMLElementTagNameMap} [tag]
 * @param {string} [className]
 */
export const user = (text, tag = 'bdi', className = '') => h(tag, { class: `user ${className}`.trim(), dir: 'auto' }, text);

/** @param {Node} node */
const idOf = (node) => (node instanceof Element ? node.id : '');

/** @param {Node} a @param {Node} b */
const alike = (a, b) => a.nodeName === b.nodeName && idOf(a) === idOf(b);

/**
 * Replaces the children of parent. An existing element with the same name and id is
 * kept and updated.
 * @param {Element} parent
 * @param {(Child | Child[])[]} children
 */
export function patch(parent, children) {
  const wanted = nodes(children).map((child) => (child instanceof Node ? child : document.createTextNode(child)));
  const left = [...parent.childNodes];
  /** @type {ChildNode | null} */
  let next = parent.firstChild;
  for (const node of wanted) {
    const existing = left.find((child) => alike(child, node));
    if (!existing) {
      parent.insertBefore(node, next);
      continue;
    }
    left.splice(left.indexOf(existing), 1);
    if (existing === next) next = existing.nextSibling;
    else parent.insertBefore(existing, next);
    update(existing, node);
  }
  for (const child of left) child.remove();
}

/** @param {Node} existing @param {Node} wanted */
function update(existing, wanted) {
  if (existing instanceof Element && wanted instanceof Element) {
    listen(existing, listeners.get(wanted) ?? {});
    updateAttributes(existing, wanted);
    /** @type {any} */
    const is = existing;
    // Read first: a select without options, which patch moves away, has no value.
    const { value, checked } = /** @type {any} */ (wanted);
    patch(existing, [...wanted.childNodes]);
    if ('value' in is && is.type !== 'file' && is.value !== value) is.value = value;
    if ('checked' in is && is.checked !== checked) is.checked = checked;
  } else if (existing.nodeValue !== wanted.nodeValue) {
    existing.nodeValue = wanted.nodeValue;
  }
}

/** @param {Element} existing @param {Element} wanted */
function updateAttributes(existing, wanted) {
  // Visitors open and close details, and a heading without its tabindex would lose
  // the focus.
  const left = existing instanceof HTMLDetailsElement ? ['open', 'tabindex'] : ['tabindex'];
  for (const { name } of [...existing.attributes]) {
    if (!wanted.hasAttribute(name) && !left.includes(name)) existing.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (existing.getAttribute(name) !== value && !(name === 'open' && left.includes(name))) existing.setAttribute(name, value);
  }
}

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Announces a text to screen readers. @param {string} text */
export function announce(text) {
  const announcer = byId('announcer');
  announcer.textContent = '';
  requestAnimationFrame(() => { announcer.textContent = text; });
}

/** @param {HTMLElement | null} [element] */
export function focusOn(element) {
  if (!element) return;
  if (!element.matches('a[href],button,input,select,textarea,summary')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}
