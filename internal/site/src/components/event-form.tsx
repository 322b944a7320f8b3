import { now } from '../lib/clock';
import { type Child, h, isEnter, person, user } from '../lib/dom';
import { closesAt } from '../model/event';
import { chosenMoment, endForm, isField, type Field, type Values, type Written } from './event-values';
import { colourOf } from '../lib/head';
import { t } from '../lib/i18n';
import { sendNow, type Shown } from '../model/outbox';
import { blank, characters, inLines, limits } from '../lib/text';
import { dateIn, readerDiffers, readerTime, timeIn, utcOffset, whenIn, zoneName } from '../model/time';
import { capitalized, clockText, daysAfter, nearDays, nearTimes, place, zones } from './zones';
import { button } from './buttons';
import { field } from './field';
import { notice, retry } from './notice';
import { tally } from './tally';
import { textsOf } from './unsent';

export type Form = Written & {
  /** an error of the whole form */
  problem: string;
  sending: Shown | false | undefined;
  /** the title at the last blur, which decides the colour of the preview */
  left: string;
  /** whether the menu has all time zones */
  choosing: boolean;
  type: <Name extends Field>(name: Name, value: Values[Name]) => void;
  leave: () => void;
  choose: () => void;
  submit: () => void;
};

/** Makes buttons for popular values of a field. */
const chips = (name: 'date' | 'time', offered: { value: string; texts: string[] }[], { values, sending, type }: Form) =>
  offered.length > 0 && (
    <div class="row chips" id={`near-${name}`} role="group" aria-label={fields()[name].label}>
      {offered.map(({ value, texts: [first, second] }) =>
        button([first, second && <strong>{` ${second}`}</strong>], () => type(name, value), 'secondary', {
          'aria-pressed': value === values[name] ? 'true' : 'false',
          'aria-disabled': sending && 'true',
        }),
      )}
    </div>
  );

const fields = () => ({
  title: { label: t('form.title'), limit: limits.title },
  host: { label: t('rsvp.name'), limit: limits.host, optional: true },
  date: { label: t('form.date') },
  time: { label: t('form.time') },
  days: { label: t('form.endDate') },
  endTime: { label: t('form.endTime') },
  timezone: { label: t('form.timezone') },
  location: { label: t('form.location'), limit: limits.location, optional: true },
  description: {
    label: t('form.description'),
    limit: limits.description,
    optional: true,
    hint: t('form.descriptionHint'),
  },
  reason: { label: t('cancel.reason'), limit: limits.reason, optional: true },
});

/** A field with its value and its error. The field takes no text while the form is sent. */
const fieldOf = (
  { values, errors, sending }: Form,
  id: keyof ReturnType<typeof fields>,
  control: Control,
  more: { value?: string; readonly?: boolean; hint?: string } = {},
) =>
  field({
    ...{ id, value: String(values[id]), error: errors[id], readonly: Boolean(sending), control },
    ...{ ...fields()[id], ...more },
  });

/**
 * The menu of time zones, folded unless it has an error, because most events are in the visitor's own zone. The summary
 * shows the zone's time, so that a wrong zone is noticed: some browsers hide their zone, and a device may be on a
 * journey.
 */
function zoneField(form: Form) {
  const { timezone } = form.values;
  const option = (zone: string) => <option value={zone}>{place(zone)}</option>;
  const regions: Record<string, string[]> = {};
  // Add all zones, some 420, only when the menu is about to open.
  for (const each of form.choosing ? zones(timezone) : []) {
    const region = /^(.+?)\//.exec(each)?.[1] ?? t('form.otherZones');
    (regions[region] ??= []).push(each);
  }
  const groups = Object.entries(regions).map(([label, all]) => <optgroup label={label}>{all.map(option)}</optgroup>);
  const menu = fieldOf(form, 'timezone', ({ readonly, ...given }) => (
    // Listen to pointerdown, which comes before focus: in some browsers a click does not focus a menu.
    <select {...given} aria-disabled={readonly && 'true'} onpointerdown={form.choose} onfocus={form.choose}>
      {form.choosing ? groups : option(timezone)}
    </select>
  ));
  if (form.errors.timezone) return menu;
  const there = { dateTime: new Date(now()).toISOString(), timezone };
  const zone = capitalized(zoneName(there));
  return (
    <details id="zone">
      <summary class="plain">{t('form.zone', { zone, time: timeIn(there) })}</summary>
      {menu}
    </details>
  );
}

type Control = Parameters<typeof field>[0]['control'];
const dateInput: Control = (given) => <input {...given} type="date" required max="9999-12-31" />;
const timeInput: Control = (given) => <input {...given} type="time" required />;

function when(form: Form, before?: string) {
  const { date, ends, timezone } = form.values;
  const days = before
    ? [
        { value: daysAfter(before, 1), texts: [t('change.day')] },
        { value: daysAfter(before, 7), texts: [t('change.week')] },
      ]
    : nearDays(timezone);
  return [
    <div class="pair">
      {fieldOf(form, 'date', dateInput)}
      {fieldOf(form, 'time', timeInput)}
    </div>,
    chips('date', days, form),
    chips('time', nearTimes(date, timezone), form),
    <div class="zone" id="zoned">
      {zoneField(form)}
      {moment(form)}
    </div>,
    button(ends ? t('form.removeEnd') : t('form.addEnd'), () => form.type('ends', !ends), 'plain zone', {
      ...{ id: 'end', 'aria-disabled': form.sending && 'true' },
    }),
    ends && endFields(form),
  ];
}

/** The fields of the end. They name its day unless it is the day of the start. */
function endFields(form: Form) {
  const { date } = form.values;
  const { date: value } = endForm(form.values);
  const { chosen } = chosenMoment(endForm(form.values));
  return (
    <div class="pair" id="ends">
      {fieldOf(form, 'days', dateInput, { value, readonly: !date || Boolean(form.sending) })}
      {fieldOf(form, 'endTime', timeInput, { hint: chosen && value !== date ? dateIn(chosen) : '' })}
    </div>
  );
}

/** In a field of one line, Enter moves to the next field. */
const toNext = {
  enterkeyhint: 'next' as const,
  onkeydown(event: KeyboardEvent) {
    if (!isEnter(event)) return;
    event.preventDefault();
    const all = [...document.querySelectorAll<HTMLElement>('#announce :is(input, textarea)')];
    all[all.findIndex((one) => one === event.target) + 1]?.focus();
  },
};

function eventForm(form: Form, before?: string) {
  const { sending } = form;
  const names = [
    fieldOf(form, 'title', (given) => (
      <textarea {...given} {...toNext} rows={1} required autocomplete="off" onblur={form.leave} />
    )),
    fieldOf(form, 'host', (given) => <input {...given} {...toNext} autocomplete="name" />),
  ];
  return (
    <form
      novalidate
      class="sheet"
      id="announce"
      aria-label={t('form.name')}
      oninput={({ target }) => {
        const { name, value } = target as HTMLInputElement;
        if (isField(name)) form.type(name, value);
      }}
      onsubmit={({ currentTarget }) => {
        // Programs fill in fields without an event.
        for (const [name, value] of new FormData(currentTarget))
          if (isField(name) && value !== String(form.values[name]).replace(/\r?\n|\r/g, '\r\n'))
            form.type(name, String(value).replaceAll('\r\n', '\n'));
        form.submit();
      }}
    >
      {before ? [when(form, before), names] : [names, when(form)]}
      {fieldOf(form, 'location', (given) => (
        <textarea {...given} rows={1} autocomplete="off" />
      ))}
      {fieldOf(form, 'description', (given) => (
        <textarea {...given} rows={4} />
      ))}
      {before && fieldOf(form, 'reason', (given) => <textarea {...given} rows={2} />)}
      <div class="problems" aria-live="assertive">
        {form.problem && notice('bad', <p>{form.problem}</p>)}
      </div>
      <div class="problems" aria-live="polite">
        {sending && sending.error && (
          <div class="notice" id="waiting">
            {sending.error.words && <p>{sending.error.words}</p>}
            <p>{textsOf(sending).waiting}</p>
            {retry(t('waiting.now'), sendNow)}
          </div>
        )}
      </div>
      <div class="send">
        <button type="submit" class="primary large" aria-disabled={sending && 'true'}>
          {sending ? t('form.sending') : before ? t('change.submit') : t('form.submit')}
        </button>
      </div>
    </form>
  );
}

/**
 * The event's start in words. If clocks go back and the hour occurs twice, also the choice between both occurrences.
 */
function moment({ values, sending, type }: Form) {
  const { found, chosen } = chosenMoment(values);
  return (
    <div aria-live="polite">
      {found.length > 1 && (
        <fieldset class="both" id="both">
          <legend>{t('form.twice', { time: clockText(values.time) })}</legend>
          {found.map(({ offset }, index) => (
            <label>
              <input
                type="radio"
                name="both"
                value={String(index)}
                checked={values.later === Boolean(index)}
                aria-disabled={sending && 'true'}
                onchange={() => type('later', Boolean(index))}
              />
              {index ? t('form.second', { offset: utcOffset(offset) }) : t('form.first', { offset: utcOffset(offset) })}
            </label>
          ))}
        </fieldset>
      )}
      <p class="preview">
        {chosen && [
          <span class="unseen">{whenIn(chosen)}</span>, // the poster is hidden from screen readers
          readerDiffers(chosen) && <span>{t('event.reader', { time: readerTime(chosen) })}</span>,
          Date.parse(chosen.dateTime) < Date.now() && (
            <span class="warn">{closesAt(chosen) < Date.now() ? t('form.longPast') : t('form.past')}</span>
          ),
        ]}
      </p>
    </div>
  );
}

/** The head of home. @param isKnown whether to keep the head small */
export const homeHead = (isKnown: boolean, ...content: Child[]) => (
  <section class={isKnown ? 'poster home known' : 'poster home'} id="home">
    <div class="wrap">{content}</div>
  </section>
);

/** A preview of the poster. Its colour changes on blur, not with every letter of the title. */
export function posterPreview({ values, left }: Form) {
  const { chosen } = chosenMoment(values);
  return (
    !blank(values.title) && (
      <div class="sketch" aria-hidden="true" data-colour={blank(left) ? null : colourOf(left)}>
        {!blank(values.host) && <p class="kicker">{person(values.host, 'strong')}</p>}
        {user(values.title, 'p', characters(values.title) > 60 ? 'sketch-title long' : 'sketch-title')}
        {chosen && <p class="big">{whenIn(chosen)}</p>}
        {!blank(values.location) && user(inLines(values.location), 'p', 'big')}
      </div>
    )
  );
}

/**
 * The form, with the future of the event below it. On a wide screen the preview of the poster is beside the form.
 * @param note what comes before the form
 * @param before the date of the event that this one replaces
 */
export const composer = (form: Form, note: Child, before?: string) => (
  <div class="wrap composer">
    {note}
    {eventForm(form, before)}
    <aside class="beside">
      {posterPreview(form) || (
        <div class="sketch" aria-hidden="true">
          <p class="sketch-title">{t('form.title')}</p>
          {tally(0, { ghosts: 5 })}
        </div>
      )}
      <p class="hint">{t('how.kept')}</p>
    </aside>
  </div>
);
