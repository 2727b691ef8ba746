import '/assets/evaluate.js';

const answer = document.querySelector('#api-answer');

document.querySelector('#ask-api')?.addEventListener('click', async () => {
  try {
    const response = await fetch('/api/table', { headers: { accept: 'application/json' } });
    answer.textContent = `${response.status}\n${JSON.stringify(await response.json(), null, 2)}`;
  } catch {
    answer.textContent = 'No answer: is the demo still running?';
  }
});

// The server renders the masthead and the greeting. After a sign-in by popup, fetch them again instead of
// reloading, so that the visitor keeps the scroll position and the focus.
document.addEventListener('latchkey-change', ({ detail }) => {
  if (!['signed-in', 'signed-out', 'expired'].includes(detail.status)) return;
  if ((document.body.dataset.signedIn === 'yes') !== detail.signedIn) void renewFromServer();
});

async function renewFromServer() {
  const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'manual' });
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of ['.account', '.greeting']) {
    const now = document.querySelector(part);
    const next = fresh.querySelector(part);
    if (now !== null && next !== null) now.replaceWith(next);
  }
  document.body.dataset.signedIn = fresh.body.dataset.signedIn;
}
