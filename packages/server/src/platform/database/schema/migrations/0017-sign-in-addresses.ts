import type { Kysely } from '../../kysely/kysely.js';
import type { Migration } from './migration.js';

/** Drops the table that the budgets of `0006-proofs-and-budgets` replaced. Earlier versions still delete its old rows. */
export const signInAddresses: Migration = {
  kind: 'contract',
  worksFrom: '0016-migration-kinds',
  async up(db: Kysely<unknown>) {
    await db.schema.dropTable('sign_in_addresses').execute();
  },
};
