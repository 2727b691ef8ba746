// The drawer "How this works": calls of this shop as they happen, and the widget's events on this page.
import { onLive } from './live.js';

const EVENTS = [
  'latchkey-change',
  'latchkey-signed-in',
  'latchkey-signed-out',
  'latchkey-expired',
  'latchkey-error',
];
const KEPT_EVENTS = 12;
const KEPT_CALLS = 60;
const OPEN = 'how-drawer-open';

const drawer = document.querySelector('#how');
const opener = document.querySelector('#how-open');
const list = document.querySelector('#how-calls');
const state = document.querySelector('#how-state');
const log = document.querySelector('#event-log');
// Where the page has no room beside the drawer, the drawer is modal.
const narrow = matchMedia('(max-width: 74.99rem)');

// ── Opening and closing ────────────────────────────────────────────────────────────────────────

opener.hidden = false;
opener.addEventListener('click', () => (drawer.open ? close() : open({ focus: true })));
document.querySelector('#how-close').addEventListener('click', close);
drawer.addEventListener('close', () => show(false));
// A sheet is modal, and the browser closes it with Escape. The drawer beside the page is not.
drawer.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !drawer.matches(':modal')) close();
});
// The drawer stays open on the next page, so that one can watch a purchase. It takes no focus then.
if (document.documentElement.dataset.how === 'open' && !narrow.matches) open({ focus: false });

function open({ focus }) {
  const before = document.activeElement;
  if (narrow.matches) drawer.showModal();
  else drawer.show();
  if (!focus && before instanceof HTMLElement) before.focus({ preventScroll: true });
  if (!focus && drawer.contains(document.activeElement)) document.activeElement.blur();
  show(true);
}

function close() {
  const hadFocus = drawer.contains(document.activeElement);
  drawer.close();
  // The event `close` comes later, and the hidden button can't have the focus.
  show(false);
  if (hadFocus) opener.focus();
}

function show(isOpen) {
  opener.setAttribute('aria-expanded', String(isOpen));
  document.documentElement.dataset.how = isOpen ? 'open' : 'closed';
  try {
    sessionStorage.setItem(OPEN, isOpen ? 'yes' : 'no');
  } catch {
    // Without storage the drawer is closed on the next page.
  }
}

// ── Calls ──────────────────────────────────────────────────────────────────────────────────────

onLive('error', () => {
  state.textContent = 'The demo does not answer. This page connects again by itself.';
});
onLive('calls', (calls) => {
  list.replaceChildren();
  for (const call of [...calls].reverse()) add(call);
  showCount();
});
onLive('call', (call) => {
  add(call)?.classList.add('new');
  showCount();
});

/** Adds a call above the others. Equal calls in a row are one entry with a number, which leads to the newest. */
function add(call) {
  if (list.querySelector(`[data-key="${CSS.escape(call.key)}"]`) !== null) return undefined;
  const newest = list.firstElementChild;
  const same = `${call.direction} ${call.method} ${call.path} ${call.status} ${call.sentence}`;
  const isSame = newest !== null && newest.dataset.same === same;
  const item = callItem(call, isSame ? Number(newest.dataset.times) + 1 : 1);
  item.dataset.same = same;
  if (isSame) newest.remove();
  list.prepend(item);
  while (list.children.length > KEPT_CALLS) list.lastElementChild.remove();
  return item;
}

function showCount() {
  const text =
    list.children.length === 0 ? 'No call yet. Sign in, and watch them arrive.' : 'Live, newest first.';
  if (state.textContent !== text) state.textContent = text;
}

function callItem({ key, at, direction, method, path, status, sentence, href }, times) {
  const item = document.createElement('li');
  item.dataset.key = key;
  item.dataset.times = times;
  const link = document.createElement('a');
  link.href = href;
  link.target = '_blank';
  link.rel = 'noopener';
  const name = document.createElement('code');
  name.textContent = `${method} ${path}`;
  link.append(name);
  const answer = document.createElement('span');
  answer.className = status !== null && status < 400 ? 'how-status' : 'how-status failed';
  answer.textContent = status ?? 'none';
  const facts = document.createElement('p');
  facts.className = 'how-facts';
  const time = document.createElement('time');
  time.dateTime = at;
  time.textContent = at.slice(11, 19);
  facts.append(
    direction === 'in' ? 'Service to shop, ' : 'Shop to service, ',
    time,
    times === 1 ? ' UTC' : ` UTC, ${times} times`,
  );
  const text = document.createElement('p');
  text.textContent = sentence;
  item.append(link, answer, text, facts);
  return item;
}

// ── Events of the widget ───────────────────────────────────────────────────────────────────────

for (const name of EVENTS) {
  document.addEventListener(name, (event) => {
    log.querySelector('.empty')?.remove();
    log.prepend(logLine(name, summary(event.detail)));
    while (log.children.length > KEPT_EVENTS) log.lastElementChild.remove();
  });
}

document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element) || event.target.closest('[data-check-session]') === null) return;
  document.querySelector('latchkey-login')?.refresh();
});

function logLine(name, text) {
  const line = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString([], { timeStyle: 'medium' });
  const what = document.createElement('span');
  what.textContent = text === '' ? name : `${name} ${text}`;
  line.append(time, what);
  return line;
}

/** Returns a short description of an event. It never contains a token. */
function summary(detail) {
  return [detail.status, detail.user?.email, detail.code ?? detail.failure?.code].filter(Boolean).join(' ');
}
