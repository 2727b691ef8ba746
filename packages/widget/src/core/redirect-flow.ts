import { OAuthClientError, type PkcePair } from '@latchkey/oauth';
import { keep } from './token-store.js';

/** An attempt that leaves the page: what the return page needs to finish it. Lives in this tab's storage. */
export interface RedirectAttempt extends Pick<PkcePair, 'codeVerifier'> {
  state: string;
  redirectUri: string;
  /** The page that the visitor left, to go back to. */
  from: string;
}

/** The answer that this page was opened with. */
export interface ReturnedAnswer {
  query: URLSearchParams;
  attempt: RedirectAttempt;
}

/** Browsers inside of apps, which lose or refuse popups. */
const IN_APP = /\bFBA[NV]\b|Instagram|\bLine\/|MicroMessenger|TikTok|Snapchat|; wv\)|\bGSA\//;

/** Whether the page runs where a popup is known not to find back: in an app's browser, off a home screen, isolated. */
export function popupIsHopeless(): boolean {
  return (
    IN_APP.test(navigator.userAgent) ||
    matchMedia('(display-mode: standalone)').matches ||
    globalThis.crossOriginIsolated === true
  );
}

/**
 * The redirect URI for a `return-url`: a page of this very site, because what finishes the sign-in is kept for this site.
 * @throws OAuthClientError `invalid_configuration` when it is missing, or elsewhere.
 */
export function returnAddress(returnUrl: string | undefined): string {
  const url = new URL(returnUrl ?? '', document.baseURI);
  if (returnUrl && url.origin === location.origin && !url.hash) return url.href;
  throw new OAuthClientError(
    'invalid_configuration',
    `Signing in without a popup needs return-url: a page of ${location.origin} with this widget on it, which is registered among the client's redirect URIs.`,
  );
}

/**
 * Keeps what the return page needs, for this tab only.
 * @throws OAuthClientError `invalid_configuration` when the visitor forbids storage.
 */
export function rememberRedirect(name: string, attempt: RedirectAttempt): void {
  if (keep('session', name, attempt)) return;
  throw new OAuthClientError(
    'invalid_configuration',
    'Signing in without a popup needs sessionStorage, which this browser refuses here.',
  );
}

/**
 * The answer in this page's address, when this tab awaits one. It is taken out of the address and the history at once.
 * An address with a `code` that nobody here asked for is somebody else's, and stays as it is.
 */
export function takeReturned(name: string): ReturnedAnswer | undefined {
  const url = new URL(location.href);
  const { searchParams } = url;
  const state = searchParams.get('state');
  const attempt = readAttempt(name);
  if (!attempt || !state || !isPage(url, attempt.redirectUri)) return undefined;
  if (!searchParams.has('code') && !searchParams.has('error')) return undefined;
  if (state === attempt.state) keep('session', name, undefined);
  else if (isAwaitedByAnother(state)) return undefined;
  const query = new URLSearchParams(searchParams);
  for (const parameter of ['code', 'state', 'error']) searchParams.delete(parameter);
  history.replaceState(history.state, '', url);
  return { query, attempt };
}

function readAttempt(name: string): RedirectAttempt | undefined {
  try {
    const attempt = JSON.parse(sessionStorage.getItem(name) ?? 'null');
    return new URL(attempt.from).origin === location.origin ? attempt : undefined;
  } catch {
    return undefined;
  }
}

/** Whether another client of this page began the sign-in that was answered. */
function isAwaitedByAnother(state: string): boolean {
  return Object.keys(sessionStorage).some(
    (name) => name.startsWith('latchkey:') && readAttempt(name)?.state === state,
  );
}

/** Whether an address is that of a page, whatever was added to its query. */
function isPage({ origin, pathname }: URL, page: string): boolean {
  const other = new URL(page);
  return origin === other.origin && pathname === other.pathname;
}
