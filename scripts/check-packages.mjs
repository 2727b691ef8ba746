// Checks the packages as published. Runs publint and are-the-types-wrong on each packed tarball. Then installs all tarballs
// into an empty project, which imports every entry, type-checks against it, and runs the service with an app and a client:
// once as an ES module, once as CommonJS with import().
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';
import { commonJsProgram, esmProgram } from './consumer-program.mjs';

const packagesFolder = join(ROOT, 'packages');
/** The published packages, by the name of their folder. */
const names = readdirSync(packagesFolder).filter(
  (name) => existsSync(join(packagesFolder, name, 'package.json')) && manifest(name).private !== true,
);
/** Compiler options of the consumer. Without skipLibCheck, so that tsc also checks our declaration files. */
const TYPE_CHECK = [
  ...['--noEmit', '--strict', '--skipLibCheck', 'false'],
  ...['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'],
];

const work = mkdtempSync(join(tmpdir(), 'latchkey-packages-'));
let failures = 0;

try {
  const tarballs = await packAll();
  for (const [index, name] of names.entries()) await lint(name, tarballs[index]);
  const folder = await install(tarballs);
  await importEntries(folder);
  await runPrograms(folder, { 'program.mts': esmProgram(), 'program.cts': commonJsProgram() });
  await runBins(folder);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(failures > 0 ? 1 : 0);

/** Packs all packages in one process of npm. Returns the paths of the tarballs in the order of the names. */
async function packAll() {
  const workspaces = names.flatMap((name) => ['-w', `@latchkey/${name}`]);
  const { code, output } = await run(
    'npm',
    ['pack', '--json', '--silent', '--pack-destination', work, ...workspaces],
    { quiet: true },
  );
  report(code === 0, 'all packages pack', output);
  const files = readdirSync(work);
  return names.map((name) => {
    const file = files.find((entry) => entry.startsWith(`latchkey-${name}-`));
    return join(work, file ?? `missing-${name}.tgz`);
  });
}

async function lint(name, tarball) {
  const publint = await run('publint', ['--strict', tarball], { quiet: true });
  report(publint.code === 0, `@latchkey/${name} has a valid package.json (publint)`, publint.output);
  await checkOrigin(name, tarball);
  if (name === 'sandbox') await checkConsole(tarball);
  await checkSkill(name, tarball);
  await checkNoTests(name, tarball);
  // A package that is only a command has no entries to import.
  if (entriesOf(name).length === 0) return;
  // The script-tag files are classic scripts: they have no exports and no types.
  const attw = await run(
    'attw',
    [
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      './latchkey.js',
      './latchkey-plans.js',
      './callback.js',
      './callback.html',
      '--',
      tarball,
    ],
    { quiet: true },
  );
  report(attw.code === 0, `@latchkey/${name} has correct types (are-the-types-wrong)`, attw.output);
}

/** Checks that the package contains the license and names its folder in the repository. */
async function checkOrigin(name, tarball) {
  const { output } = await run('tar', ['-xzOf', tarball, 'package/LICENSE'], { quiet: true });
  const license = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  report(output === license, `@latchkey/${name} contains the license of the repository`, output);
  const { repository } = manifest(name);
  report(
    repository?.directory === `packages/${name}`,
    `@latchkey/${name} names its folder in the repository`,
    `repository: ${JSON.stringify(repository)}`,
  );
}

/** Checks that a package contains its instructions for coding assistants, if it has some. */
async function checkSkill(name, tarball) {
  const file = join(packagesFolder, name, 'SKILL.md');
  if (!existsSync(file)) return;
  const { output } = await run('tar', ['-xzOf', tarball, 'package/SKILL.md'], { quiet: true });
  report(output === readFileSync(file, 'utf8'), `@latchkey/${name} contains its SKILL.md`, output);
}

/** Checks that no test was packed: tests lie next to the sources. */
async function checkNoTests(name, tarball) {
  const { output } = await run('tar', ['-tzf', tarball], { quiet: true });
  const tests = output.split('\n').filter((file) => /\.test\./.test(file));
  report(tests.length === 0, `@latchkey/${name} contains no tests`, tests.join(', '));
}

/** Checks that the sandbox contains the bundle of the console, with every file that its manifest names. */
async function checkConsole(tarball) {
  const folder = 'package/dist/console/assets';
  const manifest = await run('tar', ['-xzOf', tarball, `${folder}/manifest.json`], { quiet: true });
  const { output } = await run('tar', ['-tzf', tarball], { quiet: true });
  const files = manifest.code === 0 ? Object.values(JSON.parse(manifest.output)).map(({ file }) => file) : [];
  const missing = files.filter((file) => !output.includes(`${folder}/${file}`));
  report(
    files.length > 0 && missing.length === 0,
    '@latchkey/sandbox contains the console',
    missing.join(', '),
  );
}

/** Installs the tarballs into an empty project. Returns its folder. */
async function install(tarballs) {
  const folder = join(work, 'consumer');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await run('npm', ['install', ...flags, ...tarballs], { quiet: true, cwd: folder });
  report(code === 0, 'the packed tarballs install into an empty project', output);
  report(
    !existsSync(join(folder, 'node_modules/@scarf')),
    'no installed package reports the installation (@scarf/scarf)',
    'node_modules/@scarf exists',
  );
  return folder;
}

/** Imports every JavaScript entry in Node. The widget's entries must load without a DOM too. */
async function importEntries(folder) {
  const entries = names.flatMap((name) => entriesOf(name));
  const code = entries.map(
    (entry, index) =>
      `import * as entry${index} from '${entry}';\nif (Object.keys(entry${index}).length === 0) throw new Error('${entry} exports nothing');`,
  );
  // The extension makes the file an ES module, which the programs' type check also reads.
  writeFileSync(join(folder, 'entries.mts'), `${code.join('\n')}\n`);
  const { code: status, output } = await run('node', ['--no-warnings', 'entries.mts'], {
    quiet: true,
    cwd: folder,
  });
  report(status === 0, `every entry imports in Node: ${entries.join(', ')}`, output);
}

/**
 * Type-checks the programs and the imports of the entries against the installed packages, in one process: reading the types takes the
 * most time. Then it runs each program. The extensions make one an ES module and the other CommonJS, and Node strips the types itself.
 */
async function runPrograms(folder, programs) {
  const files = Object.keys(programs);
  for (const file of files) writeFileSync(join(folder, file), programs[file]);
  const checked = await run('tsc', [...TYPE_CHECK, 'entries.mts', ...files], { quiet: true, cwd: folder });
  report(
    checked.code === 0,
    `the types of every entry are found, and ${files.join(' and ')} compile`,
    checked.output,
  );
  for (const file of files) {
    const ran = await run('node', ['--no-warnings', file], { quiet: true, cwd: folder });
    report(ran.code === 0, `${file} runs the service, a client of it and an app with a gate`, ran.output);
  }
}

/** Runs each installed command by its name. */
async function runBins(folder) {
  for (const name of names) {
    const { bin = {}, version } = manifest(name);
    for (const command of Object.keys(bin)) {
      const { code, output } = await run('npx', ['--no-install', command, '--version'], {
        quiet: true,
        cwd: folder,
      });
      report(
        code === 0 && output.trim().split('\n').at(-1) === version,
        `npx ${command} --version prints ${version}`,
        output,
      );
    }
  }
}

function manifest(name) {
  return JSON.parse(readFileSync(join(packagesFolder, name, 'package.json'), 'utf8'));
}

/** Returns the import specifiers of a package's JavaScript entries. Entries with types only are left out. */
function entriesOf(name) {
  return Object.entries(manifest(name).exports)
    .filter(([, target]) => typeof target === 'object' && 'default' in target)
    .flatMap(([entry, target]) => (entry.includes('*') ? expand(name, entry, target.default) : [entry]))
    .map((entry) => `@latchkey/${name}${entry.slice(1)}`);
}

/** Expands an entry with a `*` to one entry for each file that its target matches. */
function expand(name, entry, target) {
  const [before = '', after = ''] = target.slice(2).split('*');
  return globSync(`${before}*${after}`, { cwd: join(packagesFolder, name) }).map((file) =>
    entry.replace('*', file.slice(before.length, -after.length)),
  );
}

function report(passed, what, output) {
  console.log(`${passed ? '✓' : '✗'} ${what}`);
  if (passed) return;
  failures += 1;
  console.log(output.trimEnd().replace(/^/gm, '    '));
}
