// Finds the Chromium for the tests. LATCHKEY_CHROMIUM overrides the search.
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { HAS_APT, installPackages } from './apt.mjs';
import { findInstalled, findOrInstall } from './find-browser.mjs';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const OWN = chromium.executablePath();

const SHELL_PATHS = [
  '/usr/bin/chromium-headless-shell',
  // Playwright keeps its headless shell in a folder beside its Chromium.
  ...globSync(join(dirname(OWN), '../../chromium_headless_shell-*/*/{chrome-headless-shell,headless_shell}')),
];

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
    start,
  });
}

/**
 * Finds or installs Chromium's headless shell: the same engine without the browser around it. It needs less than half of
 * Chromium's processor time.
 * @returns path of a headless shell that started, or of a Chromium if there is none. `LATCHKEY_CHROMIUM` overrides both.
 * @throws {Error} if neither starts and none can be installed
 */
export async function ensureHeadlessShell() {
  if (process.env.LATCHKEY_CHROMIUM) return await ensureChromium();
  const found = await findInstalled(SHELL_PATHS, start);
  if (found !== undefined) return found;
  if (HAS_APT) {
    console.log('No headless shell of Chromium found. Installing it for the browser tests…');
    await installPackages(['chromium-headless-shell', 'fonts-dejavu-core']);
  }
  return (await findInstalled(SHELL_PATHS, start)) ?? (await ensureChromium());
}

async function start(executablePath) {
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, timeout: 30_000 });
  await browser.close();
}
