import { h, type Child, type Props } from '../lib/dom';
import { colourOf } from '../lib/head';
import { t } from '../lib/i18n';
import { sendNow } from '../lib/outbox';
import { blank, characters, forTexts, limits, type Text } from '../lib/text';
import { closesAt, readerDiffers, readerTime, utcOffset, whenIn, zoneName } from '../lib/time';
import { capitalized, clockText, daysAfter, moments, nearDays, nearTimes, place, zones } from '../lib/zones';
import { button } from './buttons';
import { field, problems, tooLong, type FieldErrors } from './field';
import { retry } from './notice';

/**
 * The form's content as typed. `later` chooses the second of two equal times; `reason` explains a
 * change to the guests.
 */
export type Values = { date: string; time: string; timezone: string; later: boolean; reason: string } & Record<
  Text,
  string
>;
export type State = {
  values: Values;
  errors: FieldErrors;
  problems: string[];
  /** words says why there is no answer yet; half means that the event exists, but the one that it replaces is not yet cancelled */
  sending: { words?: string | undefined; half?: boolean } | null;
  /** the title at the last blur, which decides the colour of the preview */
  left: string;
  /** whether the menu has all time zones */
  choosing: boolean;
};
export type Actions = {
  type: (name: string, value: string | boolean) => void;
  leave: () => void;
  choose: () => void;
  submit: () => void;
};

/**
 * The options of all zones, some 420, are made when the menu is about to open: most events are in
 * the visitor's own zone.
 */
function zoneOptions({ choosing, values }: State) {
  const option = (zone: string) => <option value={zone}>{place(zone)}</option>;
  if (!choosing) return [option(values.timezone)];
  const regions = new Map<string, string[]>();
  for (const zone of zones(values.timezone)) {
    const [region = '', ...rest] = zone.split('/');
    const group = rest.length ? region : t('form.otherZones');
    regions.set(group, [...(regions.get(group) ?? []), zone]);
  }
  return [...regions].map(([label, members]) => <optgroup label={label}>{members.map(option)}</optgroup>);
}

/** The moments with the form's date and time, and the chosen one. In a gap, the clock skips them. */
export function chosenMoment({ date, time, timezone, later }: Values) {
  const { found = [], instead = '' } = moments(date, time, timezone) ?? {};
  const one = found[later ? 1 : 0] ?? found[0];
  return {
    found,
    chosen: one && { dateTime: one.dateTime, timezone },
    instead,
    isGap: Boolean(instead && !found.length),
  };
}

/** The error of each field, or "". */
export const check = (values: Values) => ({
  ...forTexts((name) => tooLong(values[name], limits[name])),
  title: blank(values.title) ? t('check.title') : tooLong(values.title, limits.title),
  // Some browsers accept years with more digits than a date-time has.
  date: /^\d{4}-/.test(values.date) ? '' : t('check.date'),
  time: checkTime(values),
  timezone: '',
  reason: tooLong(values.reason, limits.why),
});

function checkTime(values: Values) {
  const { isGap, instead } = chosenMoment(values);
  if (!values.time) return t('check.time');
  return isGap ? t('check.gap', { time: clockText(values.time), instead }) : '';
}

/** Buttons for popular values of a field. */
const chips = (
  name: 'date' | 'time',
  label: string,
  offered: { value: string; texts: string[] }[],
  { values, sending }: State,
  actions: Actions,
) =>
  offered.length > 0 && (
    <div class="row chips" id={`near-${name}`} role="group" aria-label={label}>
      {offered.map(({ value, texts: [first, second] }) =>
        button([first, second && <strong>{` ${second}`}</strong>], () => actions.type(name, value), 'secondary', {
          'aria-pressed': String(value === values[name]),
          'aria-disabled': sending && 'true',
        }),
      )}
    </div>
  );

/** Folded unless it has an error: most events are in the visitor's own zone. */
function zoneField(state: State, actions: Actions) {
  const {
    values: { timezone },
    errors,
    sending,
  } = state;
  const menu = field({
    id: 'timezone',
    label: t('form.timezone'),
    value: timezone,
    error: errors.timezone,
    // pointerdown comes before focus, and in some browsers a click does not focus a menu.
    control: (given) => (
      <select {...given} aria-disabled={sending && 'true'} onpointerdown={actions.choose} onfocus={actions.choose}>
        {zoneOptions(state)}
      </select>
    ),
  });
  const zone = capitalized(zoneName({ dateTime: new Date().toISOString(), timezone }));
  return errors.timezone ? (
    menu
  ) : (
    <details id="zone">
      <summary class="plain">{t('form.zone', { zone })}</summary>
      {menu}
    </details>
  );
}

type Control = Parameters<typeof field>[0]['control'];

/** A field with its value and its error, which takes no text while the form is sent. */
const fieldOf = (
  { values, errors, sending }: State,
  id: (keyof typeof limits & keyof Values) | 'date' | 'time',
  label: string,
  control: (given: Parameters<Control>[0] & { readonly: boolean }) => ReturnType<Control>,
  more: object = {},
) =>
  field({
    id,
    label,
    value: values[id],
    error: errors[id],
    ...more,
    control: (given) => control({ ...given, readonly: sending !== null }),
  });

function when(state: State, actions: Actions, before?: string) {
  const { values } = state;
  const days = before
    ? [
        { value: daysAfter(before, 1), texts: [t('change.day')] },
        { value: daysAfter(before, 7), texts: [t('change.week')] },
      ]
    : nearDays(values.timezone);
  return [
    <div class="pair">
      {fieldOf(state, 'date', t('form.date'), (given) => (
        <input {...given} type="date" required max="9999-12-31" />
      ))}
      {fieldOf(state, 'time', t('form.time'), (given) => (
        <input {...given} type="time" required />
      ))}
    </div>,
    chips('date', t('form.date'), days, state, actions),
    chips('time', t('form.time'), nearTimes(values.date, values.timezone), state, actions),
    <div class="zone" id="zoned">
      {zoneField(state, actions)}
      <div aria-live="polite">
        {both(state, actions)}
        {preview(values)}
      </div>
    </div>,
  ];
}

/** @param before the date of the event that this one replaces */
export function eventForm(state: State, actions: Actions, before?: string) {
  const { sending } = state;
  const text = (id: Text | 'reason', label: string, props: Props, more?: object) =>
    fieldOf(state, id, label, (given) => <textarea {...given} {...props} />, { limit: limits[id], ...more });
  const title = text('title', t('form.title'), {
    rows: 1,
    required: true,
    autocomplete: 'off',
    enterkeyhint: 'next',
    onkeydown: toNext,
    onblur: actions.leave,
  });
  const host = fieldOf(
    state,
    'host',
    t('rsvp.name'),
    (given) => <input {...given} autocomplete="name" enterkeyhint="next" onkeydown={toNext} />,
    { limit: limits.host, optional: true },
  );
  return (
    <form
      novalidate
      class="sheet"
      id="announce"
      aria-label={t('form.name')}
      oninput={({ target }) => {
        const { name, value } = target as HTMLInputElement;
        actions.type(name, value);
      }}
      onsubmit={actions.submit}
    >
      {before ? [...when(state, actions, before), title, host] : [title, host, ...when(state, actions)]}
      {text('location', t('form.location'), { rows: 1, autocomplete: 'off' }, { optional: true })}
      {text('description', t('form.description'), { rows: 4 }, { optional: true, hint: t('form.descriptionHint') })}
      {before && text('reason', t('cancel.reason'), { rows: 2 }, { optional: true, limit: limits.why })}
      {problems(state.problems)}
      <div class="problems" aria-live="polite">
        {sending?.words !== undefined && (
          <div class="notice" id="waiting">
            {sending.words && <p>{sending.words}</p>}
            <p>{sending.half ? t('change.waiting') : t('waiting.event')}</p>
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

/** In a field of one line, Enter moves to the next field. */
function toNext(event: Event) {
  const { key, isComposing, target } = event as KeyboardEvent & { target: HTMLInputElement };
  if (key !== 'Enter' || isComposing) return;
  event.preventDefault();
  const fields = [...(target.form?.elements ?? [])] as HTMLElement[];
  fields[fields.indexOf(target) + 1]?.focus();
}

/** The organizer chooses between the two occurrences of an hour when clocks go back. */
function both({ values, sending }: State, actions: Actions) {
  const { found } = chosenMoment(values);
  return (
    found.length > 1 && (
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
              onchange={() => actions.type('later', Boolean(index))}
            />
            {index ? t('form.second', { offset: utcOffset(offset) }) : t('form.first', { offset: utcOffset(offset) })}
          </label>
        ))}
      </fieldset>
    )
  );
}

function preview(values: Values) {
  const event = chosenMoment(values).chosen;
  return (
    <p class="preview">
      {event && [
        <span class="unseen">{whenIn(event)}</span>, // the poster is hidden from screen readers
        readerDiffers(event) && <span>{t('event.reader', { time: readerTime(event) })}</span>,
        Date.parse(event.dateTime) < Date.now() && (
          <span class="warn">{closesAt(event) < Date.now() ? t('form.longPast') : t('form.past')}</span>
        ),
      ]}
    </p>
  );
}

/** The head of home. @param isKnown whether to keep it small */
export const homeHead = (isKnown: boolean, ...content: Child[]) => (
  <section class={isKnown ? 'poster home known' : 'poster home'} id="home">
    <div class="wrap">{content}</div>
  </section>
);

/** A preview of the poster. Its colour changes on blur, not with every letter of the title. */
export function posterPreview({ values, left }: State) {
  const { chosen } = chosenMoment(values);
  return (
    !blank(values.title) && (
      <div class="sketch" aria-hidden="true" data-colour={blank(left) ? null : colourOf(left)}>
        <p class={`sketch-title user ${characters(values.title) > 60 ? 'long' : ''}`} dir="auto">
          {values.title}
        </p>
        {chosen && <p class="big">{whenIn(chosen)}</p>}
        {!blank(values.location) && (
          <p class="big user" dir="auto">
            {values.location}
          </p>
        )}
      </div>
    )
  );
}
