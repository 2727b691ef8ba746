import { randomBytes } from 'node:crypto';
import {
  exchangeCode,
  fetchMemberships,
  fetchUserIdentity,
  revokeToken,
  type TokenSet,
  type UserIdentity,
} from '@latchkey/oauth';
import type { Kit } from '../kit.js';
import { failureDetails } from '../service-failure.js';
import type { Session } from '../session/session.js';

/** A code as the service handed it over, and what redeeming it takes. */
export interface ReceivedCode {
  code: string;
  codeVerifier: string;
  redirectUri: string;
}

/**
 * Redeems the code and learns who the user is: the token first, then identity and memberships together.
 * @throws OAuthClientError of the exchange or of userinfo. Memberships that cannot be fetched are left for later.
 */
export async function beginSession(kit: Kit, received: ReceivedCode): Promise<Session> {
  const tokens = await exchangeCode(kit.service, received);
  const [user, memberships] = await Promise.all([identify(kit, tokens), warmMemberships(kit, tokens)]);
  if (memberships !== undefined) kit.memberships.remember(user.sub, memberships);
  const now = kit.settings.clock.now();
  return {
    id: randomBytes(16).toString('base64url'),
    user: { sub: user.sub, email: user.email },
    tokens,
    createdAt: now,
    seenAt: now,
  };
}

async function identify(kit: Kit, tokens: TokenSet): Promise<UserIdentity> {
  try {
    return await fetchUserIdentity(kit.service, { accessToken: tokens.accessToken });
  } catch (error) {
    // Nobody will ever hold these tokens.
    await revokeQuietly(kit, tokens);
    throw error;
  }
}

async function warmMemberships(kit: Kit, tokens: TokenSet) {
  if (!tokens.scopes.includes('memberships.read')) return undefined;
  try {
    return await fetchMemberships(kit.service, { accessToken: tokens.accessToken });
  } catch (error) {
    kit.settings.logger.warn('The memberships could not be fetched at sign-in.', failureDetails(error));
    return undefined;
  }
}

/** Longest that a visitor waits for a revocation, in milliseconds. */
export const REVOCATION_WAIT_MS = 3_000;

/**
 * Revokes the pair when the client is a confidential one. A failure is logged and nothing else: the session is over
 * either way.
 */
export async function revokeQuietly(kit: Kit, tokens: TokenSet): Promise<void> {
  const { clientSecret, timeoutMs, logger } = kit.settings;
  // A public client can never revoke (spec, "POST /oauth/revoke"): it forgets.
  if (clientSecret === undefined) return;
  const service = { ...kit.service, timeoutMs: Math.min(timeoutMs, REVOCATION_WAIT_MS) };
  try {
    await revokeToken(service, { token: tokens.refreshToken, hint: 'refresh_token' });
  } catch (error) {
    logger.warn('The tokens of a session that ended could not be revoked.', failureDetails(error));
  }
}
