import type { ProvisionedMembership } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import { type ProvisionResult, provisionMembership } from '../../domain/memberships/provision-membership.js';
import { createProvisioningQueue } from '../../domain/memberships/provisioning-queue.js';
import type { Clock } from '../../platform/clock.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { conflict, done, type EndpointResult, notFound, rejected } from './frame/endpoint-result.js';

interface ProvisionExternalNeeds extends ApiKeyNeeds {
  readonly clock: Clock;
}

/**
 * `POST /membership/provision-external`: grants or changes a membership for an order from an external shop.
 * `decideProvisioning` contains the state table.
 */
export function provisionExternal(needs: ProvisionExternalNeeds): AddApiKeyRoute {
  const { db, clock } = needs;
  const queue = createProvisioningQueue(db);
  return apiKeyRoute(needs, needs.endpoints.provisionExternal, async ({ body }) =>
    resultOf(await queue.run(body, () => provisionMembership(db, body, clock.now()))),
  );
}

function resultOf(provisioning: ProvisionResult): EndpointResult<ProvisionedMembership> {
  switch (provisioning.kind) {
    case 'provisioned':
      return done(membershipOf(provisioning));
    case 'unknown-plan':
      return notFound('The community has no pricing plan with this pricingPlanId.');
    case 'subscription-managed':
      return conflict(
        'conflict',
        'A payment-provider subscription renews this membership, so it cannot be provisioned.',
      );
    case 'already-active':
      return conflict(
        'already_exists',
        'The buyer already has an active membership, and onOverlap is error.',
      );
    case 'ends-before-start':
      return rejected(400, 'validUntil must be later than the start of access.');
  }
}

function membershipOf({
  status,
  membership,
}: Extract<ProvisionResult, { kind: 'provisioned' }>): ProvisionedMembership {
  const { id, user_id, valid_from, valid_until } = membership;
  return {
    membershipId: id,
    userId: user_id,
    validFrom: formatTimestamp(valid_from),
    validUntil: valid_until === null ? null : formatTimestamp(valid_until),
    status,
  };
}
