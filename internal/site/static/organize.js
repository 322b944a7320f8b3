import { cancelEvent, Failure, getEvent, listAttendees } from './service.js';
import { ask, button, copyButton, download, field, focusOn, growing, h, locked, notice, say, shareButton, user } from './dom.js';
import { csv, eventURL, fileName, linksText, organizerURL } from './files.js';
import { t } from './i18n.js';
import { loading, poster, reason, refused, unknownEvent, unreachable } from './poster.js';
import { draft, isUUID, keepDraft, keepMine, keeps, myEvent } from './storage.js';

const limit = 2000;
const wrongSecret = 'invalid-organizer-token';
const simplified = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();

export async function organizePage(page, eventToken, organizerToken) {
  const { head, show, signal } = page;
  const created = Boolean(history.state?.created);
  const draftName = `reason:${eventToken}`;
  let event;
  let names;
  let search = '';

  async function fetchBoth() {
    if (!isUUID(eventToken)) throw new Failure('missing', false);
    const wrong = new Failure('answer', false, { code: wrongSecret });
    // The event first: who has neither should learn that there is no event.
    const [details, guests] = await Promise.all([
      getEvent(eventToken),
      isUUID(organizerToken) ? listAttendees(eventToken, organizerToken).catch((failure) => failure) : wrong,
    ]);
    if (guests instanceof Failure) throw guests;
    names = guests.map((guest) => guest.name);
    event = { ...details, attendeeCount: names.length };
  }

  async function load() {
    head({ title: t('event.loading') });
    show(loading());
    try {
      await fetchBoth();
    } catch (failure) {
      if (signal.aborted) return undefined;
      if (failure.kind === 'missing') return unknownEvent(page);
      return failure.code === wrongSecret ? refused(page, eventToken, organizerToken) : unreachable(page, failure, load);
    }
    if (signal.aborted) return undefined;
    head({ title: t('organize.head', { title: event.title }) });
    return draw();
  }

  function link(id, label, url, hint, secret) {
    return h('div', { class: `link ${secret ? 'secret' : ''}` },
      h('label', { for: id }, label),
      h('p', { class: 'hint', id: `${id}-hint` }, hint, secret && h('strong', {}, ` ${t('links.forever')}`)),
      h('div', { class: 'row' },
        h('input', { id, value: url, readonly: true, 'aria-describedby': `${id}-hint`, onfocus: (focus) => focus.target.select() }),
        copyButton(t('copy.link'), url, secret ? 'quiet' : 'strong', secret ? t('copy.private') : t('copy.share')),
        shareButton(event.title, url, secret ? t('share.private') : t('share.public'))));
  }

  function links() {
    const problems = h('div', { 'aria-live': 'polite' });
    const keep = !myEvent(eventToken) && button(t('links.keep'), () => {
      keepMine({ events: [{ eventToken, organizerToken, title: event.title, dateTime: event.dateTime, timezone: event.timezone }] });
      keep.remove();
      problems.replaceChildren(keeps ? notice('good', h('p', {}, t('links.kept'))) : notice('bad', h('p', {}, t('mine.notKept'))));
    });
    return h('section', { class: 'links', 'aria-labelledby': 'links-title' },
      h('h2', { id: 'links-title' }, created ? t('links.created') : t('links.title')),
      link('share-link', t('links.share'), eventURL(eventToken), t('links.shareHint')),
      link('organizer-link', t('links.private'), organizerURL(eventToken, organizerToken), t('links.warning'), true),
      h('div', { class: 'row' },
        button(t('links.download'), () => download(fileName(event.title, '.txt'), 'text/plain', linksText(event, organizerToken))), keep),
      problems);
  }

  function guests() {
    const list = h('ol', { class: 'guests' });
    const found = h('p', { class: 'hint', role: 'status' });
    const problems = h('div', { 'aria-live': 'assertive' });
    const fill = () => {
      const wanted = simplified(search);
      const hits = names.map((name, index) => ({ name, index })).filter(({ name }) => simplified(name).includes(wanted));
      list.replaceChildren(...hits.map(({ name, index }) => h('li', { value: index + 1 }, user(name))));
      found.textContent = search ? t('guests.found', { n: hits.length, all: names.length }) : '';
    };
    const box = h('input', { type: 'search', id: 'search', value: search, autocomplete: 'off', dir: 'auto' });
    box.addEventListener('input', () => { search = box.value; fill(); });
    fill();
    const refresh = button(t('guests.refresh'), locked(async () => {
      try {
        await fetchBoth();
      } catch (failure) {
        problems.replaceChildren(notice('bad', h('p', {}, failure.words)));
        return;
      }
      if (signal.aborted) return;
      draw();
      focusOn(document.getElementById('refresh'));
      say(t('guests.fresh', { n: names.length }));
    }), 'quiet', { id: 'refresh' });
    return h('section', { 'aria-labelledby': 'guests-title' },
      h('h2', { id: 'guests-title' }, names.length ? t('guests.title', { n: names.length }) : t('guests.none')),
      !names.length && h('p', {}, t('guests.noneText')),
      h('div', { class: 'row' }, refresh,
        names.length > 0 && button(t('guests.csv'), () => download(fileName(event.title, '.csv'), 'text/csv;charset=utf-8', csv(t('guests.column'), names))),
        names.length > 0 && copyButton(t('guests.copy'), () => names.map((name) => name.replace(/\s+/gu, ' ')).join('\n'))),
      problems,
      names.length > 0 && h('div', { class: 'search' }, h('label', { for: 'search' }, t('guests.search')), box, found),
      list);
  }

  function cancelling() {
    const problems = h('div', { 'aria-live': 'assertive' });
    const open = locked(async () => {
      problems.replaceChildren();
      const why = field({ id: 'reason', label: t('cancel.reason'), optional: true, limit,
        control: growing(h('textarea', { rows: 3, dir: 'auto', value: draft(draftName) ?? '' })) });
      const check = () => {
        const over = [...why.control.value].length - limit;
        why.fail(over > 0 ? t('check.long', { n: over }) : '');
        return over <= 0;
      };
      why.control.addEventListener('input', () => { keepDraft(draftName, why.control.value); check(); });
      const sure = await ask({
        title: t('cancel.sure'),
        body: [user(event.title, 'p', 'named'), h('ul', {},
          names.length > 0 && h('li', {}, t('cancel.effectGuests', { n: names.length })),
          h('li', {}, t('cancel.effectPage')), h('li', {}, t('cancel.effectFinal'))), why.row],
        yes: t('cancel.yes'), no: t('cancel.no'), valid: check,
      });
      if (sure) await cancel(why.control.value, problems);
    });
    return h('section', { class: 'danger-zone', 'aria-labelledby': 'cancel-title' },
      h('h2', { id: 'cancel-title' }, t('cancel.title')), h('p', {}, t('cancel.text')), problems,
      button(t('cancel.open'), open, 'danger'));
  }

  async function cancel(why, problems) {
    let trouble;
    try {
      await cancelEvent(eventToken, organizerToken, /\S/u.test(why) ? why : '');
    } catch (failure) {
      trouble = failure;
    }
    // After a conflict or a lost answer the event itself tells what holds.
    const asked = !trouble || trouble.uncertain || trouble.code === 'event-already-cancelled';
    if (asked) await fetchBoth().catch(() => {});
    if (!trouble) event = { ...event, cancelled: true, cancellationReason: event.cancellationReason ?? (why || null) };
    if (signal.aborted) return;
    if (event.cancelled) {
      keepDraft(draftName, null);
      draw();
      focusOn(document.querySelector('#state h2'));
      say(t('cancel.done'));
      return;
    }
    problems.replaceChildren(notice('bad',
      h('p', {}, trouble.fieldErrors.map(({ field: name, message }) => `${name}: ${message}`).join(' ') || trouble.words),
      h('p', {}, trouble.uncertain ? t('cancel.uncertain') : t('cancel.notDone'))));
  }

  function draw() {
    show(
      poster(event, { kicker: created ? t('organize.created') : t('organize.kicker') }),
      h('div', { class: 'wrap columns organize' },
        h('div', {}, event.cancelled && reason(event), created && links(), guests()),
        h('div', {}, !created && links(),
          h('p', { class: 'manage' }, h('a', { href: `/e/${eventToken}` }, t('organize.public'))),
          !event.cancelled && cancelling())));
  }

  await load();
}
