/* global visit */
const request = window.fetch, { setItem } = Storage.prototype;
Storage.prototype.setItem = function (name, value) {
  if (value.includes('Zoë')) visit.stored ||= performance.now();
  setItem.call(this, name, value);
};
window.fetch = (...args) => {
  if (args[1]?.method === 'POST') visit.sent = performance.now();
  return request(...args);
};
new MutationObserver((_, observer) => {
  const field = document.getElementById('name'), button = document.querySelector('#rsvp [type=submit]');
  if (field && button && !field.value && !visit.stored) { field.focus(); document.execCommand('insertText', false, 'Zoë'); }
  if (visit.stored && !button.disabled) { observer.disconnect(); button.click(); }
}).observe(document, { attributes: true, childList: true, subtree: true });
