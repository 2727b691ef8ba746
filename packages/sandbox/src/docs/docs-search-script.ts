/**
 * Searches while the reader types, without the server: it loads the sections when the field gets the focus. The arrow
 * keys move through the results, and Escape closes them. If the sections can't be loaded, the form works as it does
 * without a script. Everything is set as text, never as HTML.
 */
export const DOCS_SEARCH_SCRIPT = `import { createDocsSearch } from './docs-search.js';

const form = document.querySelector('.docs-search form');
const field = form.elements.q;
const panel = document.getElementById('docs-results');
const [status, list] = panel.children;
let loading;

function load() {
  loading ??= fetch(new URL('sections.json', import.meta.url)).then(async (response) => {
    if (!response.ok) throw new Error('status ' + response.status);
    return createDocsSearch(await response.json());
  });
  loading.catch(() => { loading = undefined; });
  return loading;
}

function item({ href, label, heading, excerpt }) {
  const entry = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = heading;
  const page = document.createElement('span');
  page.className = 'fine';
  page.textContent = label;
  const text = document.createElement('p');
  text.textContent = excerpt;
  entry.append(link, page, text);
  return entry;
}

async function show() {
  const query = field.value.trim();
  if (query === '') { close(); return []; }
  const search = await load();
  if (field.value.trim() !== query) return [];
  const hits = search.find(query);
  status.textContent = hits.length === 0
    ? 'No section contains “' + query + '”.'
    : hits.length === 1 ? '1 section' : hits.length + ' sections';
  list.replaceChildren(...hits.map(item));
  panel.hidden = false;
  return hits;
}

function close() {
  panel.hidden = true;
  list.replaceChildren();
}

field.addEventListener('focus', () => void load().catch(() => {}));
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
