import { type Kysely, type Migration, sql } from '../../kysely/kysely.js';

/** Creates the outbox of mails, and the addresses that receive no invitations. */
export const mailOutbox: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('mail_outbox')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('subject_id', 'text', (column) => column.notNull())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('facts', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) =>
        column.notNull().check(sql`status in ('pending', 'sent', 'dropped', 'failed')`),
      )
      .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
      .addColumn('lease_id', 'text')
      .addColumn('leased_until', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addUniqueConstraint('mail_outbox_cause', ['kind', 'subject_id'])
      .execute();
    await sql`create index mail_outbox_due on mail_outbox (next_attempt_at) where status = 'pending'`.execute(
      db,
    );
    await db.schema.createIndex('mail_outbox_end').on('mail_outbox').columns(['finished_at', 'id']).execute();
    await createOptOuts(db);
  },
};

async function createOptOuts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitation_opt_outs')
    .addColumn('mailbox_hash', 'text', (column) => column.primaryKey())
    .addColumn('opted_out_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('opt_out_links')
    .addColumn('secret_hash', 'text', (column) => column.primaryKey())
    .addColumn('mailbox_hash', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('opt_out_links_end').on('opt_out_links').column('expires_at').execute();
}
