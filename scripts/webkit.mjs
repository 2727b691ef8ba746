// Finds WebKitGTK for the tests: its WebDriver, its MiniBrowser, and Xvfb as their display.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HAS_APT, installPackages } from './apt.mjs';

const PACKAGES = ['webkit2gtk-driver', 'xvfb'];
const FOLDERS = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/libexec',
  '/usr/lib64',
  '/usr/lib',
];

/**
 * Returns the paths of the three programs without installing any, or `undefined` if one is missing. `LATCHKEY_WEBKIT`
 * overrides the path of the MiniBrowser; the default is the newest.
 */
export function webKitPrograms() {
  const browser = process.env.LATCHKEY_WEBKIT || miniBrowsers()[0];
  const driver = onPath('WebKitWebDriver');
  const display = onPath('Xvfb');
  return browser && driver && display ? { browser, driver, display } : undefined;
}

/**
 * Finds WebKitGTK, or installs it as root on Debian.
 * @returns path of its MiniBrowser, or `undefined` if it is missing and this process can't install it
 * @throws {Error} if it can't be installed, and apt-get is available or `CI` is set
 */
export async function ensureWebKit() {
  const found = webKitPrograms();
  if (found) return found.browser;
  if (HAS_APT) {
    console.log('No WebKitGTK found. Installing it for the browser tests…');
    await installPackages([...PACKAGES, 'fonts-dejavu-core']);
  }
  const installed = webKitPrograms();
  if (installed) return installed.browser;
  if (!HAS_APT && !process.env.CI) return undefined;
  throw new Error(
    `Found no WebKitGTK, and could not install it (apt-get install ${PACKAGES.join(' ')}, as root on Debian).`,
  );
}

/** Lists the installed MiniBrowsers, the newest first: webkitgtk-6.0, webkit2gtk-4.1, webkit2gtk-4.0. */
function miniBrowsers() {
  return FOLDERS.filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /\/webkit2?gtk-[\d.]+$/.test(path))
    .map((path) => join(path, 'MiniBrowser'))
    .filter((path) => existsSync(path))
    .sort((a, b) => version(b) - version(a));
}

function version(path) {
  return Number.parseFloat(/webkit2?gtk-([\d.]+)/.exec(path)?.[1] ?? '0');
}

function onPath(program) {
  const folders = (process.env.PATH ?? '').split(':').filter(Boolean);
  return [...folders, '/usr/bin'].map((folder) => join(folder, program)).find((path) => existsSync(path));
}
