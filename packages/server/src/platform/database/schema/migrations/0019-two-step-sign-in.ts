import type { Kysely } from '../../kysely/kysely.js';
import type { Migration } from './migration.js';

/**
 * Creates the tables of two-step sign-in: active authenticator apps, recovery codes, set-ups that are not confirmed, and sign-ins
 * that wait for the second step. They are deleted with their user.
 */
export const twoStepSignIn: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('second_factors')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('recovery_codes')
      .addColumn('code_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('used_at', 'bigint')
      .execute();
    await db.schema.createIndex('recovery_codes_user').on('recovery_codes').column('user_id').execute();
    await db.schema
      .createTable('second_factor_setups')
      .addColumn('session_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('second_factor_setups_user')
      .on('second_factor_setups')
      .column('user_id')
      .execute();
    await db.schema
      .createIndex('second_factor_setups_end')
      .on('second_factor_setups')
      .columns(['expires_at', 'session_hash'])
      .execute();
    await createAttempts(db);
  },
};

async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('second_step_attempts')
    .addColumn('attempt_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('spent_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('second_step_attempts_user')
    .on('second_step_attempts')
    .column('user_id')
    .execute();
  await db.schema
    .createIndex('second_step_attempts_end')
    .on('second_step_attempts')
    .columns(['expires_at', 'attempt_hash'])
    .execute();
}
