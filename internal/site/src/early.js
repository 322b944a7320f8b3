// @ts-check
// This script is in the page's head, and runs before the first paint. If app.tsx is going to show the organizer's page
// or a guest's yes, the styles hide the content that the server has rendered for other visitors.
// The oldest browsers that the site supports are the first with structuredClone. In an older browser app.tsx does not
// start, and the page says at once that the browser is too old. This script has the syntax of 2017, so that every
// browser that loads modules can run this script.
const { dataset } = document.documentElement;
if ('structuredClone' in self) dataset.script = '';
else dataset.old = '';
// On a later visit, the worker's cache has the font.
if (!(navigator.serviceWorker || {}).controller) dataset.first = '';
let kind = location.pathname.startsWith('/e/') ? 'event' : 'home';
let language;
try {
  // Some email gateways encode a link's #, or its whole fragment, once or twice. Then the link's secret is in the path.
  const { pathname, search } = location;
  const [, path = pathname, coded = location.hash] = /^(\/e\/[\da-f-]{36})\/*(%(?:25)*23.*)/i.exec(pathname) || [];
  let hash = coded;
  try {
    for (let n = 0; n < 4 && (hash.startsWith('%25') || !hash.includes('=')); n += 1) hash = decodeURIComponent(hash);
  } catch (error) {
    // The rest of the fragment is not encoded.
  }
  hash = hash.replace(/^%23/, '#').replace(/&amp;/g, '&');
  if (hash !== location.hash) history.replaceState(history.state, '', path + search + hash);
  const token = pathname.slice(3, 39).toLowerCase();
  // model/saved.ts stores the organizer's entry under this name.
  const isSaved = () => localStorage.getItem(`turnout.organizer.${token}`);
  if (/^#organizer\b/.test(hash) || (hash === '#organize' && ((history.state || {}).organizer || isSaved()))) {
    dataset.organizer = '';
    kind = 'organize';
  } else if (Object.keys(localStorage).some((name) => name.startsWith(`turnout.rsvp.${token}.`))) {
    dataset.guest = '';
  }
  // lib/i18n.ts is going to choose the same language.
  const names = JSON.parse(dataset.languages || '{}');
  const tags = [localStorage.getItem('turnout.language'), dataset.tag, ...navigator.languages, 'en'];
  language = tags.map((tag) => String(tag).replace(/"|-.*/g, '')).find((tag) => names[tag]);
} catch (error) {
  // Storage is not available.
}
// Preload the code, the texts and the styles of the page before app.tsx can request them.
const preloads = [['script', kind, '.js']];
if (language) preloads.push(['fetch', `${language}-${kind}`, '.json']);
if (kind === 'organize') preloads.push(['style', kind, '.css']);
for (const [as, name, extension] of preloads) {
  const href = String(dataset.files).replace('*', String(name)) + extension;
  const link = Object.assign(document.createElement('link'), { rel: 'preload', as, href });
  // Modules and texts are requested with CORS.
  if (as !== 'style') link.crossOrigin = '';
  document.head.append(link);
}
// The first use of Intl takes long. Use it after the first paint, while a slow network still loads the script.
requestAnimationFrame(() => setTimeout(() => new Intl.DateTimeFormat()));
// Note that the visitor pressed Enter before app.tsx drew the form. Once drawn, the form sends the name. Input methods
// send another code for Enter.
addEventListener('keydown', ({ keyCode, target }) => {
  if (keyCode === 13 && target instanceof Element && target.id === 'name') dataset.entered = '';
});
// The animation "late" ends when app.tsx did not load in time. Then unfold the description, which app.tsx would unfold.
addEventListener('animationend', ({ animationName }) => {
  if (animationName === 'late') delete dataset.script;
});
// Load the page again, and its files past each cache, because a cache may keep a proxy's page or a part of a file.
addEventListener('again', () => {
  const reload = () => location.reload();
  const names = performance.getEntriesByType('resource').map(({ name }) => name);
  // Safari does not list a file whose preload failed.
  for (const link of document.querySelectorAll('link[rel=preload]')) names.push(String(link.getAttribute('href')));
  const files = names.filter((name) => name.includes('/assets/'));
  Promise.all(files.map((name) => fetch(name, { cache: 'reload' }))).then(reload, reload);
  setTimeout(reload, 9000);
});
// Handle the link "Load the page again", which is shown if app.tsx did not load. Following this link would lose the
// fragment.
addEventListener('click', (event) => {
  if (!(event.target instanceof Element && event.target.closest('a[href=""]'))) return;
  event.preventDefault();
  dispatchEvent(new Event('again'));
});
