import { openChannel } from '../browser/tabs.js';
import type { Timers } from '../browser/wake-up.js';
import { LoginError } from '../state/login-failure.js';
import type { SentRequest } from './request.js';

/** `error` that the callback page sends if the client does not allow this page's origin. */
const ORIGIN_REFUSED = 'origin_refused';

/**
 * Waits for the popup's authorization response. Never settles if the signal aborts.
 * @throws LoginError `origin_refused` if the client does not allow this page's origin; `misconfigured` if the site has no
 * callback page.
 */
export async function popupResponse(
  popup: Window,
  request: SentRequest,
  { timers, signal, onClosed }: { timers: Timers; signal: AbortSignal; onClosed: () => void },
): Promise<URLSearchParams> {
  const received = new AbortController();
  const listening = AbortSignal.any([signal, received.signal]);
  const { redirectUri, state } = request;
  const response = await new Promise<URLSearchParams>((resolve, reject) => {
    const onSilent = () => reject(notCallback(redirectUri));
    watchPopup(popup, request, { timers, signal: listening, onClosed, onSilent });
    listenForResponse({ origin: new URL(redirectUri).origin, popup, state }, listening, resolve);
  });
  received.abort();
  if (response.get('error') === ORIGIN_REFUSED && response.get('state') === state) throw originRefused();
  // The window does not close itself, and the rest needs it no more.
  popup.close();
  return response;
}

function originRefused(): LoginError {
  return new LoginError(
    ORIGIN_REFUSED,
    `The client does not allow ${location.origin}. Add exactly this origin to its "Allowed web origins".`,
  );
}

function notCallback(redirectUri: string): LoginError {
  return new LoginError(
    'misconfigured',
    `${redirectUri} does not load callback.js. Copy callback.html and callback.js of @latchkey/widget there, or set callback-url. Now ${answerer()} answers.`,
  );
}

/** Names what answers for this page. */
export function answerer(): string {
  return navigator.serviceWorker?.controller ? 'a service worker' : 'the web server';
}

const POLL_MS = 400;
/** Checks in a row after which a callback page that is loaded, but has not answered, never will. Its script may load late. */
const SILENT_CHECKS = 10;

/**
 * Calls back once: `onClosed` when the window reads as closed in two checks in a row. A response that was posted just before
 * the window closed arrives between the two. `onSilent` when the window shows the response in its address, because a
 * callback page removes it. Stops when the signal aborts.
 */
function watchPopup(
  popup: Window,
  { redirectUri, state }: SentRequest,
  watch: { timers: Timers; signal: AbortSignal; onClosed: () => void; onSilent: () => void },
): void {
  const { timers, signal, onClosed, onSilent } = watch;
  let closedChecks = 0;
  let silentChecks = 0;
  let handle: unknown;
  const check = () => {
    closedChecks = popup.closed ? closedChecks + 1 : 0;
    silentChecks = showsResponse(popup, redirectUri, state) ? silentChecks + 1 : 0;
    if (closedChecks === 2) onClosed();
    else if (silentChecks === SILENT_CHECKS) onSilent();
    else handle = timers.setTimeout(check, POLL_MS);
  };
  signal.addEventListener('abort', () => timers.clearTimeout(handle));
  check();
}

/** True if a page of this site is loaded, and the response is still in its address. */
function showsResponse(popup: Window, redirectUri: string, state: string): boolean {
  try {
    const { document, location } = popup;
    const { href } = location;
    return document.readyState === 'complete' && href.startsWith(redirectUri) && href.includes(state);
  } catch {
    // Another site.
    return false;
  }
}

/** `data.type` of the message in which the callback page sends the authorization response. */
export const RESPONSE_TYPE = 'latchkey:authorization-response';

/**
 * Listens for the popup's authorization response until the signal aborts. Ignores every other message, because any window
 * may post to this one: only the popup of this attempt counts, on the origin of its callback page. The caller checks `state`.
 *
 * A callback page of this site whose opener was severed, such as by a header of the service, sends the response to all pages
 * of the site. Only the page that sent this `state` accepts it.
 */
export function listenForResponse(
  source: { popup: Window; origin: string; state: string },
  signal: AbortSignal,
  onResponse: (response: URLSearchParams) => void,
): void {
  const receive = (data: Record<string, unknown>) => {
    if (data?.type !== RESPONSE_TYPE || typeof data.state !== 'string') return;
    const response = new URLSearchParams({ state: data.state });
    for (const name of ['code', 'error']) {
      if (typeof data[name] === 'string') response.set(name, data[name]);
    }
    onResponse(response);
  };
  const listener = (event: MessageEvent) => {
    if (event.origin === source.origin && event.source === source.popup) receive(event.data);
  };
  addEventListener('message', listener, { signal });
  const site = openChannel(RESPONSE_TYPE);
  site.onmessage = ({ data }) => {
    if (data?.state === source.state) receive(data);
  };
  signal.addEventListener('abort', () => site.close());
}

let result: Promise<boolean> | undefined;

/**
 * True if this page's `Cross-Origin-Opener-Policy` severs it from its popups. Requests the page's own headers once, from
 * the browser's cache if possible.
 */
export function openerIsSevered(): Promise<boolean> {
  result ??= fetch(location.href, { method: 'HEAD', cache: 'force-cache', credentials: 'same-origin' }).then(
    ({ headers }) => /^same-origin(?!-allow)/.test(headers.get('cross-origin-opener-policy') ?? ''),
    () => false,
  );
  return result;
}
