// @ts-check
// In the head of the page, before the first paint. If app.tsx is going to show the organizer's page or a guest's yes,
// the styles hide what the server has rendered for others.
// structuredClone is as new as the oldest browsers that the site is for. In an older one, app.tsx does not start,
// and the page says so at once. All that load modules can run this script: its syntax is that of 2017.
if ('structuredClone' in self) document.documentElement.dataset.script = '';
else document.documentElement.dataset.old = '';
try {
  // Some mail gateways encode the # of a link, or all of its fragment, once or twice. Then its secret is in the path.
  const { pathname, search } = location;
  const [, path = pathname, coded = location.hash] = /^(\/e\/[\da-f-]{36})\/*(%(?:25)*23.*)/i.exec(pathname) || [];
  let hash = coded;
  try {
    for (let n = 0; n < 4 && (hash.startsWith('%25') || !hash.includes('=')); n += 1) hash = decodeURIComponent(hash);
  } catch (error) {
    // No more of it is encoded.
  }
  hash = hash.replace(/^%23/, '#').replace(/&amp;/g, '&');
  if (hash !== location.hash) history.replaceState(history.state, '', path + search + hash);
  const token = pathname.slice(3, 39).toLowerCase();
  // As model/saved.ts stores it.
  const isSaved = () => localStorage.getItem(`turnout.organizer.${token}`);
  if (/^#organizer\b/.test(hash) || (hash === '#organize' && ((history.state || {}).organizer || isSaved()))) {
    document.documentElement.dataset.organizer = '';
  } else if (Object.keys(localStorage).some((name) => name.startsWith(`turnout.rsvp.${token}.`))) {
    document.documentElement.dataset.guest = '';
  }
  // The texts, before app.tsx can request them, in the language of lib/i18n.ts.
  const { locales = '{}', tag } = document.documentElement.dataset,
    files = JSON.parse(locales);
  const tags = [localStorage.getItem('turnout.language'), tag, ...navigator.languages, 'en'];
  const href = tags.map((one) => files[String(one).replace(/"|-.*/g, '')]).find(Boolean);
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'preload', as: 'fetch', crossOrigin: '', href }),
  );
} catch (error) {
  // Storage is not available.
}
// Enter before app.tsx has drawn the form, which then sends the name. The Enter of an input method has another code.
addEventListener('keydown', ({ keyCode, target }) => {
  if (keyCode === 13 && target instanceof Element && target.id === 'name')
    document.documentElement.dataset.entered = '';
});
// The page says that app.tsx did not load, which would have unfolded the description.
addEventListener('animationend', ({ animationName }) => {
  if (animationName === 'late') delete document.documentElement.dataset.script;
});
// Loads the page again, and its files past each cache: one may hold a proxy's page, or a part of a file, for good.
addEventListener('again', () => {
  const reload = () => location.reload();
  const names = performance.getEntriesByType('resource').map(({ name }) => name);
  const files = names.filter((name) => name.includes('/assets/'));
  Promise.all(files.map((name) => fetch(name, { cache: 'reload' }))).then(reload, reload);
  setTimeout(reload, 9000);
});
// "Load the page again", shown if app.tsx did not load: following the link would lose the fragment.
addEventListener('click', (event) => {
  if (!(event.target instanceof Element && event.target.closest('a[href=""]'))) return;
  event.preventDefault();
  dispatchEvent(new Event('again'));
});
