import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MembershipProductType } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { idField } from '../fields/identifiers.js';
import { decideEndNow } from '../memberships/membership-change.js';
import { membershipGrantSchema } from '../memberships/membership-grant.js';
import { isExpired } from '../memberships/membership-state.js';
import { findMembership, type MembershipRow, saveMembership } from '../memberships/memberships.js';
import { notFound } from './operator-error.js';
import { parseInput } from './parse-input.js';
import { requireCommunity, requireProduct, requireUser } from './require-entity.js';

/** Membership to grant. A user has one membership per community and one per product. */
interface MembershipGrant {
  id: string;
  userId: string;
  productType: MembershipProductType;
  communityId?: string | undefined;
  productId?: string | undefined;
  validFrom: number;
  validUntil: number | null;
}

const NOT_RENEWED = { subscription_id: null, subscription_cancelled_at: null } as const;

/**
 * Grants a membership and returns its id. An existing membership of the same community or product gets the new window. A
 * grant that changes nothing records no event.
 */
function grantMembership(db: Database, membership: MembershipGrant, now: number): Promise<string> {
  return inTransaction(db, async (transaction) => {
    const current = await findSame(transaction, membership);
    const window = { valid_from: membership.validFrom, valid_until: membership.validUntil };
    const saved: MembershipRow = {
      ...(current ?? newRow(membership)),
      ...window,
      ...(window.valid_until === null && NOT_RENEWED),
      // The event of this change already reports the expiry.
      lapse_announced_at: isExpired(window, now) ? now : null,
    };
    if (isDeepStrictEqual({ ...current }, saved)) return saved.id;
    await saveMembership(transaction, saved, { isNew: current === undefined, now });
    return saved.id;
  });
}

/** Ends a membership now, and its subscription, also if the membership has expired. False if there is none. */
function endMembership(db: Database, id: string, now: number): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const current = await transaction
      .selectFrom('memberships')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    if (current === undefined) return false;
    const decision = decideEndNow(current, now);
    if (decision.kind === 'changed') await saveMembership(transaction, decision.row, { isNew: false, now });
    return true;
  });
}

/** Memberships that name neither a community nor a product can be granted any number of times. */
async function findSame(
  transaction: Database,
  { userId, communityId, productId }: MembershipGrant,
): Promise<MembershipRow | undefined> {
  if (communityId !== undefined) return await findMembership(transaction, userId, { communityId });
  if (productId !== undefined) return await findMembership(transaction, userId, { productId });
  return undefined;
}

function newRow(membership: MembershipGrant) {
  return {
    id: membership.id,
    user_id: membership.userId,
    product_type: membership.productType,
    community_id: membership.communityId ?? null,
    product_id: membership.productId ?? null,
    pricing_plan_id: null,
    external_order_id: null,
    ...NOT_RENEWED,
  };
}

/** Membership to grant. It is for a community, for a product, or of a type that names neither. */
export interface GrantMembership {
  /** @default a new UUID, or the id of the user's existing membership of the same community or product */
  id?: string;
  userId: string;
  productType: MembershipProductType;
  communityId?: string;
  productId?: string;
  /**
   * First instant of access, in milliseconds since the epoch.
   *
   * @default now
   */
  validFrom?: number;
  /**
   * First instant without access, in milliseconds since the epoch.
   *
   * @default null: lifetime access
   */
  validUntil?: number | null;
}

/** Operator calls for memberships. */
export interface MembershipOperator {
  /** Grants a membership. An existing membership of the same community or product gets the new period. */
  grantMembership(membership: GrantMembership): Promise<{ id: string }>;
  /** Ends a membership now. */
  endMembership(id: string): Promise<void>;
}

const grantSchema = membershipGrantSchema.safeExtend({ id: idField });

export function createMembershipOperator({ db, clock }: Needs<'db' | 'clock'>): MembershipOperator {
  return {
    async grantMembership({ userId, ...input }) {
      const { id = randomUUID(), validFrom = clock.now(), validUntil = null } = input;
      const grant = parseInput(grantSchema, { ...input, id, validFrom, validUntil });
      await requireUser(db, userId);
      if (grant.communityId !== undefined) await requireCommunity(db, grant.communityId);
      if (grant.productId !== undefined) await requireProduct(db, grant.productId);
      return { id: await grantMembership(db, { ...grant, userId }, clock.now()) };
    },

    async endMembership(id) {
      if (!(await endMembership(db, id, clock.now()))) throw notFound('membership', id);
    },
  };
}
