import { readValue } from '../browser/tabs.js';
import type { LoginFailure } from '../state/login-failure.js';
import type { PendingRedirect, ReturnedResponse } from './request.js';

/** Matches the user agents of in-app browsers, which block or lose popups. */
const IN_APP = /\bFBA[NV]\b|Instagram|\bLine\/|MicroMessenger|TikTok|Snapchat|; wv\)|\bGSA\//;

/** True if popups are known to fail here: in an in-app browser, a home-screen app, or a cross-origin isolated page. */
export function popupsFail(): boolean {
  return (
    IN_APP.test(navigator.userAgent) ||
    globalThis.matchMedia?.('(display-mode: standalone)').matches ||
    globalThis.crossOriginIsolated === true
  );
}

/** Returns the failure that a sign-in by redirect left for this page, and deletes it. */
export function takeFailure(session: string): LoginFailure | undefined {
  const name = failureName(session);
  const failure = readValue('session', name);
  if (failure) sessionStorage.removeItem(name);
  return failure as LoginFailure | undefined;
}

/**
 * Returns the authorization response in this page's address if this tab waits for one, and removes it from the address
 * and the history. Leaves an address with an unexpected `code` alone: it's meant for other code on the site.
 */
export function takeReturned(session: string): ReturnedResponse | undefined {
  // Most pages have no query, and this check is cheaper than parsing the URL.
  if (!location.search) return undefined;
  const url = new URL(location.href);
  const { searchParams } = url;
  const state = searchParams.get('state');
  const name = redirectName(session);
  const request = state ? readPending(name) : undefined;
  if (!request || !state) return undefined;
  if (!searchParams.has('code') && !searchParams.has('error')) return undefined;
  // A host may move the return page, for example to an address with a slash at its end.
  if (state === request.state) sessionStorage.removeItem(name);
  else if (request.redirectUri.split('?')[0] !== url.origin + url.pathname || isPendingElsewhere(state))
    return undefined;
  const query = new URLSearchParams(searchParams);
  for (const parameter of ['code', 'error', 'state']) searchParams.delete(parameter);
  history.replaceState(history.state, '', url);
  return { query, request };
}

function readPending(name: string): PendingRedirect | undefined {
  try {
    const request = readValue('session', name) as PendingRedirect;
    return new URL(request.from).origin === location.origin ? request : undefined;
  } catch {
    return undefined;
  }
}

/** True if another client on this page waits for the response with this `state`. */
function isPendingElsewhere(state: string): boolean {
  return Object.keys(sessionStorage).some(
    (name) => name.startsWith('latchkey:') && readPending(name)?.state === state,
  );
}

export function redirectName(session: string): string {
  return `${session}:redirect`;
}

export function failureName(session: string): string {
  return `${session}:failure`;
}
