import type { MembershipProductType } from '@latchkey/contract';
import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../database/open-database.js';
import type { Schema } from '../database/schema.js';

/** A membership whose window holds the asked instant. */
export interface ActiveMembership {
  id: string;
  productType: MembershipProductType;
  validFrom: number;
  /** Null for lifetime access. */
  validUntil: number | null;
  /** Name of the community or product, when the membership is for one. */
  name: string | null;
}

/** A membership to be stored. One user has one row in a community, and one for a product. */
interface MembershipGrant {
  id: string;
  userId: string;
  productType: MembershipProductType;
  communityId?: string | undefined;
  productId?: string | undefined;
  validFrom: number;
  validUntil: number | null;
}

/** Queries about memberships. */
export interface MembershipStore {
  /** Complete, oldest period first. A window starts at its first instant and ends before its last. */
  listActive(userId: string, now: number): Promise<ActiveMembership[]>;
  /** The membership of a community that a messenger account's user has now. */
  findActiveOfMessenger(
    messenger: { communityId: string; messengerUserId: number },
    now: number,
  ): Promise<string | undefined>;
  /** Stores a membership and gives its id; the row that the user already has for the same thing gets the new window. */
  grant(membership: MembershipGrant): Promise<string>;
  /** Ends a membership now, unless it has ended. Whether it exists. */
  end(id: string, now: number): Promise<boolean>;
}

export function createMembershipStore(db: Database): MembershipStore {
  return {
    async listActive(userId, now) {
      const rows = await db
        .selectFrom('memberships')
        .leftJoin('communities', 'communities.id', 'memberships.community_id')
        .leftJoin('products', 'products.id', 'memberships.product_id')
        .select(['memberships.id', 'memberships.product_type'])
        .select(['memberships.valid_from', 'memberships.valid_until'])
        .select(['communities.name as community_name', 'products.name as product_name'])
        .where('memberships.user_id', '=', userId)
        .where((eb) => isActive(eb, now))
        .orderBy('memberships.valid_from')
        .orderBy('memberships.id')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        productType: row.product_type,
        validFrom: row.valid_from,
        validUntil: row.valid_until,
        name: row.community_name ?? row.product_name,
      }));
    },

    async findActiveOfMessenger({ communityId, messengerUserId }, now) {
      const row = await db
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .select('memberships.id')
        .where('users.messenger_user_id', '=', messengerUserId)
        .where('memberships.community_id', '=', communityId)
        .where((eb) => isActive(eb, now))
        .executeTakeFirst();
      return row?.id;
    },

    async grant(membership) {
      const window = { valid_from: membership.validFrom, valid_until: membership.validUntil };
      const { id } = await db
        .insertInto('memberships')
        .values({
          id: membership.id,
          user_id: membership.userId,
          product_type: membership.productType,
          community_id: membership.communityId ?? null,
          product_id: membership.productId ?? null,
          ...window,
        })
        .onConflict((conflict) =>
          conflict
            .columns(
              membership.productId === undefined ? ['user_id', 'community_id'] : ['user_id', 'product_id'],
            )
            .doUpdateSet(window),
        )
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async end(id, now) {
      const known = await db.selectFrom('memberships').select('id').where('id', '=', id).executeTakeFirst();
      await db
        .updateTable('memberships')
        .set({ valid_until: now })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', now)]))
        .execute();
      return known !== undefined;
    },
  };
}

function isActive(eb: ExpressionBuilder<Schema, 'memberships'>, now: number) {
  return eb.and([
    eb('memberships.valid_from', '<=', now),
    eb.or([eb('memberships.valid_until', 'is', null), eb('memberships.valid_until', '>', now)]),
  ]);
}
