import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../src/platform/database/open-database.js';

/** Returns the same database, on which every statement that records a delivery attempt throws the error. */
export function withFailingAttempts(db: Database, error: Error): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('"webhook_attempts"') && node.kind === 'InsertQueryNode') throw error;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return db.withPlugin(plugin);
}
