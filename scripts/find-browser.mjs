// Finds a browser that starts, or installs one. Order: the environment variable, the system, Playwright, apt-get.
import { existsSync } from 'node:fs';
import { HAS_APT, installPackages } from './apt.mjs';
import { run } from './command.mjs';

/**
 * Finds or installs a browser that Playwright drives.
 * @param {object} browser
 * @param {string} browser.name its name in messages
 * @param {string} browser.variable environment variable with the path of a browser; if set, no other browser is tried
 * @param {string[]} browser.systemPaths paths where operating systems install it
 * @param {{ name: string, path: string }} browser.own Playwright's build: its name for `playwright install`, and its path
 * @param {string[]} browser.packages names of its Debian packages
 * @param {(path: string) => Promise<void>} browser.start starts and closes it once; throws if it does not start
 * @returns {Promise<string>} path of a browser that started
 * @throws {Error} if no browser starts and none can be installed
 */
export async function findOrInstall({ name, variable, systemPaths, own, packages, start }) {
  const named = process.env[variable];
  if (named !== undefined && named !== '') {
    const failure = await startFailure(named, start);
    if (failure === undefined) return named;
    throw new Error(`${variable}: ${named} does not start: ${failure}`);
  }
  const found = await findInstalled([...systemPaths, own.path], start);
  if (found !== undefined) return found;

  console.log(`No ${name} found. Installing one for the browser tests…`);
  await run('playwright', ['install', own.name], { quiet: true });
  let installed = await findInstalled([own.path], start);
  if (installed === undefined && HAS_APT && existsSync(own.path)) {
    await run('playwright', ['install-deps', own.name], { quiet: true });
    installed = await findInstalled([own.path], start);
  }
  if (installed === undefined && HAS_APT) {
    // Without a font, text has no size and Playwright considers it hidden.
    await installPackages([...packages, 'fonts-dejavu-core']);
    installed = await findInstalled(systemPaths, start);
  }
  if (installed !== undefined) return installed;
  throw new Error(
    `Found no ${name} that starts, and could not install one (tried: system browsers, ` +
      `\`playwright install ${own.name}\`${HAS_APT ? `, apt-get install ${packages.join(' ')}` : ''}). ` +
      `Install one and set ${variable} to its path.`,
  );
}

/** Returns the first path at which a browser starts, or undefined. */
export async function findInstalled(paths, start) {
  for (const path of paths) {
    if (existsSync(path) && (await startFailure(path, start)) === undefined) return path;
  }
  return undefined;
}

/** Returns the reason why a browser does not start, or undefined if it starts. */
async function startFailure(path, start) {
  try {
    await start(path);
    return undefined;
  } catch (error) {
    return String(error).split('\n')[0];
  }
}
