/* global visit */
window.visit = { moved: 0, what: [] };
const rectangles = ({ node, previousRect, currentRect }) =>
  `${(node?.outerHTML ?? node?.textContent ?? '').slice(0, 80)} ${JSON.stringify([previousRect, currentRect])}`;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    visit.moved += value;
    visit.what.push(...sources.map((source) => `${value.toFixed(3)} ${rectangles(source)}`));
  }
}).observe({ type: 'layout-shift', buffered: true });
