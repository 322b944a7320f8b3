import { cancelRSVP, createRSVP, getEvent } from './service.js';
import { ask, button, copyButton, download, field, focusOn, h, linked, locked, notice, say, shareButton, user } from './dom.js';
import { calendar, eventURL, fileName } from './files.js';
import { t } from './i18n.js';
import { exportMine } from './mine.js';
import { loading, poster, reason, unknownEvent, unreachable } from './poster.js';
import { draft, forgetMine, isUUID, keepDraft, keepMine, keeps, keepUnanswered, myEvent, myRsvps, unanswered } from './storage.js';
import { dateIn, isExpired, shortIn } from './time.js';

const limit = 100;

// Answers that came after their page was left, for one that was opened since.
const late = new EventTarget();

export async function eventPage(page, eventToken) {
  const { head, show, signal } = page;
  const draftName = `rsvp:${eventToken}`;
  let event;
  // Whether the count on the page is older than a lost answer.
  let stale = false;
  // The service's clock decides; it may be ahead of this one.
  let closed = false;

  async function load() {
    head({ title: t('event.loading') });
    show(loading());
    if (!isUUID(eventToken)) return unknownEvent(page);
    try {
      event = await getEvent(eventToken);
    } catch (failure) {
      if (signal.aborted) return undefined;
      return failure.kind === 'missing' ? unknownEvent(page) : unreachable(page, failure, load);
    }
    if (signal.aborted) return undefined;
    head({ title: event.title, description: `${shortIn(event)}${event.location ? ` · ${event.location}` : ''}` });
    return draw();
  }

  async function refresh() {
    try {
      event = await getEvent(eventToken);
      stale = false;
    } catch {
      stale = true;
    }
  }

  const remembered = (rsvp) => ({
    eventToken, rsvpToken: rsvp.rsvpToken, name: rsvp.name,
    title: event.title, dateTime: event.dateTime, timezone: event.timezone,
  });

  async function send(name, fail) {
    const before = event.attendeeCount;
    // Written down before the request leaves: a reload in between finds it.
    keepUnanswered(eventToken, { name, before });
    try {
      keepMine({ rsvps: [remembered(await createRSVP(eventToken, name))] });
    } catch (failure) {
      if (!failure.uncertain) keepUnanswered(eventToken, null);
      if (signal.aborted) late.dispatchEvent(new Event(eventToken));
      else await explain(failure, fail);
      return;
    }
    keepUnanswered(eventToken, null);
    keepDraft(draftName, null);
    if (signal.aborted) {
      late.dispatchEvent(new Event(eventToken));
      return;
    }
    event = { ...event, attendeeCount: before + 1 };
    await refresh();
    if (signal.aborted) return;
    draw({ fresh: 1 });
    focusOn(document.getElementById('yours-title'));
    say(t('rsvp.done', { name }));
  }

  async function explain(failure, fail) {
    if (failure.kind === 'missing') return unknownEvent(page);
    if (failure.code === 'event-cancelled' || failure.code === 'event-expired') {
      closed = failure.code === 'event-expired';
      await refresh();
      if (signal.aborted) return undefined;
      // Known even where the event cannot be read again.
      event = { ...event, cancelled: event.cancelled || !closed };
      draw();
      focusOn(document.querySelector('#state h2'));
      return undefined;
    }
    if (failure.uncertain) {
      await refresh();
      if (signal.aborted) return undefined;
      if (stale) addEventListener('online', async () => { await refresh(); draw(); }, { once: true, signal });
      draw();
      return focusOn(document.getElementById('lost-title'));
    }
    return fail(failure);
  }

  const withdraw = (rsvp, problems) => locked(async () => {
    const sure = await ask({
      title: t('withdraw.title', { name: rsvp.name }), body: [h('p', {}, t('withdraw.text'))],
      yes: t('withdraw.yes'), no: t('withdraw.no'),
    });
    if (!sure) return;
    try {
      await cancelRSVP(eventToken, rsvp.rsvpToken);
    } catch (failure) {
      problems.replaceChildren(notice('bad', h('p', {}, failure.words), failure.uncertain && h('p', {}, t('withdraw.uncertain'))));
      return;
    }
    forgetMine(rsvp.rsvpToken);
    await refresh();
    if (signal.aborted) return;
    draw();
    focusOn(document.querySelector('#panel h2'));
    say(t('withdraw.done', { name: rsvp.name }));
  });

  function yours(rsvps) {
    const problems = h('div', { 'aria-live': 'assertive' });
    return h('section', { class: 'yours', 'aria-labelledby': 'yours-title' },
      h('h2', { id: 'yours-title' }, event.cancelled ? t('yours.were') : t('yours.title', { n: rsvps.length })),
      h('ul', { class: 'names' }, rsvps.map((rsvp) => h('li', {}, user(rsvp.name),
        button(t('yours.cancel'), withdraw(rsvp, problems), 'text', { 'aria-label': t('yours.cancelName', { name: rsvp.name }) })))),
      problems,
      !keeps && notice('bad', h('p', {}, t('yours.notKept')), button(t('mine.export'), exportMine)));
  }

  function lost({ name, before }) {
    const problems = h('div', { 'aria-live': 'assertive' });
    const now = event.attendeeCount;
    return h('section', { class: 'notice bad', 'aria-labelledby': 'lost-title' },
      h('h2', { id: 'lost-title' }, t('lost.title')),
      h('p', {}, t('lost.known', { name })),
      h('p', {}, stale ? t('lost.stale') : now > before ? t('lost.more', { before, now }) : t('lost.same', { now })),
      problems,
      h('div', { class: 'row' },
        button(t('lost.again'), locked(() => send(name, (failure) => problems.replaceChildren(h('p', {}, failure.words)))), 'strong'),
        button(t('lost.leave'), () => {
          keepUnanswered(eventToken, null);
          draw();
          focusOn(document.querySelector('#panel h2'));
        })));
  }

  function rsvpForm(rsvps) {
    const name = field({ id: 'name', label: t('rsvp.name'), limit,
      control: h('input', { name: 'name', autocomplete: 'name', required: true, dir: 'auto', enterkeyhint: 'send', value: draft(draftName) ?? '' }) });
    const problems = h('div', { 'aria-live': 'assertive' });
    const submit = h('button', { type: 'submit', class: 'strong' }, t('rsvp.submit'));
    const fail = (failure) => {
      const wrong = failure.fieldErrors.find((error) => error.field === 'name');
      if (wrong) {
        name.fail(wrong.message);
        focusOn(name.control);
      } else {
        problems.replaceChildren(notice('bad', h('p', {}, failure.words), h('p', {}, t('rsvp.notSent'))));
      }
    };
    const check = () => {
      const length = [...name.control.value].length;
      const message = !/\S/u.test(name.control.value) ? t('check.name') : length > limit ? t('check.long', { n: length - limit }) : '';
      name.fail(message);
      return !message;
    };
    name.control.addEventListener('input', () => {
      keepDraft(draftName, name.control.value);
      if (name.failed()) check();
    });
    const form = h('form', { novalidate: true, class: 'rsvp', 'aria-labelledby': 'rsvp-title' },
      h('h2', { id: 'rsvp-title' }, rsvps.length ? t('rsvp.another') : t('rsvp.title')),
      name.row, problems, submit, h('p', { class: 'hint' }, t('rsvp.hint')));
    form.addEventListener('submit', locked(async () => {
      problems.replaceChildren();
      const chosen = name.control.value;
      if (!check()) return focusOn(name.control);
      if (rsvps.some((rsvp) => rsvp.name === chosen) && !await ask({
        title: t('again.title', { name: chosen }), body: [h('p', {}, t('again.text'))],
        yes: t('again.yes'), no: t('again.no'), kind: 'strong',
      })) return undefined;
      submit.textContent = t('rsvp.sending');
      await send(chosen, fail);
      submit.textContent = t('rsvp.submit');
      return undefined;
    }));
    return form;
  }

  function draw({ fresh = 0 } = {}) {
    const rsvps = myRsvps(eventToken);
    const pending = unanswered(eventToken);
    const over = closed || isExpired(event);
    const open = !event.cancelled && !over;
    const mayManage = myEvent(eventToken);
    show(
      poster(event, { marks: { own: event.cancelled ? 0 : rsvps.length, fresh } }),
      h('div', { class: 'wrap columns' },
        h('div', { id: 'panel', class: 'panel' },
          event.cancelled ? reason(event) : over && h('section', { class: 'notice', id: 'state' },
            h('h2', {}, t('event.expired')), h('p', {}, t('event.expiredText', { date: dateIn(event) }))),
          rsvps.length > 0 && yours(rsvps),
          open && (pending ? lost(pending) : rsvpForm(rsvps))),
        h('div', { class: 'about' },
          event.description && h('section', {}, h('h2', { class: 'label' }, t('event.about')),
            h('div', { class: 'user prose', dir: 'auto' }, linked(event.description))),
          h('section', { class: 'tools' }, h('h2', { class: 'label' }, t('event.keep')),
            h('div', { class: 'row' },
              button(t('event.calendar'), () => download(fileName(event.title, '.ics'), 'text/calendar', calendar(event))),
              shareButton(event.title, eventURL(eventToken)),
              copyButton(t('event.copy'), eventURL(eventToken)))),
          mayManage && h('p', { class: 'manage' }, h('a', { href: `/e/${eventToken}#organizer=${mayManage.organizerToken}` }, t('event.manage'))))));
  }

  late.addEventListener(eventToken, async () => {
    await refresh();
    if (event && !signal.aborted) draw();
  }, { signal });
  await load();
}
