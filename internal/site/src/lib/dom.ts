// h describes elements, and patch draws the descriptions by updating the page's elements. Replacing elements would lose
// the focus, typed text and the scroll position. JSX is compiled to calls of h; jsx.d.ts has the types of JSX.

export type Child = Described | string | number | false | null | undefined;
export type Children = Child | Children[];
type Attribute = string | number | boolean | null | undefined;
type Props = Record<string, Attribute | ((event: Event) => unknown)>;
/** The description of an element, or of a fragment, whose tag is "". */
export type Described = {
  tag: string;
  props: Props;
  children: Children[];
  /** The element in the page, once the description is drawn. */
  element?: Element | undefined;
};

/** The description from which each element was last drawn. */
const drawn = new WeakMap<Element, Described>();

function dispatch(this: Element, event: Event) {
  if (event.type === 'submit') event.preventDefault(); // scripts send forms, not the browser
  const listener = drawn.get(this)?.props[`on${event.type}`];
  if (typeof listener === 'function') listener(event);
}

/**
 * Describes an element. Props are attributes; `on…` is a listener, `value` and `checked` are properties. Text enters
 * the page as a text node, so markup in a text stays text.
 */
export const h = (tag: string | null, props?: Props | null, ...children: Children[]): Described => ({
  tag: tag ?? '',
  props: props ?? {},
  children,
});

/**
 * Whether a key is Enter. An Enter that ends the composition of an input method has another code, also in Safari, which
 * ends the composition before the keydown.
 */
export const isEnter = ({ keyCode }: KeyboardEvent) => keyCode === 13;

/** The name of a person, which translation programs must not translate. */
export const person = (name: Children, tag = 'bdi', className = '', lang?: string) =>
  h(tag, { class: `user ${className}`.trim(), dir: 'auto', lang, translate: 'no' }, name);

/** A user's text, isolated from the direction of the text around it. @param lang the text's language, if known */
export const user = (text: Children, tag = 'bdi', className = '', lang?: string) =>
  h(tag, { class: `user ${className}`.trim(), dir: 'auto', lang }, text);

function keyOf(child: Node | Described | string) {
  if (typeof child === 'string') return '#text';
  if (child instanceof Node) return child instanceof Element ? `${child.localName} ${child.id}` : child.nodeName;
  return `${child.tag} ${String(child.props.id || '')}`;
}

const elementOf = (child: Described | string): Node | undefined =>
  typeof child === 'string' ? undefined : child.element;

function flat(child: Children): (Described | string)[] {
  if (Array.isArray(child)) return child.flatMap(flat);
  if (typeof child === 'number') return [String(child)];
  if (!child) return [];
  return typeof child === 'string' || child.tag ? [child] : flat(child.children);
}

/**
 * Replaces the children of parent. If a description was drawn before, its element stays unchanged. Otherwise a child
 * with the same tag and id is updated.
 */
export function patch(parent: Element, children: Children) {
  const wanted = flat(children);
  const own = new Set(wanted.map(elementOf));
  /** The other nodes by key, in reverse order. */
  const left: Record<string, ChildNode[]> = {};
  for (const node of [...parent.childNodes].reverse()) {
    if (!own.has(node)) (left[keyOf(node)] ??= []).push(node);
  }
  const nodes = wanted.map((child) => elementOf(child) ?? make(child, left[keyOf(child)]?.pop()));
  for (const node of Object.values(left).flat()) node.remove();
  let next: Node | null = parent.firstChild;
  for (const node of nodes) {
    if (node === next) next = node.nextSibling;
    else parent.insertBefore(node, next);
  }
}

/** Gives an element the children with which it was last described. */
export const redraw = (element: Element) => patch(element, drawn.get(element)?.children);

const vectors = ['svg', 'use', 'path'];

const create = (tag: string) =>
  vectors.includes(tag) ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);

/** Makes the node of a description or text, or updates an existing node. */
export function make(child: Described): HTMLElement;
export function make(child: Described | string, existing: Node | undefined): Node;
export function make(child: Described | string, existing?: Node): Node {
  if (typeof child === 'string') {
    const text = existing ?? new Text();
    if (text.nodeValue !== child) text.nodeValue = child;
    return text;
  }
  const element = existing instanceof Element ? existing : create(child.tag);
  const last = drawn.get(element);
  if (last) last.element = undefined;
  child.element = element;
  drawn.set(element, child);
  setProps(element, child.props, !existing);
  patch(element, child.children);
  const { value, checked } = child.props;
  const control: Element & { value?: unknown; checked?: unknown } = element;
  // The value of a select can only be set once its options are there.
  // Programs may fill in a field without an event. Keep such a value, which is read when the form is submitted.
  const isFilled = value === last?.props.value && element.matches('input:not([type=file]), textarea');
  if (value !== undefined && control.value !== value && !isFilled) control.value = value;
  if (checked !== undefined && control.checked !== checked) control.checked = checked;
  return element;
}

function setProps(element: Element, props: Props, isNew: boolean) {
  const isUnset = (name: string) => (props[name] ?? false) === false;
  for (const name of element.getAttributeNames()) {
    // Keep open, as visitors open and close details. Keep tabindex, as a heading without it would lose the focus.
    if (isUnset(name) && name !== 'tabindex' && name !== 'open') element.removeAttribute(name);
  }
  for (const [name, content] of Object.entries(props)) {
    const text = content === true ? '' : String(content);
    if (name.startsWith('on'))
      element.addEventListener(name.slice(2), dispatch); // adding the same listener again changes nothing
    else if (isUnset(name) || name === 'value' || name === 'checked' || (name === 'open' && !isNew)) continue;
    else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Keeps the descriptions of rows: patch does not touch a row whose inputs have not changed. A row that is not described
 * now, as `describe` returns false, stays as it is.
 */
export function keptRows() {
  const rows = new Map<string, { inputs: unknown[]; row: Described }>();
  return (id: string, inputs: unknown[], describe: () => Described | false) => {
    const last = rows.get(id);
    const row = !last?.inputs.every((input, index) => input === inputs[index]) && describe();
    if (row) rows.set(id, { inputs, row });
    return row || last?.row;
  };
}

/** The ids of the parts that every page has. */
type Part = 'announcer' | 'bottom' | 'main' | 'offline' | 'top';

export const part = (id: Part) => document.getElementById(id) as HTMLElement;

export const byId = (id: string) => document.getElementById(id);

/**
 * Calls back once the browser has painted the page as it is now. A hidden page is painted once it is visible. Returns
 * the request of a frame, which can be cancelled.
 */
export const afterPaint = (work: () => unknown) => requestAnimationFrame(() => setTimeout(work));

/** Lets screen readers speak a text. */
export function say(text: string) {
  const announcer = part('announcer');
  announcer.textContent = '';
  requestAnimationFrame(() => (announcer.textContent = text));
}

export function focusOn(element?: HTMLElement | null) {
  if (!element) return;
  if (!element.matches('a[href],button,input,select,textarea,summary')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: 'nearest' });
}

export function download(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make(h('a', { href: url, download: name })).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Sends news to listeners. An error in a listener stops neither the other listeners nor the sender. */
export class Channel<News extends unknown[]> extends EventTarget {
  send = (...news: News) => this.dispatchEvent(new CustomEvent('news', { detail: news }));
  listen = (listener: (...news: News) => unknown, signal?: AbortSignal) =>
    this.addEventListener('news', (event) => listener(...(event as CustomEvent<News>).detail), signal && { signal });
}

/**
 * Calls back when the page becomes visible, returns from the back/forward cache, or is online again.
 * @param signal ends the calls; null for calls as long as the document exists
 */
export function onReturn(work: () => unknown, signal: AbortSignal | null) {
  const options = signal ? { signal } : {};
  document.addEventListener('visibilitychange', () => document.hidden || work(), options);
  addEventListener('pageshow', ({ persisted }) => persisted && work(), options);
  addEventListener('online', work, options);
}

/** Calls back when the page is hidden or left. A browser may freeze or end a hidden page without a further event. */
export function onHide(work: () => unknown) {
  document.addEventListener('visibilitychange', () => document.hidden && work());
  addEventListener('pagehide', work);
}
