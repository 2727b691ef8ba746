import type { Schema } from '../../../migrations/schema.js';
import type { ExpressionBuilder } from '../../../platform/database/kysely.js';

/** Condition: the webhook's owner still has its community or product, and so may get data of members and buyers. */
export function ownedByItsOwner(eb: ExpressionBuilder<Schema, 'webhooks'>) {
  return eb.or([
    eb.exists(
      eb
        .selectFrom('community_roles as role')
        .select('role.user_id')
        .whereRef('role.community_id', '=', 'webhooks.community_id')
        .whereRef('role.user_id', '=', 'webhooks.owner_id')
        .where('role.role', '=', 'OWNER')
        .where('role.is_active', '=', 1),
    ),
    eb.exists(
      eb
        .selectFrom('products')
        .select('products.id')
        .whereRef('products.id', '=', 'webhooks.product_id')
        .whereRef('products.owner_id', '=', 'webhooks.owner_id'),
    ),
  ]);
}

/** The last instant that a Date can represent, so queries for due deliveries skip it. */
export const WAITS_FOR_WEBHOOK = 8_640_000_000_000_000;
