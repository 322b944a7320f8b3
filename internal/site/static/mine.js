import { ask, button, copyButton, download, focusOn, h, notice, say, user } from './dom.js';
import { eventURL, organizerURL } from './files.js';
import { t } from './i18n.js';
import { checkMine, forgetMine, keepMine, keeps, mine } from './storage.js';
import { shortIn } from './time.js';

const largest = 1_000_000;

export const exportMine = () => download('turnout.json', 'application/json', `${JSON.stringify(mine(), null, 2)}\n`);

// The list is below a long form; who comes back gets a way down.
export function mineLink() {
  const { events, rsvps } = mine();
  const n = events.length + rsvps.length;
  return n > 0 && button(t('mine.jump', { n }), () => {
    const title = document.getElementById('mine-title');
    focusOn(title);
    title.scrollIntoView();
  }, 'text');
}

// What this device remembers. None of it is asked for or sent anywhere.
export function mineSection() {
  const section = h('section', { class: 'mine', id: 'mine', 'aria-labelledby': 'mine-title' });

  function draw(message) {
    const kept = mine();
    const latest = (a, b) => Date.parse(b.dateTime) - Date.parse(a.dateTime);
    const rows = [
      ...kept.events.sort(latest).map((event) => row(event, event.organizerToken, t('mine.organizer'),
        h('a', { href: organizerURL(event.eventToken, event.organizerToken), 'aria-label': t('mine.manageNamed', { title: event.title }) }, t('mine.manage')),
        copyButton(t('copy.link'), eventURL(event.eventToken), 'text', t('mine.copyNamed', { title: event.title })),
        copyButton(t('mine.copyOrganizer'), organizerURL(event.eventToken, event.organizerToken), 'text', t('mine.copyOrganizerNamed', { title: event.title })))),
      ...kept.rsvps.sort(latest).map((rsvp) => row(rsvp, rsvp.rsvpToken, t('mine.guest', { name: rsvp.name }),
        copyButton(t('copy.link'), eventURL(rsvp.eventToken), 'text', t('mine.copyNamed', { title: rsvp.title })))),
    ];
    const file = h('input', { type: 'file', id: 'import', class: 'unseen', accept: '.json,application/json', onchange: () => load(file.files[0]) });
    section.replaceChildren(
      h('h2', { id: 'mine-title' }, t('mine.title')),
      h('p', { class: 'hint' }, rows.length ? t('mine.text') : t('mine.none')),
      message ?? '',
      rows.length && !keeps ? notice('bad', h('p', {}, t('mine.notKept'))) : '',
      h('ul', { class: 'entries' }, rows),
      h('div', { class: 'row' }, rows.length ? button(t('mine.export'), exportMine) : '',
        h('label', { class: 'quiet' }, t('mine.import'), file)),
      rows.length ? h('p', { class: 'hint' }, t('mine.secret')) : '');
  }

  function row(entry, token, role, ...actions) {
    return h('li', {},
      h('div', {}, h('a', { class: 'user', dir: 'auto', href: `/e/${entry.eventToken}` }, entry.title),
        h('p', { class: 'hint' }, shortIn(entry), ' · ', h('span', { class: 'user' }, role))),
      h('div', { class: 'row' }, ...actions,
        button(t('mine.remove'), () => remove(entry, token), 'text', { 'aria-label': t('mine.removeNamed', { title: entry.title }) })));
  }

  async function remove(entry, token) {
    const sure = await ask({
      title: t('mine.sure', { title: entry.title }),
      body: [h('p', {}, entry.organizerToken ? t('mine.sureOrganizer') : t('mine.sureGuest', { name: entry.name }))],
      yes: t('mine.remove'), no: t('mine.keep'),
    });
    if (!sure) return;
    forgetMine(token);
    draw();
    focusOn(section.querySelector('h2'));
    say(t('mine.removed'));
  }

  async function load(chosen) {
    if (!chosen) return;
    let message;
    try {
      if (chosen.size > largest) throw new SyntaxError('size');
      const added = checkMine(JSON.parse(await chosen.text()));
      keepMine(added);
      message = notice('good', h('p', {}, t('mine.imported', { n: added.events.length + added.rsvps.length })));
    } catch (error) {
      message = notice('bad', h('p', {}, error instanceof SyntaxError ? t('mine.notJSON') : t('mine.notMine', { field: error.message })));
    }
    draw(message);
    focusOn(section.querySelector('h2'));
    say(message.textContent);
  }

  draw();
  return section;
}
