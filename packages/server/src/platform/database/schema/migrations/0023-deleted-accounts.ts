import type { Kysely } from '../../kysely/kysely.js';
import type { Migration } from './migration.js';

/**
 * Adds the time of the deletion to the rows that stand for deleted accounts. Earlier versions treat such a row as a user without an
 * email address and without an active membership.
 */
export const deletedAccounts: Migration = {
  kind: 'expand',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('users').addColumn('deleted_at', 'bigint').execute();
  },
};
