import type { Kysely, Migration } from '../../kysely/kysely.js';
import { sql } from '../../kysely/kysely.js';

/** Creates the table of invitations, and the indexes of lists that pages read in parts. */
export const invitations: Migration = {
  async up(db: Kysely<unknown>) {
    await createInvitations(db);
    await createListIndexes(db);
  },
};

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('community_id', 'text', (column) =>
      column.notNull().references('communities.id').onDelete('cascade'),
    )
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('membership', 'role')`))
    .addColumn('role', 'text', (column) => column.check(sql`role in ('OWNER', 'ADMIN')`))
    .addColumn('valid_from', 'bigint')
    .addColumn('valid_until', 'bigint')
    .addColumn('invited_by', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('declined_at', 'bigint')
    .addCheckConstraint('invitations_role', sql`(kind = 'role') = (role is not null)`)
    .addCheckConstraint('invitations_window', sql`(kind = 'membership') = (valid_from is not null)`)
    .addUniqueConstraint('invitations_address', ['community_id', 'kind', 'email'])
    .execute();
  for (const [name, columns] of [
    ['newest', ['community_id', 'kind', 'created_at', 'id']],
    ['email', ['email', 'created_at', 'id']],
    ['sender', ['invited_by', 'email']],
    ['expiry', ['expires_at', 'id']],
  ] as const) {
    await db.schema
      .createIndex(`invitations_${name}`)
      .on('invitations')
      .columns([...columns])
      .execute();
  }
}

async function createListIndexes(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of [
    ['pricing_plans', ['community_id', 'archived_at', 'created_at', 'id']],
    ['products', ['owner_id', 'created_at', 'id']],
    ['drop_slots', ['community_id', 'starts_at', 'id']],
    ['webhooks', ['owner_id', 'created_at', 'id']],
    ['oauth_clients', ['owner_id', 'created_at', 'client_id']],
  ] as const) {
    await db.schema
      .createIndex(`${table}_list`)
      .on(table)
      .columns([...columns])
      .execute();
  }
}
