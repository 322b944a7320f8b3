// Type guards for values from storage and JSON.
export type Guard<T> = (value: unknown) => value is T;
export type Guarded<Check> = Check extends Guard<infer T> ? T : never;

export type Members = Record<string, Guard<unknown>>;
type Optional<M extends Members> = { [Name in keyof M]: undefined extends Guarded<M[Name]> ? Name : never }[keyof M];
/** An object with these members. A member that may be undefined may be absent. */
export type Of<M extends Members> = { [Name in Exclude<keyof M, Optional<M>>]: Guarded<M[Name]> } & {
  [Name in Optional<M>]?: Guarded<M[Name]>;
};

export const isText = (value: unknown) => typeof value === 'string';
export const isNumber = (value: unknown) => typeof value === 'number';
export const isFlag = (value: unknown) => typeof value === 'boolean';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUUID = (value: unknown): value is string => isText(value) && uuid.test(value);

/** Whether a value is a date-time of RFC 3339, which has years of four digits. */
export const isDateTime = (value: unknown): value is string =>
  isText(value) && /^\d{4}-.{0,40}$/.test(value) && Number.isFinite(Date.parse(value));

export const is =
  <const Value extends string | boolean>(wanted: Value): Guard<Value> =>
  (value): value is Value =>
    value === wanted;

export const maybe =
  <T>(guard: Guard<T>): Guard<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || guard(value);

export const listOf =
  <T>(guard: Guard<T>): Guard<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(guard);

export const has =
  <M extends Members>(members: M): Guard<Of<M>> =>
  (value): value is Of<M> =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(members).every(([name, guard]) => guard(Reflect.get(value, name)));
