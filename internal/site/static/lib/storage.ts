// Local storage. If it fails (private mode, disabled, full), values stay in memory while the page is
// open. Each entry of a list has a name of its own, so that no tab overwrites another's. What only a tab
// keeps, over a reload, is in session storage. A value with a time is stored as { until, value }.
import { has, isNumber } from './guards';

const prefix = 'turnout.';
const isTimed = has({ until: isNumber });

/** Values not yet stored, as JSON by name. */
const waiting: Map<string, string> = new Map();

/** @param work with storage, which may throw */
function safely<T>(work: () => T, otherwise: T) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

const stored = (name: string) =>
  safely(() => localStorage.getItem(prefix + name) ?? sessionStorage.getItem(prefix + name), null);

const read = (name: string): unknown =>
  safely((): unknown => JSON.parse(waiting.get(name) ?? stored(name) ?? 'null'), null);

const textOf = (value: unknown, until?: number) => JSON.stringify(until ? { until, value } : value);

/** @returns null if there is no value, or none that can be read */
export function recall(name: string): unknown {
  const entry = read(name);
  return isTimed(entry) ? Reflect.get(entry, 'value') : entry;
}

/** Stores a value; a falsy one is removed. @param until when it may be deleted, if ever */
export function remember(name: string, value: unknown, until?: number) {
  if (!value) return drop(name);
  waiting.set(name, textOf(value, until));
  return store(name) && storeOthers();
}

/** Stores a waiting value. Reports whether storage has it. */
function store(name: string) {
  const text = waiting.get(name) as string;
  safely(() => localStorage.setItem(prefix + name, text), undefined);
  return stored(name) === text && waiting.delete(name);
}

// Once there is room.
const storeOthers = () => [...waiting.keys()].forEach(store);

/** Reports whether all values under names with this beginning outlive the page. */
export const keeps = (beginning: string) => ![...waiting.keys()].some((name) => name.startsWith(beginning));

/** Removes a value. */
export function drop(name: string) {
  waiting.delete(name);
  safely(() => [localStorage, sessionStorage].forEach((storage) => storage.removeItem(prefix + name)), undefined);
  storeOthers();
}

/** Stores a value of this tab, if storage takes it. */
export const rememberHere = (name: string, value: unknown, until: number) =>
  safely(() => sessionStorage.setItem(prefix + name, textOf(value, until)), undefined);

/** Removes values with a time. */
export const dropTimed = (isOver: (until: number, name: string) => boolean) =>
  namesAfter('').forEach((name) => {
    const entry = read(name);
    if (isTimed(entry) && isOver(entry.until, name)) drop(name);
  });

/** The names with this beginning, each without it. */
export function namesAfter(beginning: string) {
  const start = prefix + beginning;
  const names = safely(() => [localStorage, sessionStorage].flatMap(Object.keys), []).concat(
    [...waiting.keys()].map((name) => prefix + name),
  );
  return [...new Set(names)].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/**
 * Calls back when another tab changes a value under a name with this beginning, with the rest of the
 * name; with '' if it removes everything.
 */
export function onOtherTabs(beginning: string, changed: (rest: string) => void, signal?: AbortSignal) {
  const start = prefix + beginning;
  addEventListener(
    'storage',
    ({ key }) => {
      if ((key ?? start).startsWith(start)) changed((key ?? start).slice(start.length));
    },
    signal ? { signal } : {},
  );
}
