import { fetchMemberships, fetchUserIdentity, type TokenSet } from '@latchkey/oauth';
import { LoginError } from '../state/login-failure.js';
import type { SignedIn } from '../state/login-state.js';
import type { TimedService } from '../state/session-provider.js';

/** The user and the memberships of a token, and when they were requested. */
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
 * Wraps `fetch`, so that a request fails with the setting to change if the service lets no page of this site read its
 * responses. A browser reports that like a lost connection, so the same address is then requested twice without a body:
 * it must respond, and its response must be unreadable. The first of these requests carries no token, because the browser
 * sends none without CORS. So only that one may follow redirects, which it must.
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
