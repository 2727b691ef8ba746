// Finds a browser that starts, or installs one: what its variable names, the system's, Playwright's own, Debian's.
import { existsSync } from 'node:fs';
import { run } from './command.mjs';

/** Only root on Debian can have a browser by its package manager. */
export const HAS_APT = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs Debian packages; where that failed, the end of what apt-get said is shown. */
export async function installPackages(packages) {
  const options = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update'], options);
  const { code, output } = await run(
    'apt-get',
    ['install', '-y', '--no-install-recommends', ...packages],
    options,
  );
  if (code !== 0) console.error(output.split('\n').slice(-15).join('\n'));
}

/**
 * Finds or installs a browser that Playwright drives.
 * @param {object} browser
 * @param {string} browser.name for messages
 * @param {string} browser.variable the environment variable that names one, and then no other is taken
 * @param {string[]} browser.systemPaths
 * @param {{ name: string, path: string }} browser.own Playwright's own: its name for `playwright install`, and its path
 * @param {string[]} browser.packages of Debian
 * @param {(path: string) => Promise<void>} browser.start starts and ends it once, or throws
 * @returns {Promise<string>} the path of one that was started to be sure
 * @throws {Error} naming what was tried and what to do
 */
export async function findOrInstall({ name, variable, systemPaths, own, packages, start }) {
  const named = process.env[variable];
  if (named !== undefined && named !== '') {
    const problem = await startProblem(named);
    if (problem === undefined) return named;
    throw new Error(`${variable} names ${named}, which does not start: ${problem}`);
  }
  const found = await firstThatStarts([...systemPaths, own.path]);
  if (found !== undefined) return found;

  console.log(`No ${name} found: installing one for the browser tests (once)…`);
  await run('playwright', ['install', own.name], { quiet: true });
  let installed = await firstThatStarts([own.path]);
  if (installed === undefined && HAS_APT && existsSync(own.path)) {
    await run('playwright', ['install-deps', own.name], { quiet: true });
    installed = await firstThatStarts([own.path]);
  }
  if (installed === undefined && HAS_APT) {
    // Without any font, text has no size and counts as hidden.
    await installPackages([...packages, 'fonts-dejavu-core']);
    installed = await firstThatStarts(systemPaths);
  }
  if (installed !== undefined) return installed;
  throw new Error(
    `No ${name} that starts was found, and none could be installed (tried: system browsers, ` +
      `\`playwright install ${own.name}\`${HAS_APT ? `, apt-get install ${packages.join(' ')}` : ''}). ` +
      `Install one and name it in ${variable}.`,
  );

  async function firstThatStarts(paths) {
    for (const path of paths) if (existsSync(path) && (await startProblem(path)) === undefined) return path;
    return undefined;
  }

  /** What went wrong, or undefined when it runs. */
  async function startProblem(path) {
    try {
      await start(path);
      return undefined;
    } catch (error) {
      return String(error).split('\n')[0];
    }
  }
}
