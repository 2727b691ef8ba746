import { type Asset, assetOf } from '@latchkey/server/ui';

/*
 * Shows the results of the page of results while the reader types. The arrow keys move through them, and Escape closes
 * them. If the page can't be read, the form works as it does without a script.
 */
const SOURCE = `'use strict';
const form = document.querySelector('.docs-search form');
const field = form.elements.q;
const panel = document.getElementById('docs-results');
const [status, list] = panel.children;

async function show() {
  const query = field.value.trim();
  if (query === '') return close();
  const response = await fetch(form.action + '?' + new URLSearchParams({ q: query }));
  if (!response.ok) throw new Error('status ' + response.status);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (field.value.trim() !== query) return;
  status.textContent = page.querySelector('article .lead').textContent;
  list.replaceChildren(...page.querySelectorAll('article .docs-hits > li'));
  panel.hidden = false;
}

function close() {
  panel.hidden = true;
  list.replaceChildren();
}

field.addEventListener('input', () => void show().catch(close));
form.addEventListener('submit', async (event) => {
  if (field.value.trim() === '') return;
  event.preventDefault();
  try {
    await show();
    list.querySelector('a')?.focus();
  } catch {
    form.submit();
  }
});
form.parentElement.addEventListener('keydown', (event) => {
  if (panel.hidden) return;
  if (event.key === 'Escape') {
    close();
    field.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [field, ...list.querySelectorAll('a')];
  const next = stops.indexOf(document.activeElement) + step;
  stops[Math.min(Math.max(next, 0), stops.length - 1)].focus();
});
// A link within the page leaves the results open above it.
list.addEventListener('click', ({ target }) => { if (target.closest('a') !== null) close(); });
`;

/** Script of every page of the documentation. */
export const DOCS_SEARCH_SCRIPT: Asset = assetOf('docs-search.js', 'text/javascript; charset=utf-8', SOURCE);
