import '/assets/how.js';
import '/assets/current-page.js';
import { onTime, serviceNow, timeLeft } from '/assets/countdown.js';

const answer = document.querySelector('#api-answer');

document.querySelector('#ask-api')?.addEventListener('click', async () => {
  try {
    const response = await fetch('/api/table', { headers: { accept: 'application/json' } });
    answer.textContent = `${response.status}\n${JSON.stringify(await response.json(), null, 2)}`;
  } catch {
    answer.textContent = 'No answer: is the demo still running?';
  }
});

// ── Signing in by popup ────────────────────────────────────────────────────────────────────────

// The server renders the masthead, the greeting and the offer. After a sign-in by popup, fetch them again instead of
// reloading, so that the visitor keeps the scroll position and the focus.
document.addEventListener('latchkey-change', ({ detail }) => {
  if (!['signed-in', 'signed-out', 'expired'].includes(detail.status)) return;
  if ((document.body.dataset.signedIn === 'yes') !== detail.signedIn) void renewFromServer();
});

async function renewFromServer() {
  const fresh = await fetchPage();
  if (fresh === undefined) return;
  replaceParts(fresh, ['.account', '.greeting', '#hero-actions', '#popup-door', '#plain-door', '#join']);
  document.body.dataset.signedIn = fresh.body.dataset.signedIn;
}

async function fetchPage() {
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'manual' });
    if (!response.ok) return undefined;
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return undefined;
  }
}

function replaceParts(fresh, selectors) {
  for (const part of selectors) {
    const now = document.querySelector(part);
    const next = fresh.querySelector(part);
    if (now !== null && next !== null) now.replaceWith(next);
  }
}

// ── The drop ───────────────────────────────────────────────────────────────────────────────────

if (document.querySelector('#drop') !== null) {
  const shown = () => document.querySelector('#drop').dataset;
  let latest;
  let isStale = false;
  let isRenewing = false;
  const renew = async () => {
    if (isRenewing) return;
    isRenewing = true;
    // A message during the request may be newer than its response.
    isStale = false;
    const fresh = await fetchPage();
    isRenewing = false;
    if (fresh === undefined) {
      isStale = true;
      return;
    }
    const { dropPhase } = shown();
    replaceParts(fresh, ['.page-head', '#drop']);
    // A half-typed address stays, unless the list has closed.
    if (dropPhase !== shown().dropPhase) replaceParts(fresh, ['#signup']);
  };
  // It is called every second too, so a renewal that failed is tried again.
  onTime((drop) => {
    const now = serviceNow();
    const counter = document.querySelector('[data-countdown-to]');
    if (counter !== null) counter.textContent = timeLeft(Number(counter.dataset.countdownTo) - now);
    const message = JSON.stringify(drop);
    if (message !== latest && message !== shown().drop) isStale = true;
    latest = message;
    const isOver = counter !== null && Number(counter.dataset.countdownTo) <= now;
    if (isOver || isStale) void renew();
  });
}

// ── The chat ───────────────────────────────────────────────────────────────────────────────────

const chatState = document.querySelector('#chat-state');
if (chatState !== null) void showInvite();

async function showInvite() {
  try {
    const response = await fetch('/chat', { headers: { accept: 'application/json' } });
    const { link, expiresAt, error } = await response.json();
    if (response.ok) {
      document.querySelector('#chat-join').href = link;
      const expiry =
        expiresAt && new Date(expiresAt).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
      chatState.textContent = expiry
        ? `Your invite is ready. It expires on ${expiry}.`
        : 'Your invite is ready.';
    } else if (error === 'not_bought_here') {
      document.querySelector('#chat-text').textContent =
        'Eight people and one kettle. Your seat was not bought in this shop, so ask at the table for an invite.';
      document.querySelector('#chat-join').parentElement.remove();
    } else {
      chatState.textContent = 'The invite is not ready yet. The button asks again.';
    }
  } catch {
    chatState.textContent = 'The invite is not ready yet. The button asks again.';
  }
}
