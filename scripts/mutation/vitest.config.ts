import { defineConfig } from 'vitest/config';
import { REQUIREMENTS } from '../../packages/contract/src/requirements.js';

/** Tests of the pure rules, for mutation testing: no database, no server, no browser. */
export default defineConfig({
  test: {
    tags: REQUIREMENTS.map(({ id }) => ({ name: id })),
    root: new URL('../../packages', import.meta.url).pathname,
    include: [
      'server/src/features/**/{bought-membership,join-decision,mail-decision,membership-change,price,provision-decision,role-change,timeline,attempt-decision,imitation,sign-in-budgets}.test.ts',
      'express/test/{membership-rule,membership-rule-property,return-to}.test.ts',
      'oauth/test/{state,pkce,authorization-url,authorization-response,response-fields}.test.ts',
      'client/test/retry-policy.test.ts',
      'widget/src/**/!(*.browser).test.ts',
    ],
    setupFiles: [new URL('./fixed-seed.ts', import.meta.url).pathname],
    testTimeout: 20_000,
  },
});
