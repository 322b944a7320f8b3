// Keeps values in local storage. If storage refuses a value (private mode, disabled, full), the value stays in memory
// while the page is open. Each entry of a list has its own name, so that no tab overwrites another tab's entry. Session
// storage has the values of one tab. A value with an expiry is stored as { until, value }.
import { has, isNumber, type Guard } from './guards';

const prefix = 'turnout.';
const isTimed = has({ until: isNumber });

/** Values that storage does not have yet, as JSON by name. */
const waiting: Map<string, string> = new Map();

/** @param work uses storage, which may throw */
function safely<T>(work: () => T) {
  try {
    return work();
  } catch {
    return null;
  }
}

/** The names in storage, and those that this microtask has read, because one drawing reads them many times. */
let seen: { names: Set<string> | null; read: Set<string> } | null = null;

/**
 * The values that were read, each with its text and the outcome of the last guard, because most texts stay the same.
 * Callers share the values, so they must not change them.
 */
const parsed: Map<string, Entry> = new Map();
type Entry = { text: string; value: unknown; until?: number; guard?: Guard<unknown> | undefined; isValid: boolean };

function look() {
  if (!seen) queueMicrotask(() => (seen = null));
  return (seen ??= { names: null, read: new Set() });
}

function list() {
  const all = safely(() => [localStorage, sessionStorage].flatMap(Object.keys)) ?? [];
  const ours = all.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return new Set([...ours, ...waiting.keys()]);
}

/** Updates `seen` after this page has stored or removed a value. */
function change(name: string, isThere: boolean) {
  seen?.names?.[isThere ? 'add' : 'delete'](name);
  seen?.read.delete(name);
}

const stored = (name: string) =>
  safely(() => localStorage.getItem(prefix + name) ?? sessionStorage.getItem(prefix + name));

function read(name: string) {
  const last = parsed.get(name);
  const { read: done } = look();
  if (last && done.has(name)) return last;
  done.add(name);
  const text = waiting.get(name) ?? stored(name) ?? 'null';
  if (last?.text === text) return last;
  const value = safely((): unknown => JSON.parse(text));
  const entry: Entry = { text, value, isValid: true };
  if (isTimed(value)) Object.assign(entry, { until: value.until, value: Reflect.get(value, 'value') as unknown });
  parsed.set(name, entry);
  return entry;
}

const textOf = (value: unknown, until?: number) => JSON.stringify(until ? { until, value } : value);

/** The value under a name; null if the value is missing or unreadable, or if the guard refuses it. */
export function recall(name: string): unknown;
export function recall<T>(name: string, guard: Guard<T>): T | null;
export function recall(name: string, guard?: Guard<unknown>) {
  const entry = read(name);
  if (entry.guard !== guard) Object.assign(entry, { guard, isValid: !guard || guard(entry.value) });
  return entry.isValid ? entry.value : null;
}

/** Stores a value, or removes the name if the value is falsy. @param until when the value may be deleted, if ever */
export function remember(name: string, value: unknown, until?: number) {
  if (!value) return remove(name);
  waiting.set(name, textOf(value, until));
  change(name, true);
  return store(name) && storeOthers();
}

/** Stores a waiting value. Reports whether storage has it. */
function store(name: string) {
  const text = waiting.get(name) as string;
  safely(() => localStorage.setItem(prefix + name, text));
  return stored(name) === text && waiting.delete(name);
}

// Retries the values that storage has refused.
const storeOthers = () => [...waiting.keys()].forEach(store);

/** Whether storage has all values under names with this beginning, so that the values outlive the page. */
export const keeps = (beginning: string) => ![...waiting.keys()].some((name) => name.startsWith(beginning));

export function remove(name: string) {
  waiting.delete(name);
  safely(() => [localStorage, sessionStorage].forEach((storage) => storage.removeItem(prefix + name)));
  parsed.delete(name);
  change(name, false);
  storeOthers();
}

/** Stores a value for this tab only, unless session storage refuses the value. */
export function rememberHere(name: string, value: unknown, until?: number) {
  safely(() => sessionStorage.setItem(prefix + name, textOf(value, until)));
  change(name, true);
}

/** Removes values with an expiry, if isOver says so. */
export const removeTimed = (isOver: (until: number, name: string) => boolean) =>
  namesAfter('').forEach((name) => {
    const { until } = read(name);
    if (until !== undefined && isOver(until, name)) remove(name);
  });

/** The names in storage that have this beginning, without the beginning. */
export const namesAfter = (beginning: string) =>
  [...(look().names ??= list())]
    .filter((name) => name.startsWith(beginning))
    .map((name) => name.slice(beginning.length));

/**
 * Calls back when another tab changes a value under a name with this beginning. The argument is the rest of the name,
 * or '' if the other tab removes everything.
 */
export function onOtherTabs(beginning: string, changed: (rest: string) => void, signal?: AbortSignal) {
  const start = prefix + beginning;
  const listener = ({ key }: StorageEvent) => {
    const name = key ?? start;
    if (name.startsWith(start)) changed(name.slice(start.length));
  };
  addEventListener('storage', listener, signal && { signal });
}
