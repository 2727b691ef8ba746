import { type Kysely, type Migration, sql } from '../../kysely/kysely.js';

/** Creates the indexes of the members by status, and of one member's payments. */
export const sellerLists: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('memberships_by_end')
      .on('memberships')
      .columns(['community_id', 'valid_until', 'valid_from', 'id'])
      .execute();
    // A subscription renews most memberships that are close to their end. Those are no part of this list.
    await sql`
      create index memberships_ending on memberships (community_id, valid_until, valid_from, id)
      where subscription_id is null or subscription_cancelled_at is not null`.execute(db);
    await db.schema
      .createIndex('payments_of_member')
      .on('payments')
      .columns(['user_id', 'community_id', 'created_at', 'id'])
      .execute();
  },
};
