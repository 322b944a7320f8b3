// @ts-check
// h describes elements, and patch draws them. It updates the elements in the page instead of replacing them,
// which would lose focus, typed text and scroll position.

/** @typedef {Described | string | number | false | null | undefined} Child */
/** @typedef {Child | Child[]} Children */
/** @typedef {Record<string, any>} Props */
/** @typedef {{ tag: string, props: Props, children: Children[], element?: Element | undefined }} Described with its element once it is drawn */

/** The description that an element was last drawn from. @type {WeakMap<Element, Described>} */
const drawn = new WeakMap();

/** @param {Event} event */
function dispatch(event) {
  if (event.type === 'submit') event.preventDefault(); // scripts send forms
  drawn.get(/** @type {Element} */ (event.currentTarget))?.props[`on${event.type}`]?.(event);
}

/**
 * Describes an element. Props are attributes; `on…` is a listener, `value` and `checked` are properties. Text always
 * enters the page as a text node, so markup in it stays text.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...Children} children
 * @returns {Described}
 */
export const h = (tag, props = {}, ...children) => ({ tag, props, children });

/**
 * A user's text, isolated so that its direction does not affect the text around it.
 * @param {string} text
 * @param {string} [tag]
 * @param {string} [className]
 */
export const user = (text, tag = 'bdi', className = '') =>
  h(tag, { class: `user ${className}`.trim(), dir: 'auto' }, text);

/** @param {Node | Described | string} child */
function keyOf(child) {
  if (typeof child === 'string') return '#text';
  if (child instanceof Node) return child instanceof Element ? `${child.localName} ${child.id}` : child.nodeName;
  return `${child.tag} ${child.props.id || ''}`;
}

/** @param {Described | string} child */
const elementOf = (child) => (typeof child === 'string' ? undefined : child.element);

/**
 * Replaces the children of parent. The element of a description that was drawn before stays as it is; another
 * existing element with the same name and id is kept and updated.
 * @param {Element} parent
 * @param {Children[]} children
 */
export function patch(parent, children) {
  const wanted = children.flat().flatMap((child) => (typeof child === 'number' ? String(child) : child || []));
  const own = new Set(wanted.map(elementOf));
  /** The other nodes in reverse order, by key. @type {Record<string, ChildNode[]>} */
  const left = {};
  for (const node of [...parent.childNodes].reverse()) {
    if (!own.has(/** @type {Element} */ (node))) (left[keyOf(node)] ??= []).push(node);
  }
  const nodes = wanted.map((child) => elementOf(child) ?? make(child, left[keyOf(child)]?.pop()));
  for (const node of Object.values(left).flat()) node.remove();
  let next = parent.firstChild;
  for (const node of nodes) {
    if (node === next) next = node.nextSibling;
    else parent.insertBefore(node, next);
  }
}

const vectors = ['svg', 'use', 'path'];

/** @param {string} tag */
const create = (tag) =>
  vectors.includes(tag) ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);

/**
 * Makes the node of a description or text, from an existing one if there is one.
 * @param {Described | string} child
 * @param {any} [existing]
 */
export function make(child, existing) {
  if (typeof child === 'string') {
    const text = existing ?? new Text();
    if (text.nodeValue !== child) text.nodeValue = child;
    return text;
  }
  const element = existing ?? create(child.tag);
  const last = drawn.get(element);
  if (last) last.element = undefined;
  child.element = element;
  drawn.set(element, child);
  setProps(element, child.props, !existing);
  patch(element, child.children);
  const { value, checked } = child.props;
  // The value of a select can only be set once its options are there. That of a new progress is 0 before it is set.
  if (value !== undefined && (!existing || element.value !== value)) element.value = value;
  if (checked !== undefined && element.checked !== checked) element.checked = checked;
  return element;
}

/** @param {Element} element @param {Props} props @param {boolean} isNew */
function setProps(element, props, isNew) {
  const isUnset = (/** @type {string} */ name) => (props[name] ?? false) === false;
  for (const name of element.getAttributeNames()) {
    // Visitors open and close details, and a heading without its tabindex would lose the focus.
    if (isUnset(name) && name !== 'tabindex' && name !== 'open') element.removeAttribute(name);
  }
  for (const [name, content] of Object.entries(props)) {
    const text = content === true ? '' : String(content);
    if (name.startsWith('on'))
      element.addEventListener(name.slice(2), dispatch); // adding it again changes nothing
    else if (isUnset(name) || name === 'value' || name === 'checked' || (name === 'open' && !isNew)) continue;
    else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Announces a text to screen readers. @param {string} text */
export function announce(text) {
  const announcer = byId('announcer');
  announcer.textContent = '';
  requestAnimationFrame(() => {
    announcer.textContent = text;
  });
}

/** @param {HTMLElement | null} [element] */
export function focusOn(element) {
  if (!element) return;
  if (!element.matches('a[href],button,input,select,textarea,summary')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}
