// Finds the Chromium for the tests. LATCHKEY_CHROMIUM overrides the search.
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findOrInstall } from './find-browser.mjs';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const OWN = chromium.executablePath();

/** Flags for a browser that runs as root and without a GPU, and sends no requests of its own. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of a Chromium without starting or installing one. */
export function installedChromium() {
  return process.env.LATCHKEY_CHROMIUM || [...SYSTEM_PATHS, OWN].find((path) => existsSync(path));
}

/**
 * Finds or installs a Chromium.
 * @returns path of a Chromium that started
 * @throws {Error} if no Chromium starts and none can be installed
 */
export function ensureChromium() {
  return findOrInstall({
    name: 'Chromium',
    variable: 'LATCHKEY_CHROMIUM',
    systemPaths: SYSTEM_PATHS,
    own: { name: 'chromium', path: OWN },
    packages: ['chromium'],
    async start(executablePath) {
      const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, timeout: 30_000 });
      await browser.close();
    },
  });
}
