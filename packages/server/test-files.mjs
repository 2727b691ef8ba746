// Test files that `npm test` does not run on PostgreSQL. It runs them on SQLite.

/** Tests of headers, documents, names, log lines and request checks. No SQL depends on them, so they never run on PostgreSQL. */
export const ENGINE_INDEPENDENT = [
  ...['headers', 'openapi', 'reference', 'same-origin-guard', 'continue-path', 'host-guard'],
  ...['service-names', 'service-brand', 'accent-stylesheet', 'widget-routes', 'additional-routes'],
  ...['hosted-callback-origin', 'authorize-log', 'authorize-errors', 'sign-in-log', 'header-attacks'],
].map(pathOf);

/**
 * Tests that run on PostgreSQL in `npm run test:long` only. They are the rolling upgrade, which takes half a minute, and rules: almost
 * all of their SQL statements run on PostgreSQL in other files too, or in a conformance suite. Other migrations,
 * races, crashes and transactions depend on the engine, so they are not here.
 */
export const LONG_ON_POSTGRES = [
  ...['refresh-grant', 'revoke', 'token-endpoint', 'timed-tokens', 'authorize', 'consent'],
  ...['sign-in', 'two-step-authorize'],
  ...['api-key-frame', 'api-key-checks', 'provision-validation', 'provision-external', 'provisioning-grant'],
  ...['drop-signup', 'check-messenger', 'buy-plan', 'checkout', 'invite-link'],
  ...['client-identity', 'client-verification', 'operator', 'operator-memberships', 'open-operator'],
  ...['seller-access', 'seller-changes', 'seller-members', 'seller-plans', 'seller-products'],
  ...['seller-sales', 'sales-texts', 'subscriptions', 'area-routes', 'brand-forms'],
  ...['developer-api-keys', 'developer-webhooks', 'account-area', 'account-subscription'],
  ...['account-deletion-page', 'account-deletion-proof', 'webhook-delivery', 'webhook-never-answered'],
  ...['webhook-pause', 'health', 'start-server', 'failures', 'secrets-at-rest', 'secrets-in-logs'],
  ...['resources', 'malformed-oauth', 'api-key-attacks', 'token-client-authentication'],
  ...['sign-in-mail', 'openapi-answers', 'invitation-mail', 'partner-identifiers'],
  ...['token-model', 'page-fuzz', 'rolling-upgrade'],
].map(pathOf);

function pathOf(name) {
  return `test/**/${name}.test.{ts,tsx}`;
}
