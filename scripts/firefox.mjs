// Finds the Firefox for the tests. LATCHKEY_FIREFOX overrides the search.
import { firefox } from '@playwright/test';
import { findOrInstall } from './find-browser.mjs';

const SYSTEM_PATHS = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
];
const OWN = firefox.executablePath();

/** Returns Playwright's launch options. Its own Firefox uses its own protocol; any other Firefox uses WebDriver BiDi. */
export function firefoxOptions(executablePath) {
  return executablePath === OWN ? { executablePath } : { executablePath, channel: 'moz-firefox' };
}

/**
 * Finds or installs a Firefox.
 * @returns path of a Firefox that started
 * @throws {Error} if no Firefox starts and none can be installed
 */
export function ensureFirefox() {
  return findOrInstall({
    name: 'Firefox',
    variable: 'LATCHKEY_FIREFOX',
    systemPaths: SYSTEM_PATHS,
    own: { name: 'firefox', path: OWN },
    packages: ['firefox-esr'],
    async start(executablePath) {
      const browser = await firefox.launch({ ...firefoxOptions(executablePath), timeout: 60_000 });
      await browser.close();
    },
  });
}
