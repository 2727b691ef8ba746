import { ENDPOINTS, type ProvisionedMembership } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import type { Router } from 'express';
import { type Provisioning, provisionMembership } from '../../domain/memberships/provision-membership.js';
import { createBuyerLines } from '../../domain/memberships/provisioning-queue.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { apiKeyRoute } from './api-key-route.js';
import { conflict, done, notFound, type Outcome, rejected } from './endpoint-result.js';

interface ProvisionExternalNeeds {
  readonly clock: Clock;
  readonly logUrl: string | undefined;
  readonly db: Database;
}

/**
 * `POST /membership/provision-external`: grants or adjusts a membership for an order that was made elsewhere.
 * `decideProvisioning` has the table of states.
 */
export function provisionExternal(needs: ProvisionExternalNeeds): Router {
  const { db, clock } = needs;
  const lines = createBuyerLines(db);
  return apiKeyRoute(needs, ENDPOINTS.provisionExternal, async ({ body }) =>
    outcomeOf(await lines.inTurn(body, () => provisionMembership(db, body, clock.now()))),
  );
}

function outcomeOf(provisioning: Provisioning): Outcome<ProvisionedMembership> {
  switch (provisioning.kind) {
    case 'provisioned':
      return done(resultOf(provisioning));
    case 'unknown-plan':
      return notFound('The community has no pricing plan with this pricingPlanId.');
    case 'subscription-managed':
      return conflict(
        'conflict',
        'A payment-provider subscription renews this membership; it cannot be provisioned.',
      );
    case 'already-active':
      return conflict('already_exists', 'The buyer has an active membership, and onOverlap is error.');
    case 'ends-before-start':
      return rejected(400, 'validUntil must be later than the start of access.');
  }
}

function resultOf({
  status,
  membership,
}: Extract<Provisioning, { kind: 'provisioned' }>): ProvisionedMembership {
  const { id, user_id, valid_from, valid_until } = membership;
  return {
    membershipId: id,
    userId: user_id,
    validFrom: formatTimestamp(valid_from),
    validUntil: valid_until === null ? null : formatTimestamp(valid_until),
    status,
  };
}
