import type { Kysely } from '../../kysely/kysely.js';
import { createIndexConcurrently } from './create-index-concurrently.js';
import type { Migration } from './migration.js';

/**
 * Creates the indexes of statements that otherwise read a whole table: the deletion of an account, of a client and of a product, also
 * of unused ones; the purge of form submissions; the check of a renewal whose charge has no known result.
 */
export const lookUpIndexes: Migration = {
  kind: 'expand',
  // Each index can be created again after a crash.
  transaction: 'none',
  async up(db: Kysely<unknown>) {
    for (const [table, column] of [
      ['authorization_codes', 'client_id'],
      ['token_pairs', 'client_id'],
      ['checkout_reservations', 'user_id'],
      ['messenger_invites', 'user_id'],
      ['messenger_join_requests', 'messenger_user_id'],
      ['community_emails', 'email'],
      ['drop_signups', 'email'],
      ['known_browsers', 'email'],
      ['mail_outbox', 'recipient'],
      ['form_submissions', 'id'],
    ] as const) {
      await createIndexConcurrently(db, { name: `${table}_by_${column}`, table, columns: [column] });
    }
    // Columns that are null in most rows.
    for (const [table, column] of [
      ['checkout_reservations', 'caller_id'],
      ['checkout_reservations', 'product_id'],
      ['memberships', 'subscription_id'],
    ] as const) {
      await createIndexConcurrently(db, {
        name: `${table}_by_${column}`,
        table,
        columns: [column],
        where: `${column} is not null`,
      });
    }
  },
};
