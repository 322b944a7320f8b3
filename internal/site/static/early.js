// @ts-check
// This runs in the head of the page, before anything is painted. Where app.js will show the
// organizer's page, the styles hide what the server has sent for guests alone.
try {
  const { hash, pathname } = location;
  // As lib/saved.js stores it.
  const saved = `"${pathname.slice(3, 39).toLowerCase()}","organizerToken"`;
  if (/^#organizer\b/.test(hash) || (hash === '#organize' && (history.state?.organizer || localStorage.getItem('turnout.mine')?.includes(saved)))) {
    document.documentElement.dataset.organizer = '';
  }
} catch {
  // There is no storage.
}
// "Load the page again", where app.js did not load: its link alone would lose the fragment.
addEventListener('click', (event) => {
  if (!(event.target instanceof Element && event.target.closest('.late a'))) return;
  event.preventDefault();
  location.reload();
});
