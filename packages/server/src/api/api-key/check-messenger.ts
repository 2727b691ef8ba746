import { ENDPOINTS } from '@latchkey/contract';
import type { Router } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { findActiveMembershipOfMessenger } from '../../domain/memberships/memberships.js';
import { apiKeyRoute } from './api-key-route.js';
import { done } from './endpoint-result.js';

/**
 * `GET /membership/check-messenger/{communityId}/{messengerUserId}`: whether that account's user has access at the
 * moment of the call. Reads only; a window that begins later is no access, an unknown account has none.
 */
export function checkMessenger(dependencies: Dependencies): Router {
  const { db, clock } = dependencies;
  return apiKeyRoute(dependencies, ENDPOINTS.checkMessenger, async ({ path }) => {
    const membershipId = await findActiveMembershipOfMessenger(db, path, clock.now());
    return done(
      membershipId === undefined ? { isActive: false, membershipId: null } : { isActive: true, membershipId },
    );
  });
}
