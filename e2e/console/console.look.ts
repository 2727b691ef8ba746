import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { test } from '@playwright/test';
import { LOOKS, takePicture } from '../looks.js';

/** Pages of the console, and states of them. One more view is one more line. */
const PAGES: Readonly<Record<string, string>> = {
  requests: '/sandbox/requests',
  'requests-entry': '/sandbox/requests?id=req_2',
  'requests-none': '/sandbox/requests?text=nothing-contains-this',
  rules: '/sandbox/rules',
};

let sandbox: RunningSandbox;
test.beforeAll(async () => {
  sandbox = await createSandbox();
  const { baseUrl } = sandbox;
  await fetch(`${baseUrl}/oauth/userinfo`, { headers: { Authorization: 'Bearer nothing' } });
  await fetch(`${baseUrl}/membership/provision-external`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandboxScenario.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ communityId: sandboxScenario.community.id }),
  });
  for (let count = 0; count < 30; count += 1) await fetch(`${baseUrl}/oauth/client/unknown-${count}`);
});
test.afterAll(() => sandbox.close());

for (const look of LOOKS) {
  test.describe(`console, ${look.name}`, () => {
    test.use({ colorScheme: look.colorScheme, viewport: { width: look.width, height: 860 } });
    for (const [name, path] of Object.entries(PAGES)) {
      test(name, async ({ page }) => {
        await page.goto(`${sandbox.baseUrl}${path}`);
        await page.waitForLoadState('load');
        await page.locator('h1').waitFor();
        if (path.startsWith('/sandbox/requests')) await page.getByText(/^\d+ requests?$/).waitFor();
        await takePicture(page, `console-${name}`, look);
      });
    }
  });
}
