// The evaluation panel: a log of the widget's events, and a button that checks the session.

const EVENTS = [
  'latchkey-change',
  'latchkey-signed-in',
  'latchkey-signed-out',
  'latchkey-expired',
  'latchkey-error',
];
const KEPT = 12;

const log = document.querySelector('#event-log');

for (const name of EVENTS) {
  document.addEventListener(name, (event) => {
    if (log === null) return;
    log.querySelector('.empty')?.remove();
    log.prepend(logLine(name, summary(event.detail)));
    while (log.children.length > KEPT) log.lastElementChild?.remove();
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
