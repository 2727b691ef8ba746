import {
  exchangeCode,
  fetchMemberships,
  fetchUserIdentity,
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
  const askedIn = kit.memberships.turn();
  const [user, memberships] = await Promise.all([identify(kit, tokens), warmMemberships(kit, tokens)]);
  if (memberships !== undefined) kit.memberships.remember(user.sub, memberships, askedIn);
  const now = kit.settings.clock.now();
  return {
    id: kit.store.newId(),
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
    await kit.revocations.revoke(tokens);
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
