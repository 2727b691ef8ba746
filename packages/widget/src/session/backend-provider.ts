import { OAuthClientError } from '@latchkey/oauth';
import { backendUrl } from '../browser/addresses.js';
import { TabChannel } from '../browser/tabs.js';
import { LoginError } from '../state/login-failure.js';
import type { SessionResult, SignedIn } from '../state/login-state.js';
import type { CodeGrant, SessionProvider, TimedService } from '../state/session-provider.js';

const TIMEOUT_MS = 30_000;
/** Milliseconds after the token's expiry for which the backend may fail before its session counts as expired. */
const GRACE_MS = 5 * 60_000;
/**
 * Shortest and longest time between two renewals, in milliseconds. The backend may answer a renewal without renewing, and `expiresAt` is
 * a time of its clock, which can differ from that of this machine.
 */
const MIN_RENEWAL_MS = 60_000;
const MAX_RENEWAL_MS = 3600_000;

/** Provides a session that the site's server holds behind an httpOnly cookie. This page never receives a token. */
export class BackendProvider implements SessionProvider {
  readonly mayHaveSession = true;
  hasSignedOut = false;
  readonly #service: TimedService;
  readonly #backend: string;
  /** All tabs share the cookie, so they share each change. */
  readonly #tabs: TabChannel<SessionResult>;
  #path = 'session';

  /**
   * @param backend path of this page's own origin where the Express kit is mounted, such as `/auth`.
   * @param name identifies the session among those of the site's other clients.
   */
  constructor(service: TimedService, backend: string, name: string) {
    this.#service = service;
    this.#backend = backend;
    this.#tabs = new TabChannel(name);
  }

  async exchange({ code, codeVerifier, redirectUri }: CodeGrant, signal: AbortSignal): Promise<SignedIn> {
    const started = await this.#readSession('exchange', signal, { code, codeVerifier, redirectUri });
    if (started.type !== 'session-found') throw this.#notTheKit('exchange');
    // Only a next request shows if the browser kept the cookie.
    const result = await this.#readSession('session', signal);
    if (result.type !== 'session-found') {
      throw new LoginError(
        'cookies_blocked',
        `The browser did not keep the cookie of ${this.#backend}. It blocks cookies, or a proxy removes Set-Cookie.`,
      );
    }
    this.#tabs.post(result);
    return result.session;
  }

  renew(signal: AbortSignal): Promise<SessionResult> {
    const path = this.#path;
    // The kit caches memberships. Only the first lookup of a page may use the cache.
    this.#path = 'session?fresh';
    return this.#readSession(path, signal);
  }

  async signOut(signal: AbortSignal): Promise<void> {
    await this.#request('logout', signal, {});
    this.hasSignedOut = true;
    this.#tabs.post({ type: 'session-absent' });
  }

  accessToken(): undefined {}

  saveForNextPage(): void {}

  listen(listener: (result: SessionResult) => void): void {
    this.#tabs.listen(listener);
  }

  close(): void {
    this.#tabs.close();
  }

  async #readSession(path: string, signal: AbortSignal, body?: object): Promise<SessionResult> {
    const now = this.#service.clock.now();
    const response = await this.#request(path, signal, body);
    const result = parseSession(response, now);
    if (!result) throw this.#notTheKit(path);
    this.hasSignedOut = response.reason === 'signed_out';
    return result;
  }

  async #request(path: string, signal: AbortSignal, body?: object): Promise<Record<string, unknown>> {
    const url = backendUrl(this.#backend, path);
    const { status, text } = await this.#send(url, signal, body);
    const response = parseJson(text);
    if (status >= 200 && status < 300) return response;
    const { error, message = '' } = response;
    if (status < 500 && !error) throw this.#notTheKit(path);
    const code =
      status >= 500 ? 'service_error' : error === 'invalid_grant' ? 'invalid_grant' : 'invalid_request';
    throw new OAuthClientError(code, `${url} returned ${status}. ${message}`, { status });
  }

  #notTheKit(path: string): OAuthClientError {
    const tried = backendUrl(this.#backend, path);
    return new OAuthClientError(
      'invalid_configuration',
      `backend="${this.#backend}": ${tried} is not the Express kit.`,
    );
  }

  async #send(
    url: string,
    signal: AbortSignal,
    body: object | undefined,
  ): Promise<{ status: number; text: string }> {
    try {
      const response = await this.#service.fetch(new URL(url, document.baseURI), {
        method: body ? 'POST' : 'GET',
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
        credentials: 'same-origin',
        cache: 'no-store',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      throw new OAuthClientError(signal.aborted ? 'aborted' : 'network', `No response from ${url}.`, {
        cause,
      });
    }
  }
}

/** Returns `undefined` if the response is not a session. */
function parseSession(response: Record<string, unknown>, now: number): SessionResult | undefined {
  const { signedIn, user, memberships, expiresAt, reason } = response as Partial<SignedIn> & {
    signedIn?: unknown;
    reason?: unknown;
  };
  if (signedIn === false) return { type: reason === 'expired' ? 'session-ended' : 'session-absent' };
  if (signedIn !== true || typeof user?.sub !== 'string' || typeof expiresAt !== 'number') return undefined;
  const session = {
    user,
    memberships: Array.isArray(memberships) ? memberships : undefined,
    readAt: now,
    expiresAt,
    renewAt: Math.min(Math.max(expiresAt, now + MIN_RENEWAL_MS), now + MAX_RENEWAL_MS),
    endsAt: Math.max(expiresAt, now) + GRACE_MS,
  };
  return { type: 'session-found', session };
}

function parseJson(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
