import { expect } from '@playwright/test';
import { test } from './calm-press.js';
import { freePort, npmScript, STARTS_MS } from './running-command.js';
import { signInWithPopup } from './world.js';

test('npm start prints the addresses of the demo, and the demo works', async ({ page }) => {
  const [service, shop, backend] = [await freePort(), await freePort(), await freePort()];
  const start = npmScript('start', {
    LATCHKEY_PORT: `${service}`,
    LATCHKEY_SHOP_PORT: `${shop}`,
    LATCHKEY_BACKEND_SHOP_PORT: `${backend}`,
  });
  try {
    await expect.poll(start.printed, { timeout: STARTS_MS }).toContain(`http://localhost:${backend}`);
    expect(start.printed()).toContain(`http://localhost:${shop}`);
    expect(start.printed()).toContain(`http://127.0.0.1:${service}`);

    await page.goto(`http://localhost:${shop}`);
    await signInWithPopup(page, 'ada@example.com');
    await expect(page.locator('latchkey-login').first()).toContainText('ada@example.com');
  } finally {
    await start.stop();
  }
});
