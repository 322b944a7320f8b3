// Measures the cost of a visit.

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: LayoutShiftSource[] };
type LayoutShiftSource = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };

const visit = { moved: 0, what: [] as string[] };
let ready = 0;

/** Notes layout shifts (CLS). */
export function noteShifts() {
  const rectangles = ({ node, previousRect, currentRect }: LayoutShiftSource) => {
    const text = node instanceof Element ? node.outerHTML : node?.textContent;
    return `${text?.slice(0, 80)} ${JSON.stringify([previousRect, currentRect])}`;
  };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
      if (hadRecentInput) continue;
      visit.moved += value;
      visit.what.push(...sources.map((source) => `${value.toFixed(3)} ${rectangles(source)}`));
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Notes the time at which a form can be sent, or the organizer's page can be used. */
export function noteReady() {
  const observer = new MutationObserver(() => {
    if (document.querySelector('[type=submit]:enabled, #dashboard button')) ready ||= performance.now();
  });
  observer.observe(document, { attributes: true, childList: true, subtree: true });
}

/** The layout shifts, and the bytes until the page could be used and in total. `without` is a pattern of other URLs. */
export function visited(without: string) {
  const loads = ['navigation', 'resource']
    .flatMap((type) => performance.getEntriesByType(type) as PerformanceResourceTiming[])
    .filter(({ name }) => !RegExp(without).test(name));
  const sum = (some: PerformanceResourceTiming[]) =>
    some.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0);
  return { ...visit, all: sum(loads), used: sum(loads.filter(({ startTime }) => startTime < ready)) };
}

/** The URLs of loaded files that contain a text. */
export const loaded = (text: string) =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((address) => address.includes(text));

/** How often the page has loaded a path of the site. */
export const timesLoaded = (path: string) => performance.getEntriesByName(location.origin + path).length;

export const loadedFromOtherSites = () =>
  loaded('').filter((address) => !/^(blob|data):/.test(address) && !address.startsWith(location.origin));

/** The loaded texts, each with the element or script that requested it. */
export const loadedTexts = (kind: string) =>
  (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
    .filter(({ name }) => name.endsWith('.json') && name.includes(kind))
    .map(({ initiatorType, name }) => `${initiatorType} ${name}`);

/** The paths of all requests with this text in their URL, including the page's own request. */
export const pathsRequestedWith = (part: string) =>
  [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .map(({ name }) => new URL(name))
    .filter(({ pathname, search }) => (pathname + search).includes(part))
    .map(({ pathname }) => pathname);
