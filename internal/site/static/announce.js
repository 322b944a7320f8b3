import { createEvent } from './service.js';
import { button, field, focusOn, growing, h, locked, notice, say } from './dom.js';
import { t } from './i18n.js';
import { mineLink, mineSection } from './mine.js';
import { draft, keepDraft, keepMine } from './storage.js';
import { tally } from './tally.js';
import { closesAt, dateIn, moments, offsetText, ownZone, place, readerDiffers, timeIn, zonedTimeIn, zones } from './time.js';

const limits = { title: 200, description: 2000, location: 500 };
const blank = (text) => !/\S/u.test(text);

function zoneSelect() {
  const regions = new Map();
  for (const zone of zones()) {
    const [region, ...rest] = zone.split('/');
    const group = rest.length ? region : t('form.otherZones');
    if (!regions.has(group)) regions.set(group, h('optgroup', { label: group }));
    regions.get(group).append(h('option', { value: zone }, place(zone)));
  }
  return h('select', { name: 'timezone' }, ...regions.values());
}

export function announcePage(page) {
  const { head, show, go, signal } = page;
  head({ indexed: true });
  const saved = draft('event') ?? {};
  const text = (name, attributes) => growing(h('textarea', { name, value: saved[name] ?? '', dir: 'auto', ...attributes }));

  const title = field({ id: 'title', label: t('form.title'), limit: limits.title,
    control: text('title', { rows: 1, required: true, autocomplete: 'off', enterkeyhint: 'next' }) });
  const date = field({ id: 'date', label: t('form.date'),
    control: h('input', { type: 'date', name: 'date', required: true, max: '9999-12-31', value: saved.date ?? '' }) });
  const time = field({ id: 'time', label: t('form.time'),
    control: h('input', { type: 'time', name: 'time', required: true, value: saved.time ?? '' }) });
  const timezone = field({ id: 'timezone', label: t('form.timezone'),
    control: zoneSelect() });
  timezone.control.value = saved.timezone ?? '';
  if (!timezone.control.value) timezone.control.value = ownZone();
  const location = field({ id: 'location', label: t('form.location'), optional: true, limit: limits.location,
    control: text('location', { rows: 1, autocomplete: 'off' }) });
  const description = field({ id: 'description', label: t('form.description'), optional: true, limit: limits.description,
    hint: t('form.descriptionHint'), control: text('description', { rows: 4 }) });
  const fields = { title, date, time, timezone, location, description };

  const preview = h('p', { class: 'preview' });
  const twice = h('fieldset', { class: 'twice', hidden: true });
  const strokes = h('div', { class: 'progress' });
  const problems = h('div', { 'aria-live': 'assertive' });
  const submit = h('button', { type: 'submit', class: 'strong' }, t('form.submit'));
  let later = Boolean(saved.later);

  const value = (name) => fields[name].control.value;

  function dateTime() {
    const all = moments(value('date'), value('time'), value('timezone'));
    return { all, chosen: all?.found[later && all.found.length > 1 ? 1 : 0] };
  }

  const checks = {
    title: () => (blank(value('title')) ? t('check.title') : tooLong('title')),
    // Some browsers take years of more digits than a date-time has.
    date: () => (/^\d{4}-/.test(value('date')) ? '' : t('check.date')),
    time() {
      if (!value('time')) return t('check.time');
      const { all } = dateTime();
      if (!all || all.found.length) return '';
      return t('check.gap', { time: value('time'), zone: place(value('timezone')), instead: all.instead });
    },
    timezone: () => '',
    location: () => tooLong('location'),
    description: () => tooLong('description'),
  };

  function tooLong(name) {
    const over = [...value(name)].length - limits[name];
    return over > 0 ? t('check.long', { n: over }) : '';
  }

  // Turned-back clocks show an hour twice; the organizer says which is meant.
  function offerBoth(all) {
    const both = all?.found.length > 1;
    twice.hidden = !both;
    if (!both) return;
    twice.replaceChildren(h('legend', {}, t('form.twice', { time: value('time') })), ...all.found.map(({ offset }, index) => {
      const choice = h('input', { type: 'radio', name: 'twice', value: String(index) });
      choice.checked = later === Boolean(index);
      choice.addEventListener('change', () => { later = Boolean(index); changed(); keep(); });
      return h('label', {}, choice, index ? t('form.second', { offset: offsetText(offset) }) : t('form.first', { offset: offsetText(offset) }));
    }));
  }

  function changed() {
    const { all, chosen } = dateTime();
    const event = chosen && { dateTime: chosen.dateTime, timezone: value('timezone') };
    preview.replaceChildren(...event ? [
      h('strong', {}, dateIn(event)), `, ${zonedTimeIn(event)}`,
      readerDiffers(event) && h('span', {}, t('form.here', { date: dateIn(event, ownZone()), time: timeIn(event, ownZone()) })),
      Date.parse(event.dateTime) < Date.now() && h('span', { class: 'warn' },
        closesAt(event) < Date.now() ? t('form.longPast') : t('form.past')),
    ].filter(Boolean) : []);
    return all;
  }

  function progress() {
    const done = ['title', 'date', 'time', 'timezone'].filter((name) => !blank(value(name))).length;
    strokes.replaceChildren(tally(done, { ghosts: 5 }));
  }

  function keep() {
    keepDraft('event', { ...Object.fromEntries(Object.keys(fields).map((name) => [name, value(name)])), later });
  }

  function recheck(name) {
    const message = checks[name]();
    fields[name].fail(message);
    return message;
  }

  timezone.row.lastElementChild.append(h('div', { 'aria-live': 'polite' }, twice, preview));
  const form = h('form', { novalidate: true, class: 'sheet', 'aria-label': t('form.name') },
    title.row,
    h('div', { class: 'pair' }, date.row, time.row),
    timezone.row,
    location.row, description.row,
    problems,
    h('div', { class: 'send' }, submit, h('p', { class: 'hint' }, t('form.promise'))));

  form.addEventListener('input', (event) => {
    const { name } = event.target;
    if (['date', 'time', 'timezone'].includes(name)) {
      const all = changed();
      offerBoth(all);
      // A time that does not exist is said at once, not only when sending.
      if (time.failed() || (all && !all.found.length)) recheck('time');
    }
    progress();
    if (name !== 'time' && fields[name]?.failed()) recheck(name);
    keep();
  });
  // A title is one line, also a pasted one; Enter goes on, as in any such field.
  title.control.addEventListener('input', () => {
    if (/[\r\n]/.test(title.control.value)) title.control.value = title.control.value.replace(/\s*[\r\n]+\s*/g, ' ');
  });
  title.control.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return;
    event.preventDefault();
    date.control.focus();
  });

  function explain(failure) {
    const names = { dateTime: 'date' };
    const rest = [];
    for (const { field: name, message } of failure.fieldErrors) {
      const target = fields[names[name] ?? name];
      if (target) target.fail(message);
      else rest.push(`${name}: ${message}`);
    }
    const placed = failure.fieldErrors.length > rest.length;
    problems.replaceChildren(notice('bad', h('p', {}, placed ? t('form.refused') : failure.words),
      ...rest.map((line) => h('p', {}, line)),
      failure.uncertain && h('p', {}, t('form.uncertain'))));
    if (placed) focusOn(form.querySelector('[aria-invalid]'));
  }

  form.addEventListener('submit', locked(async () => {
    problems.replaceChildren();
    const wrong = Object.keys(fields).filter(recheck);
    if (wrong.length) {
      focusOn(fields[wrong[0]].control);
      say(t('check.count', { n: wrong.length }));
      return;
    }
    submit.textContent = t('form.sending');
    try {
      const body = { title: value('title'), dateTime: dateTime().chosen.dateTime, timezone: value('timezone') };
      if (!blank(value('location'))) body.location = value('location');
      if (!blank(value('description'))) body.description = value('description');
      const created = await createEvent(body);
      keepMine({ events: [created] });
      keepDraft('event', null);
      if (!signal.aborted) go(`/e/${created.eventToken}#organizer=${created.organizerToken}`, { created: true });
    } catch (failure) {
      explain(failure);
    } finally {
      submit.textContent = t('form.submit');
    }
  }));

  show(
    h('section', { class: 'poster home' }, h('div', { class: 'wrap' },
      h('div', {}, h('h1', {}, t('home.title')), h('p', { class: 'lead' }, t('home.lead')), mineLink()), strokes)),
    h('div', { class: 'wrap' }, form, mineSection()));
  offerBoth(changed());
  progress();
  if (dateTime().all?.found.length === 0) recheck('time');
}
