// Checks the packages as published. Runs publint and are-the-types-wrong on each packed tarball. Then follows each installation of the
// documents in an empty folder next to the tarballs. One of these folders imports every entry, type-checks against it, and runs the
// service with an app and a client: once as an ES module, once as CommonJS with import().
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';
import { commonJsProgram, esmProgram } from './consumer-program.mjs';
import { dependByPath, PUBLISHED as names, pack } from './pack.mjs';

const packagesFolder = join(ROOT, 'packages');
/** Compiler options of the consumer. Without skipLibCheck, so that tsc also checks our declaration files. */
const TYPE_CHECK = [
  ...['--noEmit', '--strict', '--skipLibCheck', 'false'],
  ...['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom,dom.iterable'],
];

/** A registry that refuses connections. */
const CLOSED = 'http://127.0.0.1:9/';

const work = mkdtempSync(join(tmpdir(), 'latchkey-packages-'));
const packed = join(work, 'latchkey/packed');
let failures = 0;

try {
  await pack(packed);
  for (const name of names) await lint(name, join(packed, `${name}.tgz`));
  await dependByPath(packed);
  const folder = await followDocuments();
  await importEntries(folder);
  await runPrograms(folder, { 'program.mts': esmProgram(), 'program.cts': commonJsProgram() });
  await runBins(folder);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exit(failures > 0 ? 1 : 0);

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
      './latchkey-sign-in.js',
      './latchkey-all.js',
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

/** Checks that the package contains the license, names its folder in the repository and depends on its neighbours as they are. */
async function checkOrigin(name, tarball) {
  const { output } = await run('tar', ['-xzOf', tarball, 'package/LICENSE'], { quiet: true });
  const license = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
  report(output === license, `@latchkey/${name} contains the license of the repository`, output);
  const { repository, dependencies, peerDependencies, version } = manifest(name);
  const neighbours = Object.entries({ ...dependencies, ...peerDependencies }).filter(([dependency]) =>
    dependency.startsWith('@latchkey/'),
  );
  report(
    neighbours.every(([, wanted]) => wanted === version),
    `@latchkey/${name} depends on this version of its neighbours`,
    JSON.stringify(neighbours),
  );
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

/**
 * Follows the documents' commands that install packages or start a sandbox, block by block, each in an empty folder next to the
 * tarballs. For npm, nobody has published `latchkey` or a package of its scope. Returns a folder with all packages.
 */
async function followDocuments() {
  const text = globSync('{*.md,{docs,packages,examples}/**/*.md}', {
    cwd: ROOT,
    exclude: ['**/{node_modules,dist}/**'],
  }).map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const blocks = text.flatMap((page) =>
    [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block),
  );
  const commands = blocks.map(
    (block) => block.match(/^npm (?:init|install) .*|^npx --no latchkey sandbox.*/gm)?.join('\n') ?? '',
  );
  const all = `npm install ${join(packed, '*.tgz')} express`;
  const followed = new Set([all, ...commands.filter((lines) => lines.includes('packed/'))]);
  let index = 0;
  for (const lines of followed) {
    const folder = join(work, `site-${index++}`);
    mkdirSync(folder);
    // A folder whose packages no command uses gets a lock file only, which proves as much about the names that npm asks for.
    const isUsed = lines === all || /npx|--global/.test(lines);
    const { code, output } = await follow(
      lines,
      folder,
      isUsed ? {} : { npm_config_package_lock_only: 'true' },
    );
    const asked = output.match(/^npm http fetch .*latchkey.*$/gm) ?? [];
    report(
      code === 0 && asked.length === 0,
      `works in an empty folder: ${lines.replaceAll('\n', '; ')}`,
      `${asked.join('\n')}\n${output}`,
    );
  }
  const folder = join(work, 'site-0');
  report(
    !existsSync(join(folder, 'node_modules/@scarf')),
    'no installed package reports the installation (@scarf/scarf)',
    'node_modules/@scarf exists',
  );
  return folder;
}

/** Runs a reader's commands. Ends a sandbox that they start as soon as it answers. */
function follow(lines, folder, settings) {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      LATCHKEY_PORT: '0',
      ...settings,
      npm_config_prefix: join(folder, 'global'),
      npm_config_loglevel: 'http',
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fetch_retries: '0',
    };
    // In a process group of its own, because npx and the shell don't pass signals on to the sandbox.
    const child = spawn('sh', ['-e'], { cwd: folder, env, detached: true });
    child.stdin.end(`PATH="${join(ROOT, 'node_modules/.bin')}:$PATH"
npm() { env 'npm_config_@latchkey:registry=${CLOSED}' npm "$@"; }
npx() { env npm_config_registry=${CLOSED} npx "$@"; }
${lines}
`);
    let output = '';
    let answered = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', async (text) => {
        output += text;
        const [address] = /http:\/\/127\.0\.0\.1:\d+\/sandbox/.exec(output) ?? [];
        if (address === undefined || answered) return;
        answered = (await fetch(address)).ok;
        process.kill(-child.pid, 'SIGTERM');
      });
    }
    child.on('close', (code) => resolve({ code: lines.includes('npx') ? Number(!answered) : code, output }));
  });
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
