import type { ProvisionExternalCommand, ProvisionedMembership } from '@latchkey/contract';
import { formatTimestamp } from '@latchkey/contract/constants';
import { type ProvisionResult, provisionMembership } from '../../domain/memberships/provision-membership.js';
import type { Clock } from '../../platform/clock.js';
import { hasRowLocks } from '../../platform/database/kysely/row-locks.js';
import type { Database } from '../../platform/database/open-database.js';
import { Semaphore } from '../../platform/database/postgres/semaphore.js';
import type { ApiKeyNeeds } from './frame/api-key-needs.js';
import { type AddApiKeyRoute, apiKeyRoute } from './frame/api-key-route.js';
import { conflict, done, type EndpointResult, notFound, rejected } from './frame/endpoint-result.js';

/** Maximum time in the queue, in milliseconds. */
const MAX_WAIT_MS = 30_000;

const ONE_AT_A_TIME = { permits: 1, stallTimeoutMs: MAX_WAIT_MS, maxWaitMs: MAX_WAIT_MS };

/** Queue of this process's calls. Calls for one buyer in one community run one after another. */
interface ProvisioningQueue {
  /** @throws WaitTimeoutError if the earlier calls for the buyer take longer than 30 seconds. */
  run<Result>(command: ProvisionExternalCommand, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates the queue. Calls for one buyer also wait for each other in the database, at the membership's row, but each
 * holds a connection while it waits there. A few such calls would block all other requests. Correctness does not depend
 * on the queue: other processes, and other identifiers of the same buyer, bypass it.
 */
function createProvisioningQueue(db: Database): ProvisioningQueue {
  // SQLite has one writer, and its write queue holds no connections.
  if (!hasRowLocks(db)) return { run: (_command, work) => work() };
  const semaphores = new Map<string, Semaphore>();
  return {
    async run({ communityId, email, messengerUserId }, work) {
      const buyer = `${communityId} ${email ?? messengerUserId}`;
      const semaphore = semaphores.get(buyer) ?? new Semaphore(ONE_AT_A_TIME);
      semaphores.set(buyer, semaphore);
      await semaphore.acquire();
      try {
        return await work();
      } finally {
        semaphore.release();
        if (semaphore.isIdle) semaphores.delete(buyer);
      }
    },
  };
}

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
