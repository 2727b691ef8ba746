import { randomUUID } from 'node:crypto';
import type { MembershipProductType } from '@latchkey/contract/constants';
import { idField } from '../fields/identifiers.js';
import { endMembership, grantMembership } from '../memberships/grant-membership.js';
import { membershipGrantSchema } from '../memberships/membership-grant.js';
import { notFound } from './operator-error.js';
import type { OperatorNeeds } from './operator-needs.js';
import { parseInput } from './parse-input.js';
import { requireCommunity, requireProduct, requireUser } from './require-entity.js';

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

export function createMembershipOperator({
  db,
  clock,
}: Pick<OperatorNeeds, 'db' | 'clock'>): MembershipOperator {
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
