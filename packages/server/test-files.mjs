// Test files by what they show on PostgreSQL. All of the server's tests run on SQLite in `npm test`. The others run on PostgreSQL in
// `npm run test:all`.

/** Tests that `npm test` runs on PostgreSQL too: what only this engine has, its transactions, and one race of each kind. */
export const ENGINE_MATTERS = [
  ...['postgres', 'read-batches', 'deferred-writes', 'clock-skew'].map(
    (name) => `test/postgres/${name}.test.ts`,
  ),
  'test/cluster/races.test.ts',
  ...['provision-races', 'concurrent-grants', 'transaction', 'prepared-query'],
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
