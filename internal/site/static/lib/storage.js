// @ts-check
// Local storage. If it does not work (private mode, disabled, full), changes are kept in memory
// as long as the page is open.
const prefix = 'turnout.';

/** @typedef {(value: any) => unknown} Edit */

/**
 * The edits that could not be stored, by name and subject. They apply to whatever is stored:
 * another tab may have stored something since.
 * @type {Map<string, Map<unknown, Edit>>}
 */
const edits = new Map();

/** @param {string} name */
function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @returns {any} null if there is no value, or none that can be read
 */
export const recall = (name) => [...edits.get(name)?.values() ?? []].reduce((value, change) => change(value), stored(name));

/**
 * Changes what is remembered under a name.
 * @param {string} name
 * @param {Edit} change returns the new value, and leaves the old one as it is; may be called again
 * @param {unknown} [about] the subject: an earlier edit about the same is replaced
 */
export function edit(name, change, about = change) {
  const all = edits.get(name) ?? new Map();
  all.delete(about);
  edits.set(name, all.set(about, change));
  store(name);
}

/** Stores the edits of a name if there is room. @param {string} name */
function store(name) {
  const text = JSON.stringify(recall(name));
  try {
    localStorage.setItem(prefix + name, text);
    if (localStorage.getItem(prefix + name) !== text) throw new Error('not stored');
    edits.delete(name);
  } catch {
    // The edits stay in memory.
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  const text = JSON.stringify(value);
  edit(name, () => JSON.parse(text), name);
}

/**
 * Reports whether what was remembered under this name outlives the page.
 * @param {string} name
 */
export const keeps = (name) => !edits.has(name);

/**
 * Removes what was remembered, and stores other edits if there is room for them now.
 * @param {string} name
 */
export function drop(name) {
  edits.delete(name);
  try {
    localStorage.removeItem(prefix + name);
  } catch {
    // Storage is not available, so nothing is stored.
  }
  for (const other of [...edits.keys()]) store(other);
}

/**
 * The names with this beginning, each without it.
 * @param {string} beginning
 * @returns {string[]}
 */
export function namesAfter(beginning) {
  const names = [...edits.keys()].map((name) => prefix + name);
  try {
    names.push(...Object.keys(localStorage));
  } catch {
    // Nothing is stored.
  }
  const start = prefix + beginning;
  return [...new Set(names)].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/**
 * Calls back when another tab changes what is stored under this name.
 * @param {string} name
 * @param {() => void} changed
 * @param {AbortSignal} [signal]
 */
export function onOtherTab(name, changed, signal) {
  addEventListener('storage', ({ key }) => { if (key === null || key === prefix + name) changed(); }, { signal });
}

/**
 * Calls back when another tab changes what is stored under a name with this beginning, with
 * the rest of the name.
 * @param {string} beginning
 * @param {(rest: string) => void} changed
 */
export function onOtherTabs(beginning, changed) {
  const start = prefix + beginning;
  addEventListener('storage', ({ key }) => { if (key?.startsWith(start)) changed(key.slice(start.length)); });
}

/**
 * Sets one member of a remembered object; a falsy value removes it.
 * @param {string} name
 * @param {string} member
 * @param {unknown} value
 */
export function rememberIn(name, member, value) {
  const text = JSON.stringify(value);
  edit(name, (before) => {
    const all = { ...before };
    delete all[member];
    return value ? { ...all, [member]: JSON.parse(text) } : all;
  }, member);
}
