import type { WebDriver } from 'selenium-webdriver';
import { webKitPrograms } from '../../scripts/webkit.mjs';
import { test as base } from '../world.js';
import { createWebKitHost, type WebKitHost } from './mini-browser.js';
import { createVisitor, type Visitor } from './visitor.js';

export { expect } from '../world.js';

/** The shared test world, with a visitor in WebKitGTK. */
export const test = base.extend<{ visitor: Visitor }, { host: WebKitHost }>({
  // The visitor presses calmly, and Playwright's own browser isn't there.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
  calm: async ({}, use) => await use(undefined),
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern.
    async ({}, use) => {
      const programs = webKitPrograms();
      if (!programs) throw new Error('WebKitGTK is not installed: apt-get install webkit2gtk-driver xvfb');
      const host = createWebKitHost(programs);
      await use(host);
      await host.close();
    },
    { scope: 'worker' },
  ],
  visitor: async ({ host }, use) => {
    const driver: WebDriver = await host.open();
    await use(createVisitor(driver));
    await driver.quit();
  },
});
