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
    await expect.poll(example.printed, { timeout: 30_000 }).toContain(origin);
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
    await expect.poll(example.printed, { timeout: 30_000 }).toContain(origin);
    await page.goto(`${origin}/members`);
    await pickUser(page, 'ada@example.com');
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page.getByText('Welcome, ada@example.com')).toBeVisible();
  } finally {
    await example.stop();
  }
});

test('the landing page signs visitors up for the next drop, and says what became of it', async ({
  page,
  world,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const example = npmScript('example:drop-landing-page', {
    PORT: `${port}`,
    LATCHKEY_SERVICE_URL: world.service.baseUrl,
  });
  const signUp = async (email: string, phone = '') => {
    await page.goto(origin);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Phone').fill(phone);
    await page.getByRole('button', { name: 'Tell me' }).click();
  };
  try {
    await expect.poll(example.printed, { timeout: 30_000 }).toContain(origin);
    for (const [email, phone, result] of [
      ['grace@example.com', '020 7946 0018', 'country code'],
      ['grace@example.com', '+44 20 7946 0018', 'You are on the list.'],
      ['grace@example.com', '', 'on the list already'],
      ['ada@example.com', '', 'You have an account already'],
    ] as const) {
      await signUp(email, phone);
      await expect(page.getByRole('status')).toContainText(result);
    }
  } finally {
    await example.stop();
  }
});
