// Draws the gallery: a cell for every state of one element, and the switches of the look.
import { groupsOf } from '/gallery-states.js';

const main = document.querySelector('main');
const called = document.querySelector('#called');
const form = document.querySelector('form');
const parameters = new URLSearchParams(location.search);
const element = parameters.get('element') ?? 'login';

for (const link of document.querySelectorAll('nav a')) {
  if (link.dataset.element === element) link.setAttribute('aria-current', 'page');
}

for (const { id, heading, text, cells, isWide = false } of shownGroups()) {
  const section = create('section', { id, 'aria-labelledby': `${id}-title` });
  const states = create('div', { class: isWide ? 'states wide' : 'states' }, ...cells.map(cell));
  section.append(create('h2', { id: `${id}-title` }, heading), create('p', {}, text), states);
  main.append(section);
}

function reportCall(method) {
  called.textContent = `The element called ${method}().`;
}

// ── A cell ─────────────────────────────────────────────────────────────────────────────────────

function cell(state) {
  const { name, tag, attributes, properties, content, opens = false, isInHeader = false } = state;
  const shown = create(tag, attributes, ...(content ? [create('p', {}, content)] : []));
  Object.assign(shown, properties);
  // No attribute opens the menu, so click it as a visitor does.
  if (opens) void afterwards(shown, () => shown.shadowRoot.querySelector('button').click());
  const place = create('div', { class: isInHeader ? 'place sample' : 'place' });
  place.append(...(isInHeader ? [create('strong', {}, 'Ember & Oak')] : []), shown);
  const markup = markupOf(state);
  const copy = create('button', { type: 'button' }, 'Copy');
  copy.setAttribute('aria-label', `Copy the markup of “${name}”`);
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(markup);
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  const details = create('details', {}, create('summary', {}, 'Markup'));
  details.append(create('pre', {}, create('code', {}, markup)));
  const caption = create('div', { class: 'caption' }, create('figcaption', {}, name), copy);
  return create('figure', {}, caption, create('div', { class: 'stage' }, place), details);
}

/** Returns the markup of an element, and the script that holds it in its state. */
function markupOf({ tag, attributes, written = attributes, content, setUp, imports }) {
  const escaped = (value) => value.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
  const list = Object.entries(written).map(([name, value]) => {
    if (value === '') return ` ${name}`;
    return value.includes('"') ? ` ${name}='${escaped(value)}'` : ` ${name}="${value}"`;
  });
  const name = tag.replace('latchkey-', '');
  return `<${tag}${list.join('')}>${content ? `\n  <p>${content}</p>\n` : ''}</${tag}>

<!-- In a story or a test: -->
<script type="module">
import { ${imports} } from '@latchkey/widget/testing';
const ${name} = document.querySelector('${tag}');
${setUp}
</script>`;
}

function create(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...children);
  return node;
}

async function afterwards(shown, act) {
  await customElements.whenDefined('latchkey-login');
  await new Promise((resolve) => setTimeout(resolve));
  await shown.updateComplete;
  act();
}

/** Returns the groups of the element. An address can name one state to show alone, for example in a bug report. */
function shownGroups() {
  const groups = groupsOf(element, reportCall);
  const state = parameters.get('state');
  const withState = groups
    .map((group) => ({ ...group, cells: group.cells.filter(({ name }) => name === state) }))
    .filter(({ cells }) => cells.length > 0);
  return withState.length > 0 ? withState : groups;
}

// ── The look ───────────────────────────────────────────────────────────────────────────────────

for (const [name, value] of parameters) {
  const input = [...form.querySelectorAll('input')].find(
    (each) => each.name === name && each.value === value,
  );
  if (input) input.checked = true;
}
form.addEventListener('change', () => {
  const look = new FormData(form);
  for (const [name, value] of look) {
    if (value) parameters.set(name, value);
    else parameters.delete(name);
  }
  history.replaceState(null, '', `?${parameters}`);
  void applyLook();
});

/** Counts the changes of the look. A change can begin before the one before it is complete. */
let changes = 0;

/** Applies the chosen look. Resolves once the elements have it and every stage has room for its panels. */
async function applyLook() {
  const change = ++changes;
  // Tells the tests that the gallery is changing.
  delete document.documentElement.dataset.ready;
  const { lang, ...look } = Object.fromEntries(new FormData(form));
  Object.assign(main.dataset, look);
  for (const place of document.querySelectorAll('.place')) {
    place.dir = lang === 'ar' ? 'rtl' : 'ltr';
    place.lastElementChild.lang = lang || 'en';
  }
  // A link to another element keeps the look.
  for (const link of document.querySelectorAll('nav a')) {
    const target = new URLSearchParams(parameters);
    target.set('element', link.dataset.element);
    target.delete('state');
    link.href = `/gallery?${target}`;
  }
  await settle();
  await document.fonts.ready;
  makeRoom();
  // Tells the tests that the gallery is complete.
  if (change === changes) document.documentElement.dataset.ready = '';
}

async function settle() {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(
      [...document.querySelectorAll('.place > *')].map(({ updateComplete }) => updateComplete),
    );
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Makes each stage as high as the panel that covers what comes below it. */
function makeRoom() {
  const stages = [...document.querySelectorAll('.stage')];
  for (const stage of stages) stage.style.minBlockSize = '';
  const heights = stages.map((stage) => {
    const { top } = stage.getBoundingClientRect();
    return Math.ceil(Math.max(top, ...panelsIn(stage).map(bottomBelow)) - top + 16);
  });
  for (const [index, stage] of stages.entries())
    stage.style.minBlockSize = `${Math.max(76, heights[index])}px`;
}

/** Returns where a panel ends if it is below its button. At the end of the window it is above, or scrolls. */
function bottomBelow(panel) {
  if (!panel.matches(':popover-open')) return panel.getBoundingClientRect().bottom;
  const { bottom } = panel.getRootNode().host.getBoundingClientRect();
  return bottom + 8 + panel.scrollHeight + panel.offsetHeight - panel.clientHeight;
}

function panelsIn(stage) {
  return [...stage.querySelectorAll('latchkey-login')].flatMap(({ shadowRoot }) => [
    ...(shadowRoot?.querySelectorAll('.panel:not(.quiet)') ?? []),
  ]);
}

await customElements.whenDefined('latchkey-gate');
await customElements.whenDefined('latchkey-join');
await applyLook();
addEventListener('resize', makeRoom);
