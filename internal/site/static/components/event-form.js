// @ts-check
import { h } from '../lib/dom';
import { colourOf } from '../lib/head';
import { t } from '../lib/i18n';
import { characters, forTexts, limits } from '../lib/limits';
import { sendNow } from '../lib/outbox';
import { blank } from '../lib/text';
import { closesAt, readerDiffers, readerTime, utcOffset, whenIn, zoneName } from '../lib/time';
import { capitalized, clockText, daysAfter, moments, nearDays, nearTimes, place, zones } from '../lib/zones';
import { button } from './buttons';
import { field, problems, tooLong } from './field';

/** @typedef {import('../lib/limits').Text} Text */
/**
 * The form's content as typed. `later` chooses the second of two equal times; `reason` explains a
 * change to the guests.
 * @typedef {{ date: string, time: string, timezone: string, later: boolean, reason: string } & Record<Text, string>} Values
 */
/**
 * @typedef {object} State
 * @property {Values} values
 * @property {import('./field').FieldErrors} errors
 * @property {string[]} problems
 * @property {{ words?: string | undefined, half?: boolean } | null} sending words says why there is no answer
 *     yet; half means that the event exists, but the one that it replaces is not yet cancelled
 * @property {string} left the title at the last blur, which decides the colour of the preview
 * @property {boolean} choosing whether the menu has all time zones
 */
/** @typedef {{ type: (name: string, value: string | boolean) => void, leave: () => void, choose: () => void, submit: () => void }} Actions */

/**
 * The options of all zones, some 420, are made when the menu is about to open: most events are in
 * the visitor's own zone.
 * @param {State} state
 */
function zoneOptions({ choosing, values }) {
  /** @param {string} zone */
  const option = (zone) => h('option', { value: zone }, place(zone));
  if (!choosing) return [option(values.timezone)];
  const regions = new Map();
  for (const zone of zones(values.timezone)) {
    const [region, ...rest] = zone.split('/');
    const group = rest.length ? region : t('form.otherZones');
    regions.set(group, [...(regions.get(group) ?? []), zone]);
  }
  return [...regions].map(([label, members]) => h('optgroup', { label }, ...members.map(option)));
}

/** The moments with the form's date and time, and the chosen one. @param {Values} values */
export function chosenMoment({ date, time, timezone, later }) {
  const all = moments(date, time, timezone);
  return { all, chosen: all?.found[later && all.found.length > 1 ? 1 : 0] };
}

/** The error of each field, or "". @param {Values} values */
export const check = (values) => ({
  ...forTexts((name) => tooLong(values[name], limits[name])),
  title: blank(values.title) ? t('check.title') : tooLong(values.title, limits.title),
  // Some browsers accept years with more digits than a date-time has.
  date: /^\d{4}-/.test(values.date) ? '' : t('check.date'),
  time: checkTime(values),
  timezone: '',
  reason: tooLong(values.reason, limits.why),
});

/** @param {Values} values */
function checkTime(values) {
  if (!values.time) return t('check.time');
  const { all } = chosenMoment(values);
  if (!all || all.found.length) return '';
  return t('check.gap', { time: clockText(values.time), instead: all.instead });
}

/**
 * Buttons for popular values of a field.
 * @param {'date' | 'time'} name
 * @param {string} label
 * @param {{ value: string, texts: string[] }[]} offered
 * @param {Values} values
 * @param {Actions} actions
 */
const chips = (name, label, offered, values, actions) =>
  offered.length > 0 &&
  h(
    'div',
    { class: 'row chips', id: `near-${name}`, role: 'group', 'aria-label': label },
    ...offered.map(({ value, texts: [first, second] }) =>
      button([first, second && h('strong', {}, ` ${second}`)], () => actions.type(name, value), 'secondary', {
        'aria-pressed': String(value === values[name]),
      }),
    ),
  );

/**
 * Folded unless it has an error: most events are in the visitor's own zone.
 * @param {State} state
 * @param {Actions} actions
 */
function zoneField(state, actions) {
  const {
    values: { timezone },
    errors,
  } = state;
  const menu = field({
    id: 'timezone',
    label: t('form.timezone'),
    error: errors.timezone,
    // pointerdown comes before focus, and in some browsers a click does not focus a menu.
    control: h(
      'select',
      { name: 'timezone', value: timezone, onpointerdown: actions.choose, onfocus: actions.choose },
      ...zoneOptions(state),
    ),
  });
  const zone = capitalized(zoneName({ dateTime: new Date().toISOString(), timezone }));
  return errors.timezone
    ? menu
    : h('details', { id: 'zone' }, h('summary', { class: 'plain' }, t('form.zone', { zone })), menu);
}

/**
 * @param {State} state
 * @param {Actions} actions
 * @param {string} [before]
 */
function when(state, actions, before) {
  const { values, errors } = state;
  const days = before
    ? [
        { value: daysAfter(before, 1), texts: [t('change.day')] },
        { value: daysAfter(before, 7), texts: [t('change.week')] },
      ]
    : nearDays(values.timezone);
  return [
    h(
      'div',
      { class: 'pair' },
      field({
        id: 'date',
        label: t('form.date'),
        error: errors.date,
        control: h('input', { type: 'date', name: 'date', required: true, max: '9999-12-31', value: values.date }),
      }),
      field({
        id: 'time',
        label: t('form.time'),
        error: errors.time,
        control: h('input', { type: 'time', name: 'time', required: true, value: values.time }),
      }),
    ),
    chips('date', t('form.date'), days, values, actions),
    chips('time', t('form.time'), nearTimes(values.date, values.timezone), values, actions),
    h(
      'div',
      { class: 'zone', id: 'zoned' },
      zoneField(state, actions),
      h('div', { 'aria-live': 'polite' }, both(values, actions), preview(values)),
    ),
  ];
}

/**
 * @param {State} state
 * @param {Actions} actions
 * @param {string} [before] the date of the event that this one replaces
 */
export function eventForm(state, actions, before) {
  const { values, errors, sending } = state;
  /** @param {Text | 'reason'} id @param {string} label @param {import('../lib/dom').Props} props @param {object} [more] */
  const text = (id, label, props, more) =>
    field({
      id,
      label,
      limit: limits[id],
      error: errors[id],
      ...more,
      control: h('textarea', { name: id, value: values[id], ...props }),
    });
  const title = text('title', t('form.title'), {
    rows: 1,
    required: true,
    autocomplete: 'off',
    enterkeyhint: 'next',
    onkeydown: toNext,
    onblur: actions.leave,
  });
  return h(
    'form',
    {
      novalidate: true,
      class: 'sheet',
      id: 'announce',
      'aria-label': t('form.name'),
      oninput: (/** @type {any} */ { target }) => target.name && actions.type(target.name, target.value),
      onsubmit: actions.submit,
    },
    before ? [...when(state, actions, before), title] : [title, ...when(state, actions)],
    text('location', t('form.location'), { rows: 1, autocomplete: 'off' }, { optional: true }),
    text('description', t('form.description'), { rows: 4 }, { optional: true, hint: t('form.descriptionHint') }),
    before && text('reason', t('cancel.reason'), { rows: 2 }, { optional: true, limit: limits.why }),
    problems(state.problems),
    sending?.words
      ? h(
          'div',
          { class: 'notice', id: 'waiting' },
          h('p', {}, sending.words),
          h('p', {}, sending.half ? t('change.waiting') : t('waiting.event')),
          h('button', { type: 'button', class: 'secondary', onclick: sendNow }, t('waiting.now')),
        )
      : null,
    h(
      'div',
      { class: 'send' },
      h(
        'button',
        { type: 'submit', class: 'primary large', 'aria-disabled': sending && 'true' },
        sending ? t('form.sending') : before ? t('change.submit') : t('form.submit'),
      ),
    ),
  );
}

/** A title is one line: Enter moves to the next field. @param {any} event */
function toNext(event) {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  const fields = [...event.target.form.elements];
  fields[fields.indexOf(event.target) + 1].focus();
}

/**
 * The organizer chooses between the two occurrences of an hour when clocks go back.
 * @param {Values} values
 * @param {Actions} actions
 */
function both(values, actions) {
  const { all } = chosenMoment(values);
  return (
    all &&
    all.found.length > 1 &&
    h(
      'fieldset',
      { class: 'both', id: 'both' },
      h('legend', {}, t('form.twice', { time: clockText(values.time) })),
      ...all.found.map(({ offset }, index) =>
        h(
          'label',
          {},
          h('input', {
            type: 'radio',
            name: 'both',
            value: String(index),
            checked: values.later === Boolean(index),
            onchange: () => actions.type('later', Boolean(index)),
          }),
          index ? t('form.second', { offset: utcOffset(offset) }) : t('form.first', { offset: utcOffset(offset) }),
        ),
      ),
    )
  );
}

/** @param {Values} values */
function preview(values) {
  const { chosen } = chosenMoment(values);
  const event = chosen && { dateTime: chosen.dateTime, timezone: values.timezone };
  return h(
    'p',
    { class: 'preview' },
    ...(event
      ? [
          h('span', { class: 'unseen' }, whenIn(event)), // the poster is hidden from screen readers
          readerDiffers(event) && h('span', {}, t('event.reader', { time: readerTime(event) })),
          Date.parse(event.dateTime) < Date.now() &&
            h('span', { class: 'warn' }, closesAt(event) < Date.now() ? t('form.longPast') : t('form.past')),
        ]
      : []),
  );
}

/**
 * A preview of the poster. Its colour changes on blur, not with every letter of the title.
 * @param {State} state
 */
export function posterPreview({ values, left }) {
  const { chosen } = chosenMoment(values);
  return (
    !blank(values.title) &&
    h(
      'div',
      { class: 'sketch', 'aria-hidden': 'true', 'data-colour': blank(left) ? null : colourOf(left) },
      h('p', { class: `sketch-title user ${characters(values.title) > 60 ? 'long' : ''}`, dir: 'auto' }, values.title),
      chosen && h('p', { class: 'big' }, whenIn({ dateTime: chosen.dateTime, timezone: values.timezone })),
      !blank(values.location) && h('p', { class: 'big user', dir: 'auto' }, values.location),
    )
  );
}
