// Acts of guests and an organizer. The clock of a device is ahead by localStorage.ahead, and nothing else is.
{
  const { now } = Date;
  Date.now = () => now() + Number(localStorage.ahead ?? 0);
  const pass = (time) => {
    localStorage.ahead = Number(localStorage.ahead ?? 0) + time;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const soon = (time = 0) => new Promise((done) => setTimeout(done, time));

  const stored = (beginning) => Object.keys(localStorage).filter((name) => name.startsWith(`turnout.${beginning}`)).map((name) => JSON.parse(localStorage[name]));
  const unsent = () => stored('outbox.').filter(({ refused }) => !refused);
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  let luck = 0; // from 0 to 1
  const one = (selector) => ((all) => all[Math.floor(all.length * luck)])(shown(selector));
  const nameIn = (row) => row.querySelector('.user').textContent;
  const write = (field, text) => {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const follow = (path) => {
    const link = document.createElement('a');
    link.href = path;
    document.body.append(link);
    link.click();
    link.remove();
  };

  // What becomes of RSVPs. They will be on the guest list and on this device ("both"), on "neither", on "either" of these, or
  // on the "list" alone, which of somebody added at the door is both. That of a yes depends on whether it is the first ("yes").
  const fates = (all, fateOf) => all.map((item) => ({ eventToken: item.eventToken, name: item.name, fate: fateOf(item) }));
  const wish = ({ kind, unwanted, nth, from }) => (kind === 'withdraw' || unwanted ? 'neither' : nth ? 'list' : from ? 'yes' : 'both');
  // Those of the items that a click adds or changes, or of withdrawals that it takes back.
  const click = (button) => {
    const before = unsent();
    button.click();
    const after = unsent();
    const undone = before.filter(({ id }) => !after.some((item) => item.id === id));
    const made = after.filter((item) => !before.some(({ id, unwanted }) => id === item.id && unwanted === item.unwanted));
    return [...fates(undone, ({ nth }) => (nth ? 'list' : 'either')), ...fates(made, wish)];
  };

  // Each act: its name, how likely it is, where it can be done, and what it does, which returns its fates.
  const acts = {
    guest: [
      ['sign up', 10, () => document.querySelector('#rsvp'), (form, { name }) => {
        write(form.querySelector('#name'), luck < 0.3 ? `${name} & ${name}${name.at(-1)}` : name);
        return click(form.querySelector('[type=submit]'));
      }],
      ['yes', 12, () => one('li.moved .primary:not([aria-disabled])'), click],
      ['withdraw', 8, () => one('#yours li:not(.leaving) button, li.moved .secondary'), click],
      ['undo', 6, () => one('.leaving button'), click],
      ['go', 2, () => document.body, (_, { path }) => follow(path)],
      ['remove', 4, () => document.querySelector('.entry .menu .row > button:last-child'), async (button) => {
        const { id } = button.closest('.entry');
        button.click();
        while (!document.querySelector('dialog[open]')) await soon();
        document.querySelector('dialog .primary').click();
        await new Promise((done) => { document.addEventListener('close', done, { capture: true, once: true }); }); // just before it is removed
        const [left, all] = [unsent(), stored('rsvp.')].map((some) => some.filter(({ eventToken }) => id === `entry-${eventToken}`));
        return [...fates(all.filter((rsvp) => !left.some(({ name }) => name === rsvp.name)), () => 'list'), ...fates(left, () => 'neither')];
      }],
    ],
    organizer: [
      ['open the door', 30, () => one('#check-in:enabled'), click],
      ['close the door', 1, () => one('#done'), click],
      ['tick', 12, () => one('.guests li:has(input)'), (row) => {
        const name = nameIn(row);
        row.querySelector('input').click();
        return [{ name, here: row.querySelector('input').checked }];
      }],
      ['walk in', 12, () => one('#door #search'), async (search, { name }) => {
        write(search, name);
        while (!document.querySelector('#add button')) await soon();
        return [...click(document.querySelector('#add button')), { name, here: true }];
      }],
      ['walk out', 8, () => one('.guests li > button[aria-label]'), (button) => {
        const name = nameIn(button.closest('li'));
        return click(button).flatMap((fate) => [fate, { name, here: false }]); // nothing so soon after an Add
      }],
    ],
    anybody: [
      ['try now', 2, () => one('#waiting button'), click],
      ['wait', 2, () => document.body, () => pass(20_000)],
      ['reload', 1, () => document.body, () => {}],
    ],
  };

  // Does one of the acts that can be done, by numbers from 0 to 1, and a while later says which.
  window.act = async (who, choice, details) => {
    luck = details.luck;
    if (details.waits) while (window.underWay) await soon(20);
    const possible = [...acts[who], ...acts.anybody].map(([what, weight, where, act]) => ({ what, weight, at: where(), act })).filter(({ at }) => at);
    let left = choice * possible.reduce((sum, { weight }) => sum + weight, 0);
    const { what, at, act } = possible.find(({ weight }) => (left -= weight) < 0);
    const all = await act(at, details);
    await soon(100);
    return { what, fates: all ?? [] };
  };

  // Resolves once all is answered. Meanwhile passes the time to undo something, of each pause, and in which nothing is read again.
  window.settle = async () => {
    do {
      pass(61_000);
      await soon(50);
    } while (unsent().length);
    while (window.underWay) await soon(20);
  };

  // Who is at the door, whether they are here, and whether this device has added them.
  window.rows = () => shown('.guests li:has(input)').map((row) => ({ name: nameIn(row), here: row.querySelector('input').checked, added: Boolean(row.querySelector('button')) }));

  // Sends the form that moves an event.
  window.move = (date) => {
    write(document.querySelector('#date'), date);
    document.querySelector('#announce [type=submit]').click();
    return soon(200); // while requests fail
  };

  // The link of a guest, once it is copied.
  window.linkOf = async (name) => {
    const copied = new Promise((done) => { navigator.clipboard.writeText = async (text) => done(text); });
    const row = [...document.querySelectorAll('#keep-rsvp [role=group]')].find(({ ariaLabel }) => ariaLabel === name);
    [...row.querySelectorAll('button')].find(({ textContent }) => textContent === 'Copy my link').click();
    return copied;
  };
}
