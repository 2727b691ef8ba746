// Fills the gallery: for each look, a cell for every state of an element.
import {
  createStillCheckout,
  createStillSession,
  gateStates,
  loginStates,
  planOwner,
  plansStates,
} from '/latchkey-testing/index.js';

const called = document.querySelector('#called');

const wanted = new URLSearchParams(location.search).get('look');
for (const section of document.querySelectorAll('main > section')) {
  if (wanted && section.id !== wanted) section.remove();
}

const here = wanted ? `/gallery?look=${wanted}` : '/gallery';
for (const link of document.querySelectorAll('nav a')) {
  if (link.getAttribute('href') === here) link.setAttribute('aria-current', 'page');
}

const onCall = (method) => {
  called.textContent = `The last button called ${method}().`;
};
const still = (snapshot) => createStillSession(snapshot, { onCall });

for (const look of document.querySelectorAll('.look')) {
  look.append(
    heading('latchkey-login'),
    cells(
      ...Object.entries(loginStates).map(([name, snapshot]) => cell(name, login(look.id, snapshot))),
      ...['signed in', 'signed in without e-mail or membership'].map((name) =>
        cell(`${name}, menu open`, login(look.id, loginStates[name], { open: true }), { tall: true }),
      ),
    ),
    heading('latchkey-gate'),
    cells(...Object.entries(gateStates).map(([name, snapshot]) => cell(name, gate(snapshot)))),
    heading('latchkey-plans'),
    wideCells(
      ...Object.entries(plansStates).map(([name, snapshot]) => cell(name, seller('plans', snapshot))),
      cell('one’s own plan', seller('plans', plansStates.plans, planOwner)),
    ),
    heading('latchkey-join'),
    cells(
      ...Object.entries(plansStates)
        .filter(([, { planId }]) => planId)
        .map(([name, snapshot]) => cell(name, seller('join', snapshot))),
      cell('one’s own plan', seller('join', plansStates.plans, planOwner)),
    ),
  );
}

const variants = document.querySelector('#variants .states');
if (variants) {
  for (const variant of ['filled', 'outlined', 'plain']) {
    for (const size of ['small', 'medium', 'large']) {
      const element = login('variants', loginStates['signed out']);
      Object.assign(element, { variant, size });
      variants.append(cell(`${variant}, ${size}`, element));
    }
  }
  const wide = login('variants', loginStates['signed out']);
  wide.toggleAttribute('full-width', true);
  wide.label = 'Become a member';
  variants.append(cell('full width, with a label of its own', wide));
}

function login(look, snapshot, { open = false } = {}) {
  const element = document.createElement('latchkey-login');
  element.session = still(snapshot);
  if (look === 'narrow') element.toggleAttribute('full-width', true);
  // No attribute opens the menu, so click it as a visitor does.
  if (open) afterwards(element, () => element.shadowRoot.querySelector('button').click());
  return element;
}

function gate(snapshot) {
  const element = document.createElement('latchkey-gate');
  element.session = still(snapshot);
  const members = document.createElement('p');
  members.textContent = 'Members see this: lot 31 is on the shelf behind the counter.';
  element.append(members);
  return element;
}

function seller(name, snapshot, session = loginStates['signed out']) {
  const element = document.createElement(`latchkey-${name}`);
  element.checkout = createStillCheckout(snapshot, { onCall });
  element.session = still(session);
  if (name === 'join') element.plan = plansStates['signing in'].planId;
  return element;
}

function cell(name, element, { tall = false } = {}) {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  const stage = document.createElement('div');
  stage.className = 'stage';
  stage.toggleAttribute('data-tall', tall);
  stage.append(element);
  figure.append(caption, stage);
  return figure;
}

function cells(...figures) {
  const list = document.createElement('div');
  list.className = 'states';
  list.append(...figures);
  return list;
}

/** Plans need the width of the page. */
function wideCells(...figures) {
  const list = cells(...figures);
  list.classList.add('wide');
  return list;
}

function heading(text) {
  const title = document.createElement('h3');
  title.textContent = `<${text}>`;
  return title;
}

for (const stage of document.querySelectorAll('#arabic .stage'))
  Object.assign(stage, { lang: 'ar', dir: 'rtl' });

// Tells the tests that the gallery is complete.
const elements = [
  ...document.querySelectorAll('latchkey-login, latchkey-gate, latchkey-plans, latchkey-join'),
];
await customElements.whenDefined('latchkey-gate');
await customElements.whenDefined('latchkey-join');
await Promise.all(elements.map(({ updateComplete }) => updateComplete));
await new Promise((resolve) => setTimeout(resolve));
document.documentElement.dataset.ready = '';

async function afterwards(element, act) {
  await customElements.whenDefined('latchkey-login');
  await new Promise((resolve) => setTimeout(resolve));
  await element.updateComplete;
  act();
}
