// Acts of somebody who has an event open. On this device, time passes ten times as fast.
{
  const { now } = Date, { setTimeout } = window, start = 1_767_225_600_000;
  Date.now = () => start + (now() - start) * 10;
  window.setTimeout = (work, delay, ...all) => setTimeout(work, delay / 10, ...all);

  const stored = (beginning) => Object.keys(localStorage).filter((name) => name.startsWith(`turnout.${beginning}`)).map((name) => JSON.parse(localStorage[name]));
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const withdrawnIn = (row) => stored('outbox.').filter(({ id, kind }) => kind === 'withdraw' && row.id === `rsvp-${id}`).map(({ name }) => name);
  const follow = (path) => {
    const link = document.createElement('a');
    link.href = path;
    document.body.append(link);
    link.click();
    link.remove();
  };

  const fates = (names, fate) => Object.fromEntries(names.map((name) => [name, fate]));

  // Each act: its name, how likely it is, where it can be done, and what it does. It returns where names are to be found
  // once all is sent: on the guest list and on this device ("both"), on "neither", on "either" of these, or on the "list" alone.
  const acts = [
    ['sign up', 6, () => document.querySelector('#rsvp'), (form, name) => {
      const field = form.querySelector('#name');
      field.value = name;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      form.querySelector('button').click();
      return stored('outbox.').some((one) => one.name === name) ? { [name]: 'both' } : {};
    }],
    ['withdraw', 5, () => shown('#yours li:not(.leaving) button')[0], (button) => {
      const row = button.closest('li');
      button.click();
      return fates(withdrawnIn(row), 'neither');
    }],
    ['undo', 3, () => shown('#yours .leaving button')[0], (button) => {
      const names = withdrawnIn(button.closest('li'));
      button.click();
      return fates(names, 'either');
    }],
    ['try now', 2, () => shown('#waiting button')[0], (button) => button.click()],
    ['go', 2, () => document.body, (body, name, path) => follow(location.pathname === '/' ? path : '/')],
    ['reload', 1, () => document.body, () => {}],
    ['remove', 2, () => document.querySelector('.entry .menu .row > button:last-child'), async (button) => {
      button.click();
      while (!document.querySelector('dialog[open]')) await new Promise((done) => setTimeout(done));
      document.querySelector('dialog .primary').click();
      await new Promise((done) => document.addEventListener('close', done, { capture: true, once: true })); // just before it is removed
      const items = stored('outbox.').map(({ name }) => name);
      return { ...fates(stored('rsvp.').map(({ name }) => name), 'list'), ...fates(items, 'neither') };
    }],
  ];

  // Does one of the acts that can be done, by a number from 0 to 1, and a while later says which.
  window.act = async (choice, name, path) => {
    const possible = acts.map(([what, weight, where, act]) => ({ what, weight, at: where(), act })).filter(({ at }) => at);
    let left = choice * possible.reduce((sum, { weight }) => sum + weight, 0);
    const { what, at, act } = possible.find(({ weight }) => (left -= weight) < 0);
    const fate = await act(at, name, path);
    await new Promise((done) => setTimeout(done, 100));
    return { what, fate: fate ?? {} };
  };
}
