// Packs our packages. `npm run pack` builds them, packs them into `packed/` and prints the line that installs them.
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ROOT, run } from './command.mjs';

/** Our packages, by the name of their folder. */
export const PUBLISHED = readdirSync(join(ROOT, 'packages')).filter((name) => {
  const file = join(ROOT, 'packages', name, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).private !== true;
});

/** Packs each package into `{name}.tgz` of a folder, which it replaces. The files are those that `npm publish` sends. */
export async function pack(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const workspaces = PUBLISHED.flatMap((name) => ['-w', `@latchkey/${name}`]);
  await done('npm', ['pack', '--silent', '--pack-destination', folder, ...workspaces]);
  for (const name of PUBLISHED) {
    const [file = ''] = globSync(`latchkey-${name}-*.tgz`, { cwd: folder });
    renameSync(join(folder, file), join(folder, `${name}.tgz`));
  }
}

/**
 * Lets packed packages depend on each other by path. With versions, npm would ask the public registry for names that nobody owns, even
 * if all files are on its command line.
 */
export async function dependByPath(folder) {
  const file = join(folder, 'package/package.json');
  for (const name of PUBLISHED) {
    const tarball = join(folder, `${name}.tgz`);
    await done('tar', ['-xzf', tarball, '-C', folder]);
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    // npm asks about optional peers too, which it doesn't install.
    for (const wanted of [manifest.dependencies, manifest.peerDependencies ?? {}]) {
      for (const other of PUBLISHED.filter((entry) => `@latchkey/${entry}` in wanted)) {
        wanted[`@latchkey/${other}`] = `file:${join(folder, other)}.tgz`;
      }
    }
    writeFileSync(file, JSON.stringify(manifest, null, 2));
    await done('tar', ['-czf', tarball, '-C', folder, 'package']);
    rmSync(join(folder, 'package'), { recursive: true });
  }
}

async function done(command, args) {
  const { code, output } = await run(command, args, { quiet: true });
  if (code !== 0) throw new Error(`${command} failed: ${output}`);
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(ROOT, 'packed');
  if (!(await build())) process.exit(1);
  await pack(folder);
  await dependByPath(folder);
  console.log(`To install the packages in any other folder:\n\n  npm install ${folder}/*.tgz\n`);
}
