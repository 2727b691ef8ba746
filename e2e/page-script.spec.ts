import { sandboxScenario } from '@latchkey/sandbox';
import { JOURNEY } from './levels.js';
import { expect, signInAtService, test, type World } from './world.js';

const { community, publicClient, users } = sandboxScenario;
const { clientId } = publicClient;

/** Creates a drop, and returns the address of its page in the seller area. */
async function dropPage({ service }: World): Promise<string> {
  const { id } = await service.operator.createDropSlot({
    communityId: community.id,
    name: 'First flush',
    slots: null,
    startsAt: Date.UTC(2030, 11, 5, 18, 30),
    endsAt: null,
  });
  return `${service.baseUrl}/seller/communities/${community.id}/drops/${id}`;
}

test.beforeEach(({ page, world }) => signInAtService(page, world, users.dana.name));

test.describe('the script of the pages', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('copies a value, and says so', { tag: JOURNEY }, async ({ page, context, world }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${world.service.baseUrl}/developer/clients/${clientId}`);
    await page.getByRole('button', { name: 'Copy client ID' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Copied: client ID' })).toBeAttached();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(clientId);
  });

  test('selects the value where a page has no clipboard', async ({ page, world }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.goto(`${world.service.baseUrl}/developer/clients/${clientId}`);
    await page.getByRole('button', { name: 'Copy client ID' }).click();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(clientId);
    await expect(page.getByText('Selected: client ID.')).toBeAttached();
  });

  test('shows times and date fields in the visitor’s zone, and keeps UTC in the title', async ({
    page,
    world,
  }) => {
    await page.goto(await dropPage(world));
    const time = page.locator('time[datetime="2030-12-05T18:30:00.000Z"]').first();
    await expect(time).toHaveText('5 Dec 2030, 19:30');
    await expect(time).toHaveAttribute('title', '5 Dec 2030, 18:30 UTC');
    await expect(page.getByLabel('Starts', { exact: true })).toHaveValue('2030-12-05');
    await expect(page.getByLabel('Starts: time (optional)')).toHaveValue('19:30');
    await expect(page.getByLabel('Ends', { exact: true })).toHaveValue('');
    const zones = await page.locator('input[name="zone"]').all();
    expect(zones).toHaveLength(2);
    for (const zone of zones) await expect(zone).toHaveValue('Europe/Berlin');
  });
});

test.describe('without a script', () => {
  test.use({ timezoneId: 'Europe/Berlin', javaScriptEnabled: false });

  test('the same page is in UTC, and a click selects the whole value', async ({ page, world }) => {
    await page.goto(await dropPage(world));
    await expect(page.locator('time[datetime="2030-12-05T18:30:00.000Z"]').first()).toHaveText(
      '5 Dec 2030, 18:30 UTC',
    );
    await expect(page.getByLabel('Starts: time (optional)')).toHaveValue('18:30');
    await expect(page.getByRole('button', { name: 'Copy drop ID' })).toBeHidden();
    await expect(page.locator('[data-copy-source]').first()).toHaveCSS('user-select', 'all');
  });
});
