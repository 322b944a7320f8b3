import { synchronized } from './lib/clock';
import { isOffline, onConnection } from './lib/connection';
import { amendVisit, visit, type Page } from './pages/page';
import { imprint, loading } from './components/notice';
import { tally } from './components/tally';
import { APIError } from './model/api';
import { byId, h, part, patch, type Child } from './lib/dom';
import { head, paint, tint } from './lib/head';
import {
  chooseLanguage,
  htmlLang,
  keepTexts,
  language,
  languages,
  loadLanguage,
  loadTexts,
  t,
  wanted,
  type Kind,
} from './lib/i18n';
import { prune } from './model/events';
import { installWorker } from './lib/offline';
import { startOutbox } from './model/outbox';
import { isForgotten, savedEvent, savedTitle } from './model/saved';
import { pageAt, pageToken, tokenIn } from './lib/paths';
import { unknownPage, unreachable } from './pages/errors';
import type * as eventCode from './pages/event';
import type * as homeCode from './pages/home';
import type * as organizeCode from './pages/organize';

const main = part('main');
let leave = new AbortController();
/** The current page's callback for the visitor's way back or forward; see Page.onTraverse. */
let traverse = () => false;

function open(page: Page) {
  const { pathname } = location;
  const eventToken = pageToken(pathname);
  patch(part('bottom'), [
    <p class="wrap">
      {eventToken ? (
        <a class="plain" href="/?new">
          {t('site.plan')}
        </a>
      ) : (
        t('site.foot')
      )}
    </p>,
    imprint(),
  ]);
  // The colour stays until the event has loaded.
  const title = eventToken ? savedTitle(eventToken) : undefined;
  if (!eventToken || title) paint(title);
  const changed = tokenIn(new URLSearchParams(location.search).get('change') ?? '');
  const secret = secretOf(page, eventToken);
  if (pageAt(pathname) === 'home') {
    void withCode(page, 'home', ({ changePage, homePage }) => (changed ? changePage(page, changed) : homePage(page)));
  } else if (!eventToken) {
    unknownPage(page);
  } else if (secret === undefined) {
    void withCode(page, 'event', ({ eventPage }) => eventPage(page, eventToken));
  } else {
    void withCode(page, 'organize', ({ organizePage }) => organizePage(page, eventToken, secret));
  }
}

/** The organizer's secret, from the private link, the history entry or the list. Undefined on guests' pages. */
function secretOf({ fragment }: Page, eventToken: string): string | undefined {
  if (fragment.has('organizer')) return tokenIn(fragment.get('organizer') ?? '');
  if (!fragment.has('organize')) return undefined;
  const ofVisit = isForgotten(eventToken) ? undefined : visit().organizer;
  const secret = ofVisit ?? savedEvent(eventToken)?.organizerToken;
  // The history entry keeps the secret over a reload, even if the list is not in storage.
  if (secret) amendVisit({ organizer: secret });
  return secret;
}

/** The code of each kind of page. */
type Code = { event: typeof eventCode; home: typeof homeCode; organize: typeof organizeCode };
const code: { [K in Kind]: () => Promise<Code[K]> } = {
  event: () => import('./pages/event'),
  home: () => import('./pages/home'),
  organize: () => import('./pages/organize'),
};
const loaded: Partial<Code> = {};

/** The stylesheets of src/pages that a kind of page needs. */
const sheets = { event: ['event'], home: ['home'], organize: ['event', 'organize'] };
const loadedSheets = new Map<string, Promise<unknown>>();

/** Loads a stylesheet, unless the HTML has it. In the HTML, the link to a stylesheet of other pages is disabled. */
function loadSheet(name: string) {
  const link = document.querySelector(`link[disabled][href*="/${name}-"]`);
  if (link) {
    const end = new Promise((resolve) => {
      link.addEventListener('load', resolve);
      link.addEventListener('error', resolve); // a page without its styles is better than none
    });
    loadedSheets.set(name, end);
    link.removeAttribute('disabled');
  }
  return loadedSheets.get(name);
}

async function load<K extends Kind>(kind: K, texts = loadTexts(kind)) {
  const [found] = await Promise.all([code[kind](), texts, ...sheets[kind].map(loadSheet)]);
  loaded[kind] = found;
  return found;
}

/** Shows a page, at once if its code, texts and styles are loaded. */
async function withCode<K extends Kind>(page: Page, kind: K, show: (found: Code[K]) => unknown) {
  let found: Code[K] | null | undefined = loaded[kind];
  if (!found) {
    if (kind !== 'home' && !byId('event')) void page.show(loading());
    found = await load(kind).catch(() => null);
    if (page.signal.aborted) return;
  }
  if (found) show(found);
  // Browsers do not retry a failed module, so early.js loads the page again.
  else unreachable(page, new APIError(isOffline() ? 'offline' : 'lost'), () => dispatchEvent(new Event('again')));
}

const fails = (work: Promise<unknown>) =>
  work.then(
    () => false,
    () => true,
  );

async function choose(tag: string) {
  const failed = await fails(chooseLanguage(tag));
  frame();
  if (failed) part('offline').textContent = t('failure.language');
  else render();
  keepTexts();
}

function frame() {
  patch(part('top'), [
    <div class="wrap">
      <a class="mark" href="/">
        {tally(5)}
        <span>{'Turnout'}</span>
      </a>
      <select
        class="language"
        id="language"
        aria-label={t('site.language')}
        value={language}
        onchange={({ target }) => choose(target.value)}
      >
        {Object.entries(languages).map(([tag, name]) => (
          <option value={tag} lang={htmlLang(tag)}>
            {name}
          </option>
        ))}
      </select>
    </div>,
  ]);
  showConnection();
}

/** @param way `arriving` says whether to focus the heading; `scroll` is the former position */
function render({ arriving = false, scroll = 0 }: { arriving?: boolean; scroll?: number } = {}) {
  leave.abort();
  leave = new AbortController();
  traverse = () => false;
  // A dialog of the former page must not stay open on the next page.
  document.querySelector('dialog')?.close();
  const { signal } = leave;
  let first = true;
  let transition: Promise<void> | null = null; // null once the transition has inserted the content
  let newest: Child[] = [];
  const put = () => {
    transition = null;
    if (signal.aborted) return;
    const held = main.contains(document.activeElement);
    patch(main, newest);
    delete document.documentElement.dataset.organizer; // early.js has set the attribute
    if (byId('loading')) return;
    const heading = main.querySelector('h1');
    if (first && (arriving || scroll)) {
      scrollTo(0, scroll);
      if (arriving) heading?.focus({ preventScroll: true });
    } else if (held) {
      // Wait for a page that moves the focus itself: otherwise screen readers read the heading first.
      setTimeout(() => {
        if (!signal.aborted && document.activeElement === document.body) heading?.focus({ preventScroll: true });
      });
    }
    first = false;
    main.dispatchEvent(new Event('drawn'));
  };
  open({
    signal,
    opened: Date.now(),
    head,
    fragment: new URLSearchParams(location.hash.slice(1)),
    onTraverse: (handler) => void (traverse = handler),
    go,
    async show(...content) {
      newest = content;
      if (signal.aborted) return;
      const mayMove = 'startViewTransition' in document && !matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (transition) await transition;
      else if (first && arriving && mayMove) {
        const { ready, updateCallbackDone } = document.startViewTransition(put);
        ready.catch(() => {}); // the promise is rejected if the next page is shown before the transition ends
        await (transition = updateCallbackDone);
      } else put();
    },
  });
}

const go: Page['go'] = (url, state = {}) => {
  history.pushState(state, '', url);
  render({ arriving: true });
};

function showConnection() {
  part('offline').textContent = isOffline() ? t('site.offline') : '';
  document.documentElement.toggleAttribute('data-offline', isOffline());
}

function listen() {
  addEventListener('click', (event) => {
    const { target, defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    const link = target instanceof Element && target.closest('a');
    if (!link || !link.href || defaultPrevented || button || metaKey || ctrlKey || shiftKey || altKey) return;
    if (link.origin !== location.origin || link.target) return;
    // The browser loads files, and pages that a proxy adds to the site.
    if (link.download || !pageAt(link.pathname)) return;
    event.preventDefault();
    // As in browsers, a link to the current URL adds no history entry.
    if (link.href === location.href) render({ arriving: true });
    else go(link.href);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tint);
  // render restores the position once the page is drawn.
  history.scrollRestoration = 'manual';
  let resting = 0;
  addEventListener('scroll', () => {
    clearTimeout(resting); // Safari has no scrollend before 26.2
    resting = setTimeout(() => amendVisit({ scroll: scrollY }), 100);
  });
}

async function start() {
  listen();
  // On a first visit, home loads the font after the script, which draws the form.
  document.querySelector('link[as=font]')?.removeAttribute('media');
  // The HTML of an event has some stylesheets inline, with disabled links in case that a server's policy forbids them.
  const areAllowed = document.styleSheets.length > 0;
  for (const link of document.querySelectorAll('link[data-inline]')) {
    if (areAllowed) link.remove();
    else link.removeAttribute('disabled');
  }
  // Load the code in parallel with the texts. The page needs the texts to say that the code did not load.
  const isOrganizer = 'organizer' in document.documentElement.dataset; // as early.js says
  const kind = isOrganizer ? 'organize' : (pageAt(location.pathname) ?? 'home');
  const texts = loadLanguage(kind);
  const first = load(kind, texts).catch(() => {});
  void synchronized.then(prune);
  // The worker caches the texts that are requested again. Another tab's choice does not change this page's language.
  installWorker(() => texts.then(keepTexts, () => {}));
  if (await fails(texts)) {
    // An event page has this text in the visitor's language; home has it in all languages.
    const again = document.querySelector(`p.late a, .late p:lang(${wanted()}) a`);
    if (again) part('offline').replaceChildren(again);
    document.querySelector('.late')?.remove();
    addEventListener('online', () => location.reload());
  } else {
    await first;
    frame();
    render({ scroll: visit().scroll ?? 0 });
    onConnection(showConnection);
    addEventListener('popstate', () => traverse() || render({ arriving: true, scroll: visit().scroll ?? 0 }));
    // Home can then show unsent items after the network is lost, and lead to their events.
    setTimeout(() => {
      if (!isOffline()) for (const other of ['home', 'event'] as const) load(other).catch(() => {});
    }, 3000);
  }
  // Start the outbox last, so that the page shows each item's outcome.
  startOutbox();
}

if (!('old' in document.documentElement.dataset)) void start(); // early.js sets the attribute in old browsers
