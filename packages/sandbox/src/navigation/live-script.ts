import { type Asset, assetOf } from '@latchkey/server/ui';

/*
 * Keeps the parts of a page up to date that have `data-live` and an id. The page works without it. The stream has no
 * content: at each message the script reads the page again, with the rights of the page, and replaces the parts that
 * changed. Focus stays, and so does the place to which the reader has scrolled.
 */
const SOURCE = `'use strict';

// The page's script changes times and buttons, so the parts are compared as the server sent them.
const sent = new Map();
function replace(part, next) {
  if (next === null || sent.get(part.id) === next.innerHTML) return;
  sent.set(part.id, next.innerHTML);
  globalThis.localizeTimes?.(next);
  if (part.innerHTML === next.innerHTML) return;
  const focused = part.contains(document.activeElement) ? document.activeElement.id : '';
  const shown = scrollY > 0 ? [...part.querySelectorAll('[id]')].find((one) => topOf(one) >= 0) : undefined;
  const before = shown && topOf(shown);
  part.replaceChildren(...next.childNodes);
  if (focused !== '') document.getElementById(focused)?.focus({ preventScroll: true });
  const after = shown && document.getElementById(shown.id);
  if (after) scrollBy(0, topOf(after) - before);
}
function topOf(element) { return element.getBoundingClientRect().top; }

// A press whose button is replaced before its release would be no click, so replacing waits for the release.
let release;
addEventListener('pointerdown', () => { release ??= Promise.withResolvers(); }, true);
for (const end of ['pointerup', 'pointercancel', 'dragend']) {
  addEventListener(end, () => setTimeout(() => { release?.resolve(); release = undefined; }), true);
}

let running = false;
let stale = false;
async function refresh() {
  if (running) { stale = true; return; }
  running = true;
  try {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      await release?.promise;
      for (const part of document.querySelectorAll('[data-live]')) replace(part, page.getElementById(part.id));
    }
  } catch {
    // The sandbox is stopped. The stream connects again when it runs.
  }
  running = false;
  if (stale) { stale = false; void refresh(); }
}

let stream;
let timer;
function follow() {
  stream?.close();
  stream = undefined;
  // A hidden page holds no connection: browsers allow few for each site.
  if (document.hidden) return;
  stream = new EventSource('/sandbox/changes');
  stream.addEventListener('open', () => void refresh());
  stream.addEventListener('message', () => {
    clearTimeout(timer);
    timer = setTimeout(refresh, 150);
  });
}
document.addEventListener('visibilitychange', follow);
addEventListener('pageshow', follow);
addEventListener('pagehide', () => stream?.close());
`;

/** Script that keeps parts of a page with `data-live` up to date. */
export const LIVE_SCRIPT: Asset = assetOf('sandbox.js', 'text/javascript; charset=utf-8', SOURCE);
