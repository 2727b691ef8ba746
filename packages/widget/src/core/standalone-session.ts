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

  async function describe(tokens: TokenSet, signal: AbortSignal) {
    const request = { accessToken: tokens.accessToken, signal };
    const [user, memberships] = await Promise.all([
      fetchUserIdentity(service, request),
      tokens.scopes.includes('memberships.read') ? fetchMemberships(service, request) : undefined,
    ]);
    return { user, memberships };
  }

  /** A clock that is a little off, or a slow answer, must not leave a gap without a token. */
  function lifetime({ expiresAt }: TokenSet, askedAt: number) {
    const skew = Math.min(LONGEST_SKEW_MS, (expiresAt - askedAt) / 10);
    return { expiresAt, renewAt: expiresAt - skew, endsAt: expiresAt };
  }

  /** Signed out, or in anew, while an answer was under way: what it brings belongs to nobody. */
  function replaced(): SignedIn | 'signed-out' {
    return latest ?? 'signed-out';
  }

  return {
    mayHaveSession: false,
    async exchange(grant, signal) {
      const askedAt = clock.now();
      const tokens = await exchangeCode(service, { ...grant, signal });
      const session = { ...(await describe(tokens, signal)), ...lifetime(tokens, askedAt) };
      signal.throwIfAborted();
      store.write(tokens);
      latest = session;
      return session;
    },
    async renew(signal) {
      const spent = store.read();
      if (!spent) return 'signed-out';
      const askedAt = clock.now();
      let tokens: TokenSet;
      try {
        tokens = await refreshTokenSet(service, { refreshToken: spent.refreshToken, signal });
      } catch (error) {
        if (!isOAuthClientError(error) || error.code !== 'invalid_grant') throw error;
        // Spent, revoked or past its 30 days: sent once more, it would only fail once more.
        if (store.read() === spent) store.write(undefined);
        return 'expired';
      }
      signal.throwIfAborted();
      if (store.read() !== spent) return replaced();
      store.write(tokens);
      const known = await describe(tokens, signal).catch((error: unknown) => {
        // The refresh counts all the same; what was known of the user is at most an hour old.
        if (!latest || signal.aborted) throw error;
        return latest;
      });
      if (store.read() !== tokens) return replaced();
      latest = { ...known, ...lifetime(tokens, askedAt) };
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
