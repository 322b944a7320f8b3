// Tests the values of an event's form, in English. openSources serves the site's modules.
import type { NewEvent } from '../../src/model/event';
import type { Errors, Field, Values, Written } from '../../src/components/event-values';
import { plain } from './driving';

/** Chooses English before the modules are loaded. */
async function speakEnglish() {
  const { dataset } = document.documentElement;
  dataset.files = '/locales/en.json?*'; // sources have the texts of all pages
  dataset.languages = '{"en":"English"}';
  const { loadLanguage } = await import('../../src/lib/i18n');
  await loadLanguage('home');
}

async function form() {
  await speakEnglish();
  return import('../../src/components/event-values');
}

/** The errors that are not empty. */
const said = (errors: Errors) =>
  Object.fromEntries(
    Object.entries(errors)
      .filter(([, error]) => error)
      .map(([name, error]) => [name, plain(error)]),
  );

const told = ({ values, errors }: Written) => ({ values, errors: said(errors) });

export const checkForm = async (values: Values) => said((await form()).check(values));

export async function typeIntoForm({ values, errors }: Written, name: Field, value: Values[Field]) {
  const { typed } = await form();
  return told(typed({ values, errors: errors ?? {} }, name, value));
}

/** The form for Mara at its opening, with a draft. */
export async function restoreForm(draft: unknown) {
  const { restored } = await form();
  return told(restored({ host: 'Mara' }, draft));
}

export const formOf = async (event: NewEvent) => (await form()).valuesOf(event);

export const formAnew = async (event: NewEvent) => (await form()).anew(event);

export const sentBy = async (values: Values) => (await form()).bodyOf(values);

export const isSameEvent = async (old: NewEvent, body: NewEvent) => (await form()).isSame(old, body);

export const filledFields = async (values: Values) => (await form()).filled(values);

/** The errors of a form after the service has refused fields. */
export async function refuseForm(fields: string[], values: Values) {
  const { refusals } = await form();
  return said(refusals({ fieldErrors: fields.map((field) => ({ field, message: 'must be other' })) }, values));
}

/**
 * The days that the form offers in Tokyo at an instant, the times on the first of these days, and the times on a past
 * day.
 */
export async function nearDaysAndTimes(moment: string) {
  await speakEnglish();
  const { nearDays, nearTimes } = await import('../../src/components/zones');
  Date.now = () => Date.parse(moment);
  const days = nearDays('Asia/Tokyo');
  const times = [days[0]?.value ?? '', '2026-11-20'].map((date) => nearTimes(date, 'Asia/Tokyo'));
  return [days, ...times].map((all) => all.map(({ value, texts }) => [value, ...texts].join(' ')).join(', '));
}

/** The zones in which forms open on devices with these zones, and the errors of the zone's field. */
export async function zonesOnDevices(devices: string[]) {
  const { restored } = await form();
  const found: Record<string, string> = {};
  const { prototype } = Intl.DateTimeFormat;
  const original: unknown = Reflect.get(prototype, 'resolvedOptions');
  const options = new Intl.DateTimeFormat().resolvedOptions();
  for (const timeZone of devices) {
    prototype.resolvedOptions = () => ({ ...options, timeZone });
    const { values, errors } = told(restored({}, null));
    found[timeZone] = [values.timezone, errors.timezone].filter(Boolean).join(': ');
    await Promise.resolve(); // the page looks up the zone once in a microtask
  }
  Object.assign(prototype, { resolvedOptions: original });
  return found;
}
