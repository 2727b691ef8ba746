import { LoginError } from '../state/login-failure.js';
import type { Timers } from '../time/wake-up.js';
import type { AttemptSecrets } from './attempt-secrets.js';
import { popupRequest, type RequestContext, type SentRequest } from './authorization-request.js';
import { listenForResponse } from './popup-response.js';
import { openPopupWindow, watchPopup } from './popup-window.js';

/** An open popup and the request that it shows. */
export interface SignInPopup {
  window: Window;
  request: SentRequest | Promise<SentRequest>;
}

/** `error` that the callback page sends if the client does not allow this page's origin. */
const ORIGIN_REFUSED = 'origin_refused';

/**
 * Opens the popup at the service. Call it synchronously in a click. If the secrets are not ready yet, the popup opens
 * empty and gets its address later.
 *
 * @returns `undefined` if the browser blocked the popup.
 */
export function openSignInPopup(
  context: RequestContext,
  secrets: AttemptSecrets,
  callbackUrl: string | undefined,
): SignInPopup | undefined {
  const request = secrets.ready && popupRequest(context, secrets.ready, callbackUrl);
  const window = openPopupWindow(request?.url ?? 'about:blank');
  if (!window) return undefined;
  secrets.ready = undefined;
  const navigate = async () => {
    const late = popupRequest(context, await secrets.take(), callbackUrl);
    window.location.replace(late.url);
    return late;
  };
  return { window, request: request ?? navigate() };
}

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

/** Creates the error for a client that does not allow this page's origin. */
function originRefused(): LoginError {
  return new LoginError(
    ORIGIN_REFUSED,
    `The client does not allow ${location.origin}. Add exactly this origin to its "Allowed web origins".`,
  );
}

function notCallback(redirectUri: string): LoginError {
  return new LoginError(
    'misconfigured',
    `${redirectUri} does not load callback.js. Copy callback.html and callback.js of @latchkey/widget there, or set callback-url.`,
  );
}
