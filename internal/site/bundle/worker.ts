// The service worker, which makes the site work offline. It caches files with a hash in their
// names, which never change, and the home page, whose script draws every page. It caches
// nothing else: neither answers of the API nor pages of events.

declare const self: ServiceWorkerGlobalScope & {
  /**
   * Inserted by bundle.go: `files` are all files of this release with a hash, `needed` are those of
   * them that a page needs besides its texts, the script first.
   */
  release: { needed: [string, ...string[]]; files: string[] };
};

const { needed, files } = self.release;
const name = 'turnout';
const shell = '/';
const patience = 4000;

const cachedPaths = async (cache: Cache) => (await cache.keys()).map(({ url }) => new URL(url).pathname);

/** The cached answer for a path, or undefined, also if the browser cannot read it. */
async function cachedAt(path: string) {
  try {
    return await caches.match(path);
  } catch {
    return undefined;
  }
}

/** The texts in the languages of the browser, in English, and in languages that an older release has cached. */
function texts(cached: string[]) {
  const own = ['en', ...navigator.languages].map((tag) => `/assets/${tag.split('-')[0]}-`);
  return files.filter(
    (path) =>
      path.endsWith('.json') &&
      (own.some((start) => path.startsWith(start)) ||
        cached.some((old) => old.startsWith(path.slice(0, '/assets/xx-'.length)))),
  );
}

async function install() {
  const cache = await caches.open(name);
  const cached = await cachedPaths(cache);
  await cache.addAll([...needed, ...texts(cached)].filter((path) => !cached.includes(path)));
  const home = await fetch(shell, { cache: 'no-cache' });
  // During an upload, the page may be of another release: then a later visit installs the worker.
  if (!home.ok || !(await home.clone().text()).includes(needed[0])) throw new Error('not the page of this release');
  await cache.put(shell, home);
  await self.skipWaiting();
}

/** Deletes the files of older releases. */
async function activate() {
  const cache = await caches.open(name);
  for (const path of await cachedPaths(cache)) if (path !== shell && !files.includes(path)) await cache.delete(path);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

const isFailure = ({ status }: Response) => status === 429 || status >= 500;

/**
 * Removes this worker if the current release has none: browsers keep a worker whose file is gone.
 * @param answer a page
 */
async function leaveAfter(answer: Response) {
  if (isFailure(answer) || (await answer.text()).includes(needed[0])) return;
  const { status } = await fetch('/worker.js', { method: 'HEAD', cache: 'no-store' });
  if (status !== 404) return;
  await self.registration.unregister();
  await caches.delete(name);
}

async function page(event: FetchEvent) {
  const network = answerTo(event);
  event.waitUntil(network.then((answer) => leaveAfter(answer.clone())).catch(() => {}));
  const late: Promise<undefined> = new Promise((resolve) => {
    setTimeout(resolve, patience);
  });
  const answer = await Promise.race([network, late]).catch(() => undefined);
  return answer && !isFailure(answer) ? answer : ((await cachedAt(shell)) ?? network);
}

/** With navigation preload, the browser requests a page while it starts the worker. */
async function answerTo({ request, preloadResponse }: FetchEvent) {
  const preloaded: unknown = await preloadResponse;
  return preloaded instanceof Response ? preloaded : fetch(request);
}

async function file(event: FetchEvent, path: string) {
  const cached = await cachedAt(path);
  if (cached) return cached;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(keep(path, answer.clone()).catch(() => {}));
  return answer;
}

async function keep(path: string, answer: Response) {
  if (await caches.has(name)) await (await caches.open(name)).put(path, answer);
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  // As in app.tsx: what has an extension is a file.
  const isPage = !/^\/api(\/|$)|\.\w+$/.test(pathname);
  if (request.mode === 'navigate') event.respondWith(isPage ? page(event) : answerTo(event));
  else if (!search && files.includes(pathname)) event.respondWith(file(event, pathname));
});
