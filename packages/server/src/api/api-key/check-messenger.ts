import { findActiveMembershipOfMessenger } from '../../domain/memberships/active-memberships.js';
import type { Clock } from '../../platform/clock.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { done } from './frame/endpoint-result.js';

interface CheckMessengerNeeds extends ApiKeyNeeds {
  readonly clock: Clock;
}

/**
 * `GET /membership/check-messenger/{communityId}/{messengerUserId}`: reports if the user of a messenger account has an
 * active membership now. A membership that starts later is not active. An unknown account has none.
 */
export function checkMessenger(needs: CheckMessengerNeeds): AddApiKeyRoute {
  const { db, clock } = needs;
  return apiKeyRoute(needs, needs.endpoints.checkMessenger, async ({ path }) => {
    const membershipId = await findActiveMembershipOfMessenger(db, path, clock.now());
    return done(
      membershipId === undefined ? { isActive: false, membershipId: null } : { isActive: true, membershipId },
    );
  });
}
