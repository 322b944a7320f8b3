// The values of an event's form, with their checks. The functions depend on these values alone.
import type { APIError } from '../model/api';
import type { NewEvent } from '../model/event';
import { locale, t } from '../lib/i18n';
import { blank, forTexts, limits, texts, tooLong } from '../lib/text';
import { isZone } from '../model/time';
import { clockText, isOffset, moments, ownZone, wallClock } from './zones';

/** `later` chooses the second of two equal times. `reason` explains a change to the guests. */
const blankValues = { ...forTexts(() => ''), date: '', time: '', timezone: '', later: false, reason: '' };
export type Values = typeof blankValues;
export type Field = keyof Values;
/** The error message of each field, or "". */
export type Errors = Partial<Record<Field, string>>;
export type Written = { values: Values; errors: Errors };

export const isField = (name: string): name is Field => Object.hasOwn(blankValues, name);

/**
 * The instants with the form's date and time, and the chosen instant. If the clock skips the time, `gap` is the time
 * after the skipped hour.
 */
export function chosenMoment({ date, time, timezone, later }: Values) {
  const { found = [], instead = '' } = moments(date, time, timezone) ?? {};
  const one = found[later ? 1 : 0] ?? found[0];
  return { found, chosen: one && { dateTime: one.dateTime, timezone }, gap: one ? '' : instead };
}

export function check(values: Values): Record<Field, string> {
  const { gap } = chosenMoment(values);
  return {
    ...forTexts((name) => tooLong(values[name], limits[name])),
    title: blank(values.title) ? t('check.title') : tooLong(values.title, limits.title),
    // Some browsers accept years with more digits than a date-time has.
    date: /^\d{4}-/.test(values.date) ? '' : t('check.date'),
    time: values.time ? gap && t('check.gap', { time: clockText(values.time), instead: gap }) : t('check.time'),
    timezone: isOffset(values.timezone) ? t('check.zone') : '',
    later: '',
    reason: tooLong(values.reason, limits.reason),
  };
}

/** Fields that also decide the error of another field. Whether the time exists depends on the date and on the zone. */
const decides: Partial<Record<Field, Field>> = { date: 'time', timezone: 'time' };

/**
 * The form with another value. An error disappears once the visitor corrects it. A new error is shown only if the time
 * does not exist.
 */
export function typed<Name extends Field>({ values, errors }: Written, name: Name, value: Values[Name]): Written {
  // A title is one line, so join pasted lines.
  const text = name === 'title' ? String(value).replace(/\s*[\r\n]+\s*/g, ' ') : value;
  const next = { ...values, [name]: text };
  const found = check(next);
  const left = { ...errors };
  for (const field of [name, decides[name] ?? name])
    if (errors[field] || (field === 'time' && next.time)) left[field] = found[field];
  return { values: next, errors: left };
}

/** The form at its opening. The values of a draft override other values. */
export function restored(values: Partial<Values>, kept: unknown): Written {
  const drafted = Object.entries(Object(kept) as object).filter(
    ([name, value]) => isField(name) && typeof value === typeof blankValues[name],
  );
  const all: Values = { ...blankValues, ...values, ...Object.fromEntries(drafted) };
  if (!isZone(all.timezone)) all.timezone = ownZone();
  const { time, timezone } = check(all);
  return { values: all, errors: { ...(all.time && { time }), ...(timezone && { timezone }) } };
}

export function valuesOf({ timezone: zone, dateTime, ...event }: NewEvent) {
  const timezone = isZone(zone) ? zone : ownZone();
  const at = Date.parse(dateTime);
  const [date, time] = wallClock(at, timezone);
  return {
    ...forTexts((name) => event[name] ?? ''),
    timezone,
    date,
    time,
    later: Date.parse(moments(date, time, timezone)?.found[1]?.dateTime ?? '') === at,
  };
}

/** The values for announcing an old event once more, on another day. */
export const anew = (old: NewEvent) => ({ ...valuesOf(old), date: '', later: false });

/**
 * The request body for values without errors. It has no blank texts. Texts of an older event keep their language; new
 * texts have the page's language.
 */
export const bodyOf = (values: Values): NewEvent => ({
  ...forTexts((name) => (blank(values[name]) ? undefined : values[name])),
  title: values.title,
  language: values.language || locale,
  timezone: values.timezone,
  dateTime: chosenMoment(values).chosen?.dateTime ?? '',
});

/** Whether a form changes nothing. Adding the language that an older event lacks is no change. */
export const isSame = (old: NewEvent, body: NewEvent) =>
  Date.parse(old.dateTime) === Date.parse(body.dateTime) &&
  old.timezone === body.timezone &&
  texts.every((name) => (old[name] ?? (name === 'language' ? body.language : '')) === (body[name] ?? ''));

/**
 * Messages for the refused fields: the form's own message, or else a general one. The service's messages are in
 * English.
 */
export function refusals({ fieldErrors }: Pick<APIError, 'fieldErrors'>, values: Values) {
  const found = check(values);
  const general: Errors = { date: t('check.moment'), timezone: t('check.zone') };
  const errors: Errors = {};
  for (const { field } of fieldErrors) {
    const name = field === 'dateTime' ? 'date' : field;
    // The form has no field for the language.
    if (isField(name) && name !== 'language') errors[name] = found[name] || (general[name] ?? t('check.refused'));
  }
  return errors;
}

/** Whether each field about the event itself is filled. The host does not count because the form remembers it. */
export const filled = (values: Values) =>
  [...texts.filter((name) => name !== 'host' && name !== 'language'), 'date' as const, 'time' as const].map(
    (name) => !blank(values[name]),
  );
