import {
  exchangeCode,
  fetchUserIdentity,
  type OAuthService,
  type TokenSet,
  type UserIdentity,
} from '@latchkey/oauth';
import type { MembershipCache } from '../memberships/membership-cache.js';
import type { MembershipSource } from '../memberships/membership-source.js';
import type { Clock } from '../platform/clock.js';
import { type Logger, logMessage } from '../platform/log.js';
import { failureDetails } from '../platform/service-failure.js';
import type { Revocations } from '../session/revocations.js';
import type { Session, SessionStore } from '../session/session.js';

/** An authorization code and the values needed to redeem it. */
export interface ReceivedCode {
  code: string;
  codeVerifier: string;
  redirectUri: string;
  /** The requested scopes. They are granted if the service names none. */
  scopes: readonly string[];
}

export interface BeginSessionContext {
  service: OAuthService;
  store: SessionStore;
  memberships: MembershipCache;
  membershipSource: MembershipSource;
  revocations: Revocations;
  clock: Clock;
  logger: Logger;
}

/**
 * Redeems the code, then fetches identity and memberships in parallel. Memberships that cannot be fetched now are
 * fetched at the first gate.
 * @throws OAuthClientError of the code exchange or of userinfo.
 */
export async function beginSession(context: BeginSessionContext, received: ReceivedCode): Promise<Session> {
  const tokens = await exchangeCode(context.service, received);
  const membershipRequest = context.memberships.nextRequest();
  const [user, memberships] = await Promise.all([identify(context, tokens), tryMemberships(context, tokens)]);
  if (memberships !== undefined) context.memberships.remember(user.sub, memberships, membershipRequest);
  const now = context.clock.now();
  return {
    id: context.store.newId(),
    user: { sub: user.sub, email: user.email },
    tokens,
    createdAt: now,
    seenAt: now,
  };
}

async function identify(
  { service, revocations }: BeginSessionContext,
  tokens: TokenSet,
): Promise<UserIdentity> {
  try {
    return await fetchUserIdentity(service, { accessToken: tokens.accessToken });
  } catch (error) {
    // No session will use these tokens.
    await revocations.revoke(tokens);
    throw error;
  }
}

async function tryMemberships({ membershipSource, logger }: BeginSessionContext, tokens: TokenSet) {
  if (!tokens.scopes.includes('memberships.read')) return undefined;
  try {
    return await membershipSource.fetch(tokens.accessToken);
  } catch (error) {
    logger.warn(
      logMessage('memberships_unavailable', 'The memberships could not be fetched at sign-in.'),
      failureDetails(error),
    );
    return undefined;
  }
}
