// The values of an event's form, with their checks. The functions depend on these values alone.
import type { APIError } from '../model/api';
import { endsAt, sameDates, type NewEvent } from '../model/event';
import { locale, t } from '../lib/i18n';
import { blank, forTexts, limits, texts, tooLong } from '../lib/text';
import { isZone } from '../model/time';
import { clockText, daysAfter, daysBetween, isOffset, moments, ownZone, wallClock } from './zones';

/**
 * `later` chooses the second of two equal times. `ends` says whether the event has an end, and `days` how many days
 * after the start, so that the end moves with the start. `reason` explains a change to the guests.
 */
const blankValues = {
  ...{ ...forTexts(() => ''), date: '', time: '', timezone: '', later: false, reason: '' },
  ...{ ends: false, days: 0, endTime: '' },
};
export type Values = typeof blankValues;
export type Field = keyof Values;
/** The error message of each field, or "". */
export type Errors = Partial<Record<Field, string>>;
export type Written = { values: Values; errors: Errors };

export const isField = (name: string): name is Field => Object.hasOwn(blankValues, name);

/**
 * The form with the end in place of the start. On the day of the start, an end before the time of the start is on the
 * next day. Of two equal times the end is the second, which comes after either start.
 */
export function endForm(values: Values): Values {
  const { date, time, days, endTime } = values;
  const isNextDay = !days && endTime !== '' && endTime < time;
  return { ...values, date: daysAfter(date, isNextDay ? 1 : days), time: endTime, later: true, ends: false };
}

/**
 * The instants with the form's date and time, and the chosen instant. If the clock skips the time, `gap` is the time
 * after the skipped hour.
 */
function startOf({ date, time, timezone, later }: Values) {
  const { found = [], instead = '' } = moments(date, time, timezone) ?? {};
  const one = found[later ? 1 : 0] ?? found[0];
  return { found, chosen: one && { dateTime: one.dateTime, timezone }, gap: one ? '' : instead };
}

/** As startOf, with the end. */
export function chosenMoment(values: Values) {
  const start = startOf(values);
  const end = values.ends ? startOf(endForm(values)).chosen : undefined;
  return { ...start, chosen: start.chosen && { ...start.chosen, endDateTime: end?.dateTime } };
}

export function check(values: Values): Record<Field, string> {
  const { gap, chosen } = chosenMoment(values);
  const end = values.ends ? check(endForm(values)) : null;
  const order = chosen?.endDateTime && !endsAt(chosen) ? t('check.end') : '';
  return {
    ...forTexts((name) => tooLong(values[name], limits[name])),
    title: blank(values.title) ? t('check.title') : tooLong(values.title, limits.title),
    // Some browsers accept years with more digits than a date-time has.
    date: /^\d{4}-/.test(values.date) ? '' : t('check.date'),
    time: values.time ? gap && t('check.gap', { time: clockText(values.time), instead: gap }) : t('check.time'),
    timezone: isOffset(values.timezone) ? t('check.zone') : '',
    ...{ later: '', ends: '' },
    days: (values.days && (order || end?.date)) || '',
    endTime: end?.time || (values.days ? '' : order),
    reason: tooLong(values.reason, limits.reason),
  };
}

/** Whether a field is about the start or the end. All other fields are texts. */
const isMoment = (name: string) => !Object.hasOwn(limits, name);

/**
 * The form with another value. An error disappears once the visitor corrects it. A new error is shown at once only for
 * a time that does not exist or is no end, and for the zone. The value of `days` is the date of the end.
 */
export function typed<Name extends Field>({ values, errors }: Written, name: Name, value: Values[Name]): Written {
  const next = { ...values, [name]: value };
  // A title is one line, so join pasted lines.
  if (name === 'title') next.title = next.title.replace(/\s*[\r\n]+\s*/g, ' ');
  if (name === 'days') next.days = value ? daysBetween(values.date, String(value)) : values.days;
  const left = { ...errors };
  for (const [field, error] of Object.entries(check(next)))
    if (isField(field) && (field === name || (isMoment(field) && isMoment(name))))
      if (errors[field] || (/time/i.test(field) && next[field])) left[field] = error;
  return { values: next, errors: left };
}

/** The form at its opening. The values of a draft override other values. */
export function restored(values: Partial<Values>, kept: unknown): Written {
  const drafted = Object.entries(Object(kept) as object).filter(
    ([name, value]) => isField(name) && typeof value === typeof blankValues[name],
  );
  const all: Values = { ...blankValues, ...values, ...Object.fromEntries(drafted) };
  if (!isZone(all.timezone)) all.timezone = ownZone();
  return typed({ values: all, errors: {} }, 'timezone', all.timezone);
}

export function valuesOf(event: NewEvent) {
  const timezone = isZone(event.timezone) ? event.timezone : ownZone();
  const at = Date.parse(event.dateTime);
  const [date, time] = wallClock(at, timezone);
  const end = endsAt(event);
  const [lastDate, endTime] = end ? wallClock(end, timezone) : [date, ''];
  const days = daysBetween(date, lastDate);
  return {
    ...forTexts((name) => event[name] ?? ''),
    ...{ timezone, date, time, ends: Boolean(end), endTime },
    days: days === 1 && endTime < time ? 0 : days, // an earlier time is on the next day anyway
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
  ...{ timezone: values.timezone, dateTime: '', ...chosenMoment(values).chosen },
});

/** Whether a form changes nothing. Adding the language that an older event lacks is no change. */
export const isSame = (old: NewEvent, body: NewEvent) =>
  sameDates(old, body) &&
  old.timezone === body.timezone &&
  texts.every((name) => (old[name] ?? (name === 'language' ? body.language : '')) === (body[name] ?? ''));

/**
 * Messages for the refused fields: the form's own message, or else a general one. The service's messages are in
 * English.
 */
export function refusals({ fieldErrors }: Pick<APIError, 'fieldErrors'>, values: Values) {
  const found = check(values);
  const general: Errors = { date: t('check.moment'), days: t('check.end'), timezone: t('check.zone') };
  const errors: Errors = {};
  for (const { field } of fieldErrors) {
    const name = { dateTime: 'date', endDateTime: 'days' }[field] ?? field;
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
