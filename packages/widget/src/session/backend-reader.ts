import { backendUrl } from '../state/kit-address.js';
import { LoginError } from '../state/login-failure.js';
import type { SessionResult, SignedIn } from '../state/login-state.js';
import type { SessionReader, TimedService } from '../state/session-provider.js';

const TIMEOUT_MS = 30_000;
/** How long a session outlives its token's expiry while the backend keeps failing, in milliseconds. */
const GRACE_MS = 5 * 60_000;
/**
 * Shortest and longest time between two renewals, in milliseconds. The backend may return the session without renewing
 * it, and `expiresAt` comes from the backend's clock, which may differ from the visitor's.
 */
const MIN_RENEWAL_MS = 60_000;
const MAX_RENEWAL_MS = 3600_000;

/** A request to the Express kit. */
type KitRequest = Omit<RequestInit, 'signal'> & { signal: AbortSignal };

export type BackendReader = ReturnType<typeof createBackendReader>;

/**
 * Reads a session that the site's server keeps behind an httpOnly cookie. The page never receives a token.
 *
 * @param backend path on this page's origin where the Express kit is mounted, such as `/auth`.
 */
export function createBackendReader(service: TimedService, backend: string) {
  // The kit caches memberships. Only the page's first lookup may be answered from that cache.
  let path = 'session';

  const reader = {
    backend,
    request,
    notTheKit,
    mayHaveSession: true,
    hasSignedOut: false,

    renew(signal: AbortSignal): Promise<SessionResult> {
      const lookup = reader.read(path, { signal });
      path = 'session?fresh';
      return lookup;
    },

    /**
     * Sends a request to an endpoint of the kit that returns the session.
     * @throws LoginError `misconfigured` if the response isn't a session, and the errors of a request.
     */
    async read(to: string, init: KitRequest): Promise<SessionResult> {
      const now = service.clock.now();
      const response = await request(to, init);
      const result = parseSession(response, now);
      if (!result) throw notTheKit(to);
      reader.hasSignedOut = response.reason === 'signed_out';
      return result;
    },
  };

  /**
   * Sends a request to the kit and returns the JSON of its response.
   * @throws LoginError `network` without a response, `service_error` for a 5xx or 429, `code_expired` for
   * `invalid_grant`, and `misconfigured` for other errors or if something other than the kit responds.
   */
  async function request(to: string, { signal, ...init }: KitRequest): Promise<Record<string, unknown>> {
    const url = backendUrl(backend, to);
    const stop = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    let answer: Response;
    let response: Record<string, unknown>;
    try {
      answer = await service.fetch(new URL(url, document.baseURI), {
        headers: { accept: 'application/json' },
        ...init,
        credentials: 'same-origin',
        cache: 'no-store',
        signal: stop,
      });
      response = parseJson(await answer.text());
    } catch (cause) {
      throw new LoginError('network', `No response from ${url}.`, { cause });
    }
    const { ok, status } = answer;
    if (ok) return response;
    const { error, message = '' } = response;
    // A limiter in front of the kit sends 429.
    const isUnavailable = status >= 500 || status === 429;
    if (!isUnavailable && !error) throw notTheKit(to);
    const code = isUnavailable
      ? 'service_error'
      : error === 'invalid_grant'
        ? 'code_expired'
        : 'misconfigured';
    throw new LoginError(code, `${url} returned ${status}. ${message}`);
  }

  function notTheKit(to: string): LoginError {
    return new LoginError(
      'misconfigured',
      `backend="${backend}": ${backendUrl(backend, to)} is not the Express kit.`,
    );
  }

  return reader satisfies SessionReader;
}

/**
 * Returns `undefined` if the response isn't a session. `now` is when it was requested, in milliseconds since the epoch.
 */
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
