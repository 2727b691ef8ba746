import { openChannel } from '../browser/tabs.js';
import type { Timers } from '../browser/wake-up.js';
import { LoginError } from '../state/login-failure.js';
import type { SentRequest } from './request.js';

/** The `error` that the callback page sends if the client doesn't allow this page's origin. */
const ORIGIN_REFUSED = 'origin_refused';

/**
 * Waits for the popup's authorization response. Never settles if the signal aborts.
 * @throws LoginError `origin_refused` if the client doesn't allow this page's origin; `misconfigured` if the page at
 * the redirect URI doesn't load `callback.js`.
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
  // The callback page never closes its window itself.
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

/** Returns who answers requests for this site's pages, for error messages. */
export function answerer(): string {
  return navigator.serviceWorker?.controller ? 'a service worker' : 'the web server';
}

const POLL_MS = 400;
/** After this many checks in a row, a page that has loaded but not answered never will. Its script may load late. */
const SILENT_CHECKS = 10;

/**
 * Calls back once, and stops when the signal aborts:
 * - `onClosed` if the window reads as closed in two checks in a row. If a response was posted just before the window
 *   closed, it arrives between the two.
 * - `onSilent` if the response stays in the window's address, from which a callback page removes it.
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

/** True if the popup has loaded a page of this site, and the response is still in its address. */
function showsResponse(popup: Window, redirectUri: string, state: string): boolean {
  try {
    const { document, location } = popup;
    const { href } = location;
    return document.readyState === 'complete' && href.startsWith(redirectUri) && href.includes(state);
  } catch {
    // The popup shows another site.
    return false;
  }
}

/** The `type` of the message with which the callback page sends the authorization response. */
export const RESPONSE_TYPE = 'latchkey:authorization-response';

/**
 * Listens for the popup's authorization response until the signal aborts. Any window may post to this one, so only
 * messages from this attempt's popup count, on the origin of its callback page. The caller checks `state`.
 *
 * If the site's callback page was severed from its opener, for example by one of the service's headers, it broadcasts
 * the response to all pages of the site. Only the page that sent this `state` accepts it.
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
  const site = openChannel(RESPONSE_TYPE, signal);
  site.onmessage = ({ data }) => {
    if (data?.state === source.state) receive(data);
  };
}

let result: Promise<boolean> | undefined;

/**
 * Returns true if this page's `Cross-Origin-Opener-Policy` severs it from its popups. Requests the page's headers once,
 * from the browser's cache if possible.
 */
export function openerIsSevered(): Promise<boolean> {
  result ??= fetch(location.href, { method: 'HEAD', cache: 'force-cache', credentials: 'same-origin' }).then(
    ({ headers }) => /^same-origin(?!-allow)/.test(headers.get('cross-origin-opener-policy') ?? ''),
    () => false,
  );
  return result;
}
