import type { Migration } from './migration.js';

/**
 * Lets the service issue tokens that begin with a time. It changes no table. It is a contract migration, because processes of
 * earlier versions do not find the hashes of such tokens. Tokens without a time stay valid.
 */
export const timedTokens: Migration = {
  kind: 'contract',
  up: async () => undefined,
};
