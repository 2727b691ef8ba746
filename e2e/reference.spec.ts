import { expectNoViolations } from './axe.js';
import { expect, test } from './world.js';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('the reference and the messenger have no accessibility violation', async ({
      page,
      world: { service },
    }) => {
      for (const path of ['/reference', '/sandbox/messenger']) {
        await page.goto(`${service.baseUrl}${path}`);
        await expectNoViolations(page);
      }
    });

    test('the viewer, with an answer and with its keys, has no accessibility violation', async ({
      page,
      world: { service },
    }) => {
      // The viewer scrolls to what its address names; what moves cannot be clicked, so keys do it.
      await page.goto(`${service.baseUrl}/reference/try#/Drops/dropSignup`);
      await page.getByRole('button', { name: 'Try it out' }).press('Enter');
      await page.getByRole('button', { name: 'Execute' }).press('Enter');
      await expect(page.locator('.live-responses-table')).toContainText('"signedUp": true');
      await expectNoViolations(page);
      await page.locator('.viewer-access').getByRole('button').press('Enter');
      await expect(page.getByText('Available authorizations')).toBeVisible();
      await expectNoViolations(page);
    });
  });
}

test('the reference leads to the viewer, which sends the endpoint’s example to the sandbox within its policy', async ({
  page,
  world: { service },
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto(`${service.baseUrl}/reference`);
  await page.getByRole('link', { name: /^Try it.*Check a messenger account/ }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(page.locator('.live-responses-table')).toContainText('"isActive": true');
  expect(refused).toEqual([]);
});

test('the reference works by keyboard and on a phone', async ({ page, world: { service } }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${service.baseUrl}/reference`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  const answer = page.locator('#dropSignup details', { hasText: 'signed up for this drop already' });
  await expect(answer.getByText('"already_exists"')).toBeHidden();
  await answer.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(answer.getByText('"already_exists"')).toBeVisible();
});
