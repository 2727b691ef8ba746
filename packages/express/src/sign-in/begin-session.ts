import { exchangeCode, fetchUserIdentity, type TokenSet, type UserIdentity } from '@latchkey/oauth';
import { failureDetails } from '../platform/service-failure.js';
import type { Kit } from '../session/kit.js';
import type { Session } from '../session/session.js';

/** An authorization code and the values needed to redeem it. */
export interface ReceivedCode {
  code: string;
  codeVerifier: string;
  redirectUri: string;
  /** The requested scopes. They're granted if the service doesn't list any. */
  scopes: readonly string[];
}

/**
 * Redeems the code, then fetches identity and memberships in parallel. If the memberships can't be fetched now, the
 * first gate fetches them.
 * @throws OAuthClientError from the code exchange or userinfo.
 */
export async function beginSession(kit: Kit, received: ReceivedCode): Promise<Session> {
  const tokens = await exchangeCode(kit.service, received);
  const membershipRequest = kit.memberships.nextRequest();
  const [user, memberships] = await Promise.all([identify(kit, tokens), tryMemberships(kit, tokens)]);
  if (memberships !== undefined) kit.memberships.remember(user.sub, memberships, membershipRequest);
  const now = kit.clock.now();
  return {
    id: kit.store.newId(),
    user: { sub: user.sub, email: user.email },
    tokens,
    createdAt: now,
    seenAt: now,
  };
}

async function identify({ service, revocations }: Kit, tokens: TokenSet): Promise<UserIdentity> {
  try {
    return await fetchUserIdentity(service, { accessToken: tokens.accessToken });
  } catch (error) {
    // No session will use these tokens.
    await revocations.revoke(tokens);
    throw error;
  }
}

async function tryMemberships({ membershipSource, logger }: Kit, tokens: TokenSet) {
  if (!tokens.scopes.includes('memberships.read')) return undefined;
  try {
    return await membershipSource.fetch(tokens.accessToken);
  } catch (error) {
    logger.warn(
      'memberships_unavailable',
      'The memberships could not be fetched at sign-in.',
      failureDetails(error),
    );
    return undefined;
  }
}
