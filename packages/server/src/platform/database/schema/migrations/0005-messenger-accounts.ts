import type { Kysely, Migration } from '../../kysely/kysely.js';

/** Creates the table of messenger accounts that belong to a buyer in one community. The buyer's invite link bound them. */
export const messengerAccounts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('messenger_accounts')
      .addColumn('community_id', 'text', (column) =>
        column.notNull().references('communities.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('messenger_user_id', 'bigint', (column) => column.notNull())
      .addColumn('joined_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('messenger_accounts_key', ['community_id', 'user_id'])
      .addUniqueConstraint('messenger_accounts_account', ['community_id', 'messenger_user_id'])
      .execute();
    await db.schema
      .createIndex('messenger_accounts_user')
      .on('messenger_accounts')
      .column('user_id')
      .execute();
  },
};
