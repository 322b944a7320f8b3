/* global visit */
window.visit = { painted: 0, stored: 0, sent: 0, moved: 0, what: [] };
const rectangles = ({ node, previousRect, currentRect }) =>
  `${(node?.outerHTML ?? node?.textContent ?? '').slice(0, 80)} ${JSON.stringify([previousRect, currentRect])}`;
new PerformanceObserver((list) => {
  for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') visit.painted = startTime;
}).observe({ type: 'paint', buffered: true });
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput || visit.sent) continue;
    visit.moved += value;
    visit.what.push(...sources.map((source) => `${value.toFixed(3)} ${rectangles(source)}`));
  }
}).observe({ type: 'layout-shift', buffered: true });
