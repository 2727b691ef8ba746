import { fetchMemberships, fetchUserIdentity, type TokenSet } from '@latchkey/oauth';
import { LoginError } from '../state/login-failure.js';
import type { SignedIn } from '../state/login-state.js';
import type { TimedService } from '../state/session-provider.js';

/** The user and memberships that a token gives access to, and when they were requested. */
export type Account = Pick<SignedIn, 'user' | 'memberships' | 'readAt'>;

export async function fetchAccount(
  service: TimedService,
  tokens: TokenSet,
  signal: AbortSignal,
): Promise<Account> {
  const request = { accessToken: tokens.accessToken, signal };
  const readAt = service.clock.now();
  const [user, memberships] = await Promise.all([
    fetchUserIdentity(service, request),
    tokens.scopes.includes('memberships.read') ? fetchMemberships(service, request) : undefined,
  ]);
  return { user, memberships, readAt };
}

/**
 * Wraps `fetch`. If the service doesn't let this site's pages read its responses, the error says which setting to
 * change. Browsers report that just like a lost connection, so the wrapper requests the same address twice more,
 * without a body: the service must respond to the `no-cors` request, and the response to the other must be unreadable.
 * Only the `no-cors` request may follow redirects, which that mode requires: the browser sends no token with it.
 */
export function corsFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      const responds = (change?: RequestInit) =>
        send(input, { ...init, body: null, ...change }).then(
          () => true,
          () => false,
        );
      const isReached =
        error instanceof TypeError && (await responds({ mode: 'no-cors', redirect: 'follow' }));
      if (!isReached || (await responds())) throw error;
      throw new LoginError(
        'misconfigured',
        `${input} sends no CORS headers for ${location.origin}. Set backend, so that the Express kit calls it.`,
      );
    }
  };
}
