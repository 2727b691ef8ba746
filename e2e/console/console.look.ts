import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { type Page, test } from '@playwright/test';
import { LOOKS, takePicture } from '../looks.js';

const { memberships, publicClient, users } = sandboxScenario;
const DATA_KINDS = [
  ...['users', 'communities', 'memberships', 'plans', 'roles', 'products', 'reservations', 'drops'],
  ...['signups', 'clients', 'keys', 'webhooks'],
];

/** Pages of the console, and states of them. One more view is one more line. */
const PAGES: Readonly<Record<string, string>> = {
  requests: '/sandbox/requests',
  'requests-entry': '/sandbox/requests?id=req_2',
  'requests-none': '/sandbox/requests?text=nothing-contains-this',
  rules: '/sandbox/rules',
  webhooks: '/sandbox/webhooks',
  'webhooks-none': '/sandbox/webhooks?text=nothing-contains-this',
  ...Object.fromEntries(DATA_KINDS.map((kind) => [`data-${kind}`, `/sandbox/data?kind=${kind}`])),
  'data-record': `/sandbox/data?kind=users&id=${users.ada.id}`,
  'data-long-name': '/sandbox/data?kind=users&text=donau',
  ...{ faults: '/sandbox/faults', clock: '/sandbox/clock', snapshots: '/sandbox/snapshots' },
  ...{ configurator: '/sandbox/configurator', docs: '/docs' },
};

/** States behind a button: the page, and the buttons to press. */
const PRESSED: Readonly<Record<string, readonly [path: string, ...buttons: readonly (string | RegExp)[]]>> = {
  'webhooks-test-event': ['/sandbox/webhooks', 'Send a test event'],
  'webhooks-verify': ['/sandbox/webhooks', 'Verify a signature'],
  'webhooks-faults': ['/sandbox/webhooks', 'Faults'],
  'data-create': ['/sandbox/data?kind=memberships', 'Create membership'],
  'data-edit': [`/sandbox/data?kind=clients&id=${publicClient.clientId}`, 'Edit'],
  'data-end': [`/sandbox/data?kind=clients&id=${publicClient.clientId}`, 'Delete client'],
  'snapshots-reset': ['/sandbox/snapshots', /^Reset to/],
  'clock-moved': ['/sandbox/clock', '+1 minute'],
  'faults-active': ['/sandbox/faults', 'Add fault'],
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
  await sandbox.operator.create('users', {
    email: 'donau@example.com',
    name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  });
  for (const mode of ['fail', 'accept'] as const) {
    sandbox.receiver.mode = mode;
    await sandbox.control.deliveries.sendTest({
      type: 'membership.updated',
      membershipId: memberships.adaCommunity.id,
    });
  }
  for (let count = 0; count < 30; count += 1) await fetch(`${baseUrl}/oauth/client/unknown-${count}`);
});
test.afterAll(() => sandbox.close());

for (const look of LOOKS) {
  test.describe(`console, ${look.name}`, () => {
    test.use({ colorScheme: look.colorScheme, viewport: { width: look.width, height: 860 } });
    for (const [name, path] of Object.entries(PAGES)) {
      test(name, async ({ page }) => {
        await page.goto(`${sandbox.baseUrl}${path}`);
        await waitForContent(page);
        if (name === 'requests-entry') await page.locator('console-request-detail').waitFor();
        else if (path.startsWith('/sandbox/requests')) await page.getByText(/^\d+ requests?$/).waitFor();
        await takePicture(page, `console-${name}`, look);
      });
    }
    test('an event', async ({ page }) => {
      const { id } = await sandbox.control.deliveries.sendTest({
        type: 'membership.updated',
        membershipId: memberships.adaCommunity.id,
      });
      await page.goto(`${sandbox.baseUrl}/sandbox/webhooks?id=${id}`);
      await page.getByText('Response 204').waitFor();
      await takePicture(page, 'console-webhooks-event', look);
    });
    for (const [name, [path, ...buttons]] of Object.entries(PRESSED)) {
      test(name, async ({ page }) => {
        await page.goto(`${sandbox.baseUrl}${path}`);
        await waitForContent(page);
        for (const button of buttons)
          await page.getByRole('button', { name: button, exact: true }).first().click();
        if (name === 'faults-active') await page.getByText('A fault is active').waitFor();
        if (name === 'clock-moved') await page.getByText('The clock is at').waitFor();
        await takePicture(page, `console-${name}`, look);
        sandbox.control.faults.clear();
      });
    }
  });
}

async function waitForContent(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('h1').first().waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
}
