// Test files by what they show on PostgreSQL. All of the server's tests run on SQLite in `npm test`, and on PostgreSQL in
// `npm run test:all`.

/** Tests of headers, documents, names, log lines and request checks. No SQL depends on them, so they never run on PostgreSQL. */
export const ENGINE_INDEPENDENT = [
  ...['headers', 'openapi', 'reference', 'same-origin-guard', 'continue-path', 'host-guard'],
  ...['service-names', 'service-brand', 'accent-stylesheet', 'widget-routes', 'additional-routes'],
  ...['hosted-callback-origin', 'authorize-log', 'authorize-errors', 'sign-in-log', 'header-attacks'],
].map(pathOf);

function pathOf(name) {
  return `test/**/${name}.test.{ts,tsx}`;
}
