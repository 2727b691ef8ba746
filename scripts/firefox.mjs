// A Firefox for the tests; LATCHKEY_FIREFOX names another than the one that is found or installed.
import { firefox } from '@playwright/test';
import { findOrInstall } from './find-browser.mjs';

const SYSTEM_PATHS = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
];
const OWN = firefox.executablePath();

/** What Playwright has to know to start it: its own Firefox is driven in its own way, everybody else's by WebDriver BiDi. */
export function firefoxOptions(executablePath) {
  return executablePath === OWN ? { executablePath } : { executablePath, channel: 'moz-firefox' };
}

/**
 * @returns the path of a Firefox that was started once to be sure.
 * @throws Error naming what was tried and what to do.
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
