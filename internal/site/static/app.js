import { button, focusOn, h, say } from './dom.js';
import { chooseLanguage, language, languages, loadLanguage, t } from './i18n.js';
import { announcePage } from './announce.js';
import { eventPage } from './event.js';
import { organizePage } from './organize.js';
import { plainPage } from './poster.js';
import { tally } from './tally.js';

const main = document.getElementById('main');
let leave = new AbortController();

// Sets what belongs to the document rather than to the page's content.
function head({ title, description = t('site.description'), indexed = false }) {
  document.title = title ? `${title} · Turnout` : t('site.title');
  document.querySelector('meta[name=description]').content = description;
  document.querySelector('meta[name=robots]')?.remove();
  if (!indexed) document.head.append(h('meta', { name: 'robots', content: 'noindex' }));
}

function unknownPage({ show }) {
  head({ title: t('unknown.title') });
  show(plainPage(t('unknown.title'), t('unknown.text'), h('a', { href: '/', class: 'button' }, t('unknown.home'))));
}

// The colour of an event's poster comes from its token; the browser's own bars
// take it on.
function paint(eventToken) {
  document.documentElement.dataset.colour = eventToken ? String(parseInt(eventToken[0], 16) % 8) : 'home';
  tint();
}

function tint() {
  document.querySelector('meta[name=theme-color]').content = getComputedStyle(document.getElementById('top')).backgroundColor;
}

// The organizer's secret is in the fragment, which no server sees.
function route() {
  const path = location.pathname.replace(/\/+$/, '') || '/';
  const eventToken = /^\/e\/([^/]+)$/.exec(path)?.[1].toLowerCase();
  paint(eventToken);
  if (path === '/') return announcePage;
  if (!eventToken) return unknownPage;
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (!fragment.has('organizer')) return (page) => eventPage(page, eventToken);
  return (page) => organizePage(page, eventToken, fragment.get('organizer'));
}

function frame() {
  const [other] = Object.keys(languages).filter((tag) => tag !== language);
  document.getElementById('top').replaceChildren(h('div', { class: 'wrap' },
    h('a', { class: 'mark', href: '/' }, tally(5), h('span', {}, 'Turnout')),
    button(languages[other], async () => {
      try {
        await chooseLanguage(other);
      } catch {
        say(t('failure.lost'));
        return;
      }
      frame();
      render();
      document.querySelector('#top button').focus();
    }, 'text', { lang: other })));
  document.getElementById('bottom').replaceChildren(h('p', { class: 'wrap' }, t('site.foot')));
  showConnection();
}

function render(arriving) {
  leave.abort();
  leave = new AbortController();
  // A question belongs to the page that asked it.
  document.querySelector('dialog[open]')?.close();
  const { signal } = leave;
  route()({
    head,
    signal,
    go(url, state = null) {
      history.pushState(state, '', url);
      render(true);
    },
    // A new page takes the focus to its heading, once it is there; so does a
    // state that replaces what had the focus.
    show(...content) {
      if (signal.aborted) return;
      const lost = main.contains(document.activeElement);
      main.replaceChildren(...content.filter(Boolean));
      const heading = main.querySelector('h1');
      if (main.querySelector('[aria-busy]')) {
        arriving ||= lost;
      } else if (arriving) {
        scrollTo(0, 0);
        focusOn(heading);
        arriving = false;
      } else if (lost) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
    },
  });
}

function showConnection() {
  document.getElementById('offline').textContent = navigator.onLine ? '' : t('site.offline');
}

addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href]');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.download) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  render(true);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tint);
addEventListener('popstate', () => render(true));
addEventListener('online', showConnection);
addEventListener('offline', showConnection);

await loadLanguage();
frame();
render(false);
