import { expect, it } from 'vitest';
import { callerProfile, startScriptedService, testCaller } from '../../src/caller.js';
import { kitProfile, startKitApp } from './kit-app.js';

/** Rules that only a browser can keep or break. The tests of the widget exercise them. */
const OF_BROWSERS = ['general.widget-is-public-client', 'client-identity.origin-must-be-allowed'];

async function testKit(isPublic: boolean) {
  const service = await startScriptedService();
  const app = await startKitApp(service.environment, { isPublic });
  try {
    return await testCaller({ service, profile: callerProfile.parse(kitProfile(app.url)) });
  } finally {
    app.close();
    await service.close();
  }
}

it.concurrent.each([
  { client: 'confidential', isPublic: false, unused: 'revoke.public-forgets-locally' },
  { client: 'public', isPublic: true, unused: 'revoke.success-empty' },
])('passes the shop of our own packages with a $client client', async ({ isPublic, unused }) => {
  const { results } = await testKit(isPublic);
  expect(results.filter(({ outcome }) => outcome.kind === 'failed')).toEqual([]);
  const notRun = results.filter(({ outcome }) => outcome.kind === 'not-run').map(({ id }) => id);
  expect(notRun.toSorted()).toEqual([...OF_BROWSERS, unused].toSorted());
});
