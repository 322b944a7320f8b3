// The service worker. It caches files with a hash in their names, which never change, and home, whose script draws
// every page. It never caches a response of the API or the page of an event.

declare const self: ServiceWorkerGlobalScope & {
  /** Of bundle.go: the digests of all files with a hash, and what a page needs besides its texts, the script first. */
  release: { needed: [string, ...string[]]; digests: Record<string, string> };
};

const { needed, digests } = self.release;
const files = Object.keys(digests);
const name = 'turnout';
const shell = '/';
const patience = 4000;

const cachedPaths = async (cache: Cache) => (await cache.keys()).map(({ url }) => new URL(url).pathname);

/** Resolves to undefined also if the browser cannot read its own cache. */
async function cachedAt(path: string) {
  try {
    return await caches.match(path);
  } catch {
    return undefined;
  }
}

/** The texts in English, the browser's languages, and those that an older release has cached. */
function texts(cached: string[]) {
  const own = ['en', ...navigator.languages].map((tag) => `/assets/${tag.split('-')[0]}-`);
  const isWanted = (start: string) => [...own, ...cached].some((path) => path.startsWith(start));
  return files.filter((path) => path.endsWith('.json') && isWanted(path.slice(0, '/assets/xx-'.length)));
}

/**
 * Requests a file, and fails if the response has another digest: a proxy may send a page of its own or a part of the
 * file. The browser's cache may keep such a response for good, so the second request bypasses that cache.
 */
async function whole(path: string, mode: RequestCache = 'default') {
  const request = (cache: RequestCache) => fetch(path, { integrity: digests[path] ?? '', cache });
  return request(mode).catch(() => request('reload'));
}

/** Whether the cache has the right content of a file. Earlier workers kept every response with a 2xx. */
async function isWhole(cache: Cache, path: string) {
  const answer = await cache.match(path);
  const digest = answer && (await crypto.subtle.digest('SHA-256', await answer.arrayBuffer()));
  return Boolean(digest) && digests[path] === `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest ?? [])))}`;
}

async function install() {
  const cache = await caches.open(name);
  const add = async (path: string) => {
    if (await isWhole(cache, path).catch(() => false)) return;
    const answer = await whole(path);
    if (!answer.ok) throw new Error(`no ${path}: ${answer.status}`);
    await cache.put(path, answer);
  };
  await Promise.all([...needed, ...texts(await cachedPaths(cache))].map(add));
  const home = await fetch(shell, { cache: 'no-cache' });
  // During an upload, it may be of another release: then a later visit installs the worker.
  if (!home.ok || home.redirected || !(await home.clone().text()).includes(needed[0]))
    throw new Error('not the page of this release');
  await cache.put(shell, home);
  await self.skipWaiting();
}

/** Deletes the files of older releases, and files with wrong content. */
async function activate() {
  const cache = await caches.open(name);
  for (const path of await cachedPaths(cache)) {
    if (path !== shell && !(await isWhole(cache, path).catch(() => false))) await cache.delete(path);
  }
  await self.clients.claim();
}

const isFailure = ({ status }: Response) => status === 429 || status >= 500;

/** Removes this worker if the release of a page has none: browsers keep a worker whose file is gone. */
async function leaveAfter(answer: Response) {
  if (isFailure(answer) || (await answer.text()).includes(needed[0])) return;
  const { status } = await fetch('/worker.js', { method: 'HEAD', cache: 'no-store' });
  if (status !== 404) return;
  await self.registration.unregister();
  await caches.delete(name);
}

async function page(event: FetchEvent) {
  const network = fetch(event.request);
  event.waitUntil(network.then((answer) => leaveAfter(answer.clone())).catch(() => {}));
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience));
  const answer = await Promise.race([network, late]).catch(() => undefined);
  return answer && !isFailure(answer) ? answer : ((await cachedAt(shell)) ?? network);
}

/** Serves a file from the cache, unless "Load the page again" has asked for all files anew. */
async function file(event: FetchEvent, path: string) {
  const { cache } = event.request;
  const cached = cache === 'reload' ? undefined : await cachedAt(path);
  if (cached) return cached;
  const answer = await whole(path, cache);
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
  if (request.mode === 'navigate' && isPage) event.respondWith(page(event));
  else if (!search && files.includes(pathname)) event.respondWith(file(event, pathname));
});
