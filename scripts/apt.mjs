// Installs Debian packages that tests need.
import { existsSync } from 'node:fs';
import { run } from './command.mjs';

/** True if this process can install Debian packages: it runs as root on Debian or a derivative. */
export const HAS_APT = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** At run level 1, packages start no service. */
const OPTIONS = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } };

let updated;

/** Installs Debian packages. Prints the end of apt-get's output if that fails. Updates the list of packages the first time. */
export async function installPackages(packages) {
  updated ??= run('apt-get', ['update'], OPTIONS);
  await updated;
  // Another process of the tests may be installing something.
  const { code, output } = await run(
    'apt-get',
    ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', ...packages],
    OPTIONS,
  );
  if (code !== 0) console.error(output.split('\n').slice(-15).join('\n'));
}
