// @ts-check
// Local storage. If it fails (private mode, disabled, full), values stay in memory while the page is
// open. Each entry of a list has a name of its own, so that no tab overwrites another's.
const prefix = 'turnout.';

/** Values not yet stored, as JSON by name. @type {Map<string, string>} */
const waiting = new Map();

/** @template T @param {() => T} work with storage, which may throw @param {T} otherwise */
function safely(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** @param {string} name */
const stored = (name) => safely(() => localStorage.getItem(prefix + name), null);

/** @param {string} name @returns {any} null if there is no value, or none that can be read */
export const recall = (name) => safely(() => JSON.parse(waiting.get(name) ?? stored(name) ?? 'null'), null);

/** Stores a value; a falsy one is removed. @param {string} name @param {unknown} value */
export function remember(name, value) {
  if (!value) return drop(name);
  waiting.set(name, JSON.stringify(value));
  return store(name) && storeOthers();
}

/** Stores a waiting value. Reports whether storage has it. @param {string} name */
function store(name) {
  const text = /** @type {string} */ (waiting.get(name));
  safely(() => localStorage.setItem(prefix + name, text), undefined);
  return stored(name) === text && waiting.delete(name);
}

// Once there is room.
const storeOthers = () => [...waiting.keys()].forEach(store);

/**
 * Reports whether all values under names with this beginning outlive the page.
 * @param {string} beginning
 */
export const keeps = (beginning) => ![...waiting.keys()].some((name) => name.startsWith(beginning));

/** Removes a value. @param {string} name */
export function drop(name) {
  waiting.delete(name);
  safely(() => localStorage.removeItem(prefix + name), undefined);
  storeOthers();
}

/**
 * The names with this beginning, each without it.
 * @param {string} beginning
 */
export function namesAfter(beginning) {
  const start = prefix + beginning;
  const names = safely(() => Object.keys(localStorage), []).concat([...waiting.keys()].map((name) => prefix + name));
  return [...new Set(names)].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/**
 * Calls back when another tab changes a value under a name with this beginning, with the rest of the
 * name; with '' if it removes everything.
 * @param {string} beginning
 * @param {(rest: string) => void} changed
 * @param {AbortSignal} [signal]
 */
export function onOtherTabs(beginning, changed, signal) {
  const start = prefix + beginning;
  addEventListener(
    'storage',
    ({ key }) => {
      if ((key ?? start).startsWith(start)) changed((key ?? start).slice(start.length));
    },
    signal ? { signal } : {},
  );
}
