import { freePort, npmScript } from './running-command.js';
import { expect, pickUser, signInWithPopup, test } from './world.js';

test('the script-tag example signs a visitor in and opens its members’ part', async ({ page, world }) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await world.service.operator.updateClient(`oac_${'5c'.repeat(12)}`, { widgetOrigins: [origin] });
  const example = npmScript('example:script-tag', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  try {
    await expect.poll(example.printed).toContain(origin);
    await page.goto(origin);
    await signInWithPopup(page, 'ada@example.com');
    await expect(page.getByText('Members see this.')).toBeVisible();
  } finally {
    await example.stop();
  }
});

test('the Express example sends a visitor to sign in and back to the page for members', async ({
  page,
  world,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await world.service.operator.updateClient(`oac_${'e5'.repeat(12)}`, {
    redirectUris: [`${origin}/auth/callback`],
  });
  const example = npmScript('example:express', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  try {
    await expect.poll(example.printed).toContain(origin);
    await page.goto(`${origin}/members`);
    await pickUser(page, 'ada@example.com');
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page.getByText('Welcome, ada@example.com')).toBeVisible();
  } finally {
    await example.stop();
  }
});
