// Mutation testing of the pure rules: `npm run mutate`. See docs/contributing/reliability.md.
const server = 'packages/server/src/features';
const widget = 'packages/widget/src';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: true },
  mutate: [
    `${server}/checkout/bought-membership.ts`,
    `${server}/messenger/join-decision.ts`,
    `${server}/mail/mail-decision.ts`,
    `${server}/memberships/{membership-change,membership-state,provision-decision,timeline}.ts`,
    `${server}/plans/price.ts`,
    `${server}/communities/role-change.ts`,
    `${server}/webhooks/attempt/attempt-decision.ts`,
    `${server}/sign-in/sign-in-budgets.ts`,
    `${server}/budgets/budgets.ts`,
    'packages/express/src/memberships/membership-rule.ts',
    'packages/express/src/sign-in/return-to.ts',
    'packages/client/src/call/retry-policy.ts',
    'packages/oauth/src/authorization.ts',
    `${widget}/browser/{addresses,wake-up}.ts`,
    `${widget}/sign-in/request.ts:1-50`,
    `${widget}/element/shared.ts:1-8`,
    `${widget}/checkout/{kit-requests,pending-purchase}.ts`,
    `${widget}/gate/gate-rule.ts`,
    `${widget}/messages/registry.ts`,
    `${widget}/session/{backend-provider,renewal,token-store}.ts`,
    `${widget}/state/{checkout-state,login-failure,login-state,membership-rule}.ts`,
  ],
  ignorePatterns: ['**/dist', '**/dist-test', '**/test-results', '/docs'],
  // The preprocessor for this file needs TypeScript's old API, and the sandbox keeps the folder structure anyway.
  tsconfigFile: 'no-tsconfig.json',
  inPlace: false,
  symlinkNodeModules: true,
  tempDirName: '.cache/stryker',
  concurrency: 2,
  coverageAnalysis: 'perTest',
  // A mutant of a constant that runs once while its module loads would need a new process for each test run.
  ignoreStatic: true,
  reporters: ['clear-text', 'html', 'json'],
  htmlReporter: { fileName: '.cache/mutation/index.html' },
  jsonReporter: { fileName: '.cache/mutation/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  timeoutMS: 20_000,
};
