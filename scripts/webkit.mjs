// WebKitGTK for the tests: its WebDriver, its small browser, and a display to draw on. Only Debian's family packages all three.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HAS_APT, installPackages } from './find-browser.mjs';

const PACKAGES = ['webkit2gtk-driver', 'xvfb'];
const FOLDERS = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/libexec',
  '/usr/lib64',
  '/usr/lib',
];

/**
 * Where the three programs are, without installing any; `undefined` when one is missing. `LATCHKEY_WEBKIT` names another
 * MiniBrowser than the newest that is found.
 */
export function webKitPrograms() {
  const browser = process.env.LATCHKEY_WEBKIT || miniBrowsers()[0];
  const driver = onPath('WebKitWebDriver');
  const display = onPath('Xvfb');
  return browser && driver && display ? { browser, driver, display } : undefined;
}

/**
 * Finds WebKitGTK, or installs it as root on Debian.
 * @returns the path of its MiniBrowser; `undefined` where it cannot be had: on macOS and Windows, and for who may not
 *   install packages. There `CI` makes that an error.
 * @throws Error when it should be there and is not.
 */
export async function ensureWebKit() {
  const found = webKitPrograms();
  if (found) return found.browser;
  if (HAS_APT) {
    console.log('No WebKitGTK found: installing it for the browser tests (once)…');
    await installPackages([...PACKAGES, 'fonts-dejavu-core']);
  }
  const installed = webKitPrograms();
  if (installed) return installed.browser;
  if (!HAS_APT && !process.env.CI) return undefined;
  throw new Error(
    `No WebKitGTK was found, and none could be installed (apt-get install ${PACKAGES.join(' ')}, as root on Debian).`,
  );
}

/** Newest first: webkitgtk-6.0, webkit2gtk-4.1, webkit2gtk-4.0. */
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
