// A Chromium for the tests; LATCHKEY_CHROMIUM names another than the one that is found or installed.
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

/** Flags for a browser that runs as root, without a GPU, and asks nothing of the internet. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where a Chromium is, without starting or installing one. */
export function installedChromium() {
  return process.env.LATCHKEY_CHROMIUM || [...SYSTEM_PATHS, OWN].find((path) => existsSync(path));
}

/**
 * @returns the path of a Chromium that was started once to be sure.
 * @throws Error naming what was tried and what to do.
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
