// @ts-check
// Local storage. Where it does not work (private mode, switched off, full), values
// are in memory for as long as the page is open.
const prefix = 'turnout.';

/** @type {Map<string, string>} */
const memory = new Map();

/**
 * @param {string} name
 * @returns {any} null where there is nothing, or nothing that can be read
 */
export function recall(name) {
  try {
    return JSON.parse(memory.get(name) ?? localStorage.getItem(prefix + name) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export function remember(name, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(prefix + name, text);
    if (localStorage.getItem(prefix + name) !== text) throw new Error('not stored');
    memory.delete(name);
  } catch {
    memory.set(name, text);
  }
}

/**
 * Reports whether what was remembered under this name outlives the page.
 * @param {string} name
 */
export const keeps = (name) => !memory.has(name);

/** @param {string} name */
export function drop(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(prefix + name);
  } catch {
    // Nothing can be stored there.
  }
}

/**
 * The names that begin so, without that beginning.
 * @param {string} beginning
 * @returns {string[]}
 */
export function namesAfter(beginning) {
  const names = [...memory.keys()].map((name) => prefix + name);
  try {
    names.push(...Object.keys(localStorage));
  } catch {
    // Nothing is stored.
  }
  const start = prefix + beginning;
  return [...new Set(names)].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/**
 * Calls back when another tab changes what is kept under this name.
 * @param {string} name
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
export function onOtherTab(name, changed, signal) {
  addEventListener('storage', ({ key }) => { if (key === null || key === prefix + name) changed(); }, { signal });
}

/**
 * Calls back when another tab changes what is kept under a name that begins so, with the
 * rest of the name.
 * @param {string} beginning
 * @param {(rest: string) => void} changed
 */
export function onOtherTabs(beginning, changed) {
  const start = prefix + beginning;
  addEventListener('storage', ({ key }) => { if (key?.startsWith(start)) changed(key.slice(start.length)); });
}

/**
 * Sets one member of a remembered object; a value that says nothing removes it.
 * @param {string} name
 * @param {string} member
 * @param {unknown} value
 */
export function rememberIn(name, member, value) {
  const all = { ...recall(name) };
  delete all[member];
  remember(name, value ? { ...all, [member]: value } : all);
}
