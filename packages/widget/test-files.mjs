// Test files that do not run in Firefox in `npm run test:all`.

const files = (names) => names.map((name) => `{src,test}/**/${name}.browser.test.ts`);

/** Tests of parsers and of the manifest, the same in every engine. They run in Chromium only. */
export const ENGINE_INDEPENDENT = files(['entries', 'fuzz', 'manifest']);

/**
 * Tests of rules, texts, requests, policies and messages between windows. `npm test` runs them in Chromium, and `npm run test:long` in
 * Firefox too, which needs three times as long as Chromium. Focus and layout are in the other files, and sign-ins by popup and by
 * redirect in the end-to-end tests.
 */
export const RULES = files([
  ...['back-end-session', 'callback', 'foreign-service', 'gate-content', 'join-for-members'],
  ...['kept-session', 'messages', 'plans-element', 'policy', 'popup-flow', 'redirect-flow'],
  ...['severed-opener', 'sharing', 'standalone-session'],
]);
