// Runs before the page is drawn: an open drawer gets its room at once, and nothing moves later.
try {
  if (sessionStorage.getItem('how-drawer-open') === 'yes') document.documentElement.dataset.how = 'open';
} catch {
  // Without storage the drawer is closed on each page.
}
