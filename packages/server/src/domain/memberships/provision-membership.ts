import { randomUUID } from 'node:crypto';
import type { ProvisionExternalCommand } from '@latchkey/contract';
import type { Database } from '../../platform/database/open-database.js';
import { prepareQuery } from '../../platform/database/prepared-query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { matchBuyer, settleBuyer } from './match-buyer.js';
import { decideProvisioning, type ProvisionDecision } from './provision-decision.js';
import { hasEnded, type MembershipRow, saveMembership } from './save-membership.js';

/** How a provisioning ended: the membership as it is stored now, or why nothing at all was written. */
export type Provisioning =
  | {
      kind: 'provisioned';
      status: 'created' | 'extended' | 'replaced' | 'idempotent_return';
      membership: MembershipRow;
    }
  | { kind: 'unknown-plan' }
  | Exclude<ProvisionDecision, { kind: 'grant' | 'repeat' }>;

/**
 * Provisions a membership (spec, "POST /membership/provision-external"): matches the buyer, decides, and writes user,
 * membership and event together, in one transaction. Calls for one buyer that come at the same time wait for each other
 * at the membership's row, so that each decides by what the one before it wrote; where there is no row or no user yet,
 * their unique keys let one through, and the others run again and find it. No more than that needs to be serializable.
 */
export function provisionMembership(
  db: Database,
  command: ProvisionExternalCommand,
  now: number,
): Promise<Provisioning> {
  const provision = async (transaction: Database): Promise<Provisioning> => {
    if (!(await isPlanOfCommunity(transaction, command))) return { kind: 'unknown-plan' };
    const buyer = await matchBuyer(transaction, command);
    const { communityId } = command;
    const row = buyer.user && (await lockRow.first(transaction, { userId: buyer.user.id, communityId }));
    const decision = decideProvisioning(row, command, now);
    if (decision.kind === 'repeat') {
      await settleBuyer(transaction, buyer, now);
      return { kind: 'provisioned', status: 'idempotent_return', membership: decision.row };
    }
    if (decision.kind !== 'grant') return decision;

    const userId = await settleBuyer(transaction, buyer, now);
    const membership: MembershipRow = {
      ...(row ?? newRow(userId, communityId)),
      ...decision.changes,
      external_order_id: command.externalOrderId,
      // What renewed it once does so no more: the window is the caller's.
      subscription_id: null,
      subscription_cancelled_at: null,
      // The event that is written now says whether it is over.
      lapse_announced_at: hasEnded(decision.changes, now) ? now : null,
    };
    await saveMembership(transaction, membership, { isNew: row === undefined, now });
    return { kind: 'provisioned', status: decision.status, membership };
  };
  return inTransaction(db, provision, { isolation: 'read committed' });
}

async function isPlanOfCommunity(
  transaction: Database,
  { pricingPlanId, communityId }: ProvisionExternalCommand,
): Promise<boolean> {
  if (pricingPlanId === undefined) return true;
  const plan = await transaction
    .selectFrom('pricing_plans')
    .select('id')
    .where('id', '=', pricingPlanId)
    .where('community_id', '=', communityId)
    .executeTakeFirst();
  return plan !== undefined;
}

/** The buyer's row, as it stays until the transaction is over: whoever else writes it waits, or runs again. */
const lockRow = prepareQuery((db, given: { userId: string; communityId: string }) =>
  db
    .updateTable('memberships')
    .set((eb) => ({ valid_from: eb.ref('valid_from') }))
    .where('user_id', '=', given.userId)
    .where('community_id', '=', given.communityId)
    .returningAll(),
);

function newRow(userId: string, communityId: string) {
  return {
    id: randomUUID(),
    user_id: userId,
    product_type: 'community' as const,
    community_id: communityId,
    product_id: null,
  };
}
