// Test files by what they show on PostgreSQL. All of the server's tests run on SQLite in `npm test`. The others run on PostgreSQL in
// `npm run test:all`.

/**
 * Tests that `npm test` runs on PostgreSQL too, because the engine decides what they show: races, locks, transactions, processes,
 * batches of rows, and SQL that differs by engine.
 */
export const ENGINE_MATTERS = [
  'test/postgres/**/!(*.all|*.long).test.ts',
  ...['races', 'checkout-races'].map((name) => `test/cluster/${name}.test.ts`),
  ...['account-deletion-races', 'drop-signup-races', 'ended-sessions-race', 'form-races', 'provision-races'],
  ...['sign-in-races', 'concurrent-grants', 'transaction', 'database', 'prepared-query', 'table-contents'],
  ...['schema-versions', 'purge-batches', 'webhook-batches', 'webhook-workers', 'mail-outbox'],
  ...['account-deletion-data', 'nul', 'seller-export'],
].map((name) => (name.includes('/') ? name : pathOf(name)));

/** Tests of headers, documents, names, log lines and request checks. No SQL depends on them, so they never run on PostgreSQL. */
export const ENGINE_INDEPENDENT = [
  ...['headers', 'openapi', 'reference', 'same-origin-guard', 'continue-path', 'host-guard'],
  ...['service-names', 'service-brand', 'accent-stylesheet', 'widget-routes', 'additional-routes'],
  ...['hosted-callback-origin', 'authorize-log', 'authorize-errors', 'sign-in-log', 'header-attacks'],
].map(pathOf);

function pathOf(name) {
  return `test/**/${name}.test.{ts,tsx}`;
}
