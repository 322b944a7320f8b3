// The service worker caches files with a hash in their names, which never change. It also caches home, whose script
// draws every page. It never caches API responses or event pages.

import { pageAt } from '../lib/paths';

declare const self: ServiceWorkerGlobalScope & {
  /** Set by bundle.go: the digests of all assets, and the assets that a page needs besides texts, the script first. */
  release: { needed: [string, ...string[]]; digests: Record<string, string> };
};

const { needed, digests } = self.release;
const files = Object.keys(digests);
const name = 'turnout';
const shell = '/';
const patience = 4000;

const cachedPaths = async (cache: Cache) => (await cache.keys()).map(({ url }) => new URL(url).pathname);

/** The cached file at a path. Undefined if there is none, or if the browser cannot read its own cache. */
async function cachedAt(path: string) {
  try {
    return await caches.match(path);
  } catch {
    return undefined;
  }
}

/** The files of texts to cache: in English, the browser's languages, and languages that an older release cached. */
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

/** Whether the cache has the right content of a file. Earlier workers cached every response with a 2xx status. */
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
  // During an upload, home may be of another release. Then a later visit installs the worker.
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

/** Removes this worker if a page's release has no worker, because browsers keep a worker whose file is missing. */
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

/** Serves a file from the cache, unless the visitor chose "Load the page again", which requests all files again. */
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
  // Other paths may be pages that a proxy adds to the site.
  if (request.mode === 'navigate' && pageAt(pathname)) event.respondWith(page(event));
  else if (!search && files.includes(pathname)) event.respondWith(file(event, pathname));
});
