// Finds a Chromium that starts, or installs one. Order: LATCHKEY_CHROMIUM, a system browser, Playwright's own, Debian's.
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { run } from './command.mjs';

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

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

/**
 * @returns the path of a Chromium that was started once to be sure.
 * @throws Error naming what was tried and what to do.
 */
export async function ensureChromium() {
  const named = process.env.LATCHKEY_CHROMIUM;
  if (named !== undefined && named !== '') {
    const problem = await startProblem(named);
    if (problem === undefined) return named;
    throw new Error(`LATCHKEY_CHROMIUM names ${named}, which does not start: ${problem}`);
  }
  const found = await firstThatStarts([...SYSTEM_PATHS, chromium.executablePath()]);
  if (found !== undefined) return found;

  console.log('No Chromium found: installing one for the browser tests (once)…');
  const isRoot = process.getuid?.() === 0;
  await run('playwright', ['install', 'chromium'], { quiet: true });
  let own = await firstThatStarts([chromium.executablePath()]);
  if (own === undefined && isRoot && existsSync(chromium.executablePath())) {
    await run('playwright', ['install-deps', 'chromium'], { quiet: true });
    own = await firstThatStarts([chromium.executablePath()]);
  }
  if (own !== undefined) return own;

  if (isRoot && existsSync('/usr/bin/apt-get')) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update'], { quiet: true, env });
    // Without any font, text has no size and counts as hidden.
    const packages = ['chromium', 'fonts-dejavu-core'];
    const install = await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], {
      quiet: true,
      env,
    });
    const system = await firstThatStarts(SYSTEM_PATHS);
    if (system !== undefined) return system;
    console.error(install.output.split('\n').slice(-15).join('\n'));
  }
  throw new Error(
    'No Chromium that starts was found, and none could be installed (tried: system browsers, `playwright install chromium`' +
      `${isRoot ? ', apt-get install chromium' : ''}). Install Chromium or Chrome and name it in LATCHKEY_CHROMIUM.`,
  );
}

async function firstThatStarts(paths) {
  for (const path of paths) if (existsSync(path) && (await startProblem(path)) === undefined) return path;
  return undefined;
}

/** Starts the browser once; what went wrong, or undefined when it runs. */
async function startProblem(executablePath) {
  try {
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS, timeout: 30_000 });
    await browser.close();
    return undefined;
  } catch (error) {
    return String(error).split('\n')[0];
  }
}
