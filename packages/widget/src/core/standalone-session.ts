import {
  exchangeCode,
  fetchMemberships,
  fetchUserIdentity,
  isOAuthClientError,
  type OAuthService,
  refreshTokenSet,
  type TokenSet,
} from '@latchkey/oauth';
import type { SessionKeeper, SignedIn } from './session-keeper.js';
import type { TokenStore } from './token-store.js';
import type { TimeSource } from './wake-up.js';

const LONGEST_SKEW_MS = 60_000;

/** A session that lives in this page: a public client's tokens, refreshed here, forgotten at sign-out. */
export function createStandaloneSession(
  service: OAuthService,
  store: TokenStore,
  { clock }: Pick<TimeSource, 'clock'>,
): SessionKeeper {
  let latest: SignedIn | undefined;

  async function describe(tokens: TokenSet, signal: AbortSignal): Promise<SignedIn> {
    const request = { accessToken: tokens.accessToken, signal };
    const [user, memberships] = await Promise.all([
      fetchUserIdentity(service, request),
      tokens.scopes.includes('memberships.read') ? fetchMemberships(service, request) : undefined,
    ]);
    return { user, memberships, ...lifetime(tokens) };
  }

  function lifetime({ expiresAt }: TokenSet) {
    // A clock that is a little off, or a slow answer, must not leave a gap without a token.
    const skew = Math.min(LONGEST_SKEW_MS, (expiresAt - clock.now()) / 10);
    return { expiresAt, renewAt: expiresAt - skew, endsAt: expiresAt };
  }

  return {
    mayHaveSession: false,
    async exchange(grant, signal) {
      const tokens = await exchangeCode(service, { ...grant, signal });
      const session = await describe(tokens, signal);
      signal.throwIfAborted();
      store.write(tokens);
      latest = session;
      return session;
    },
    async renew(signal) {
      const spent = store.read();
      if (!spent) return 'signed-out';
      let tokens: TokenSet;
      try {
        tokens = await refreshTokenSet(service, { refreshToken: spent.refreshToken, signal });
      } catch (error) {
        if (!isOAuthClientError(error) || error.code !== 'invalid_grant') throw error;
        // Spent, revoked or past its 30 days: sent once more, it would only fail once more.
        if (store.read() === spent) store.write(undefined);
        return 'expired';
      }
      // Signed out, or in anew, while the answer was under way: the old session's tokens are nobody's.
      signal.throwIfAborted();
      if (store.read() !== spent) return latest ?? 'signed-out';
      store.write(tokens);
      try {
        latest = await describe(tokens, signal);
      } catch (error) {
        // The refresh counts all the same; what was known of the user is at most an hour old.
        if (!latest || signal.aborted) throw error;
        latest = { ...latest, ...lifetime(tokens) };
      }
      return latest;
    },
    async signOut() {
      // A public client cannot revoke (spec, "POST /oauth/revoke"): forgetting is all it can do.
      store.write(undefined);
      latest = undefined;
    },
    accessToken: () => store.read()?.accessToken,
  };
}
