// Builds every package. tsc compiles the types, and the JavaScript of most packages. Vite bundles the server, the command,
// the widget's three script files and the console's pages. The sandbox gets a copy of the documentation. Skips what is up to
// date.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run } from './command.mjs';

const SERVER = '@latchkey/server';

/** The packages that Vite bundles, each with the files of its bundle and what they are made of. */
const BUNDLES = {
  [SERVER]: {
    files: ['packages/server/dist/index.js', 'packages/server/dist/vendor/swagger-ui/version.txt'],
    sources: [
      'packages/{server,contract}/src/**/*.{ts,tsx}',
      'packages/{bundled-package.ts,server/{package.json,vite*}}',
      'package-lock.json',
    ],
  },
  '@latchkey/cli': {
    files: ['packages/cli/dist/latchkey.js'],
    sources: [
      'packages/{cli,conformance,contract,server}/src/**/*.{ts,tsx}',
      'packages/sandbox/src/{control/client.ts,{control/routes,integration,receiver,scenario}/*.ts}',
      'packages/{bundled-package.ts,cli/{package.json,vite*}}',
      'package-lock.json',
    ],
  },
  '@latchkey/widget': {
    files: ['latchkey', 'latchkey-sign-in', 'latchkey-all', 'latchkey-plans', 'callback'].map(
      (name) => `packages/widget/dist/${name}.js`,
    ),
    sources: [
      'packages/{widget,oauth,contract}/src/**/*.{ts,html}',
      'packages/widget/{package.json,vite*}',
      'packages/server/assets/messages/*.json',
      'package-lock.json',
    ],
  },
  '@latchkey/console': {
    // Vite writes it last, and it names all other files.
    files: ['packages/sandbox/dist/console/assets/manifest.json'],
    sources: [
      'packages/console/src/**/*.ts',
      'packages/sandbox/src/control/{client.ts,routes/*.ts}',
      'packages/server/src/{styles.ts,web/kit/styles/*.ts,features/**/*.ts}',
      'packages/console/{package.json,vite*,read-elements.ts}',
      'packages/widget/custom-elements.json',
      'package-lock.json',
    ],
  },
};

/**
 * Builds the packages that `npm start` and the benchmarks need.
 * @param {{ tests?: boolean }} options `tests` builds everything, including the type check of all tests
 * @returns true if the build succeeded
 */
export async function build({ tests = false } = {}) {
  const projects = tests
    ? []
    : ['demo', ...['client', 'stripe', 'cli', 'conformance'].map((name) => `packages/${name}`)];
  // Projects compile side by side. More checkers in each would check the same types again, which takes half as much time more.
  const compiled = await run('tsc', ['-b', '--checkers', '1', ...projects]);
  if (compiled.code !== 0) return false;
  removeStaleTypes('packages/server');
  removeStaleTypes('packages/cli');
  const isStale = (name) => !isFresh(BUNDLES[name]);
  // The bundles of the command and the console import the server's.
  if (isStale(SERVER) && !(await bundle(SERVER))) return false;
  const others = Object.keys(BUNDLES).filter((name) => name !== SERVER && isStale(name));
  if ((await Promise.all(others.map(bundle))).includes(false)) return false;
  linkCommand();
  await copyDocuments();
  return true;
}

async function bundle(name) {
  const { code, output } = await run('npm', ['run', 'bundle', '-w', name, '--silent'], { quiet: true });
  if (code !== 0) console.error(output);
  return code === 0;
}

/** Copies the pages of the documentation, their images and the skills into the package that serves them. */
async function copyDocuments() {
  const { DOCS_IMAGE_FOLDER, DOCS_PAGES, SKILLS } = await import(
    '../packages/sandbox/dist/docs/docs-pages.js'
  );
  const images = globSync(`${DOCS_IMAGE_FOLDER}/*`, { cwd: ROOT });
  for (const file of [...[...DOCS_PAGES, ...SKILLS].map((each) => each.file), ...images]) {
    const target = join(ROOT, 'packages/sandbox/dist/documents', file);
    // A running sandbox may be reading the copy. It is replaced only if it is stale.
    if (existsSync(target) && readFileSync(target).equals(readFileSync(join(ROOT, file)))) continue;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(ROOT, file), target);
  }
}

/** Links `npx --no latchkey` to the built command. On a fresh clone npm finds nothing to link, because nothing is built yet. */
function linkCommand() {
  const link = join(ROOT, 'node_modules/.bin/latchkey');
  if (process.platform === 'win32' || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync('../@latchkey/cli/dist/latchkey.js', link);
  chmodSync(join(ROOT, 'packages/cli/dist/latchkey.js'), 0o755);
}

/** Removes types whose sources no longer exist: they would be published, and tsc never removes them. */
function removeStaleTypes(folder) {
  for (const file of globSync(`${folder}/dist/**/*.d.ts`, { cwd: ROOT })) {
    const output = file.slice(0, -'.d.ts'.length);
    const source = join(ROOT, output.replace(`${folder}/dist/`, `${folder}/src/`));
    if (existsSync(`${source}.ts`) || existsSync(`${source}.tsx`)) continue;
    for (const extension of ['.d.ts', '.d.ts.map']) {
      rmSync(join(ROOT, output + extension), { force: true });
    }
  }
}

/** True if all files exist and none of the sources is newer. */
function isFresh({ files, sources }) {
  if (!files.every((file) => existsSync(join(ROOT, file)))) return false;
  const built = Math.min(...files.map(modified));
  return sources
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .every((file) => modified(file) <= built);
}

function modified(file) {
  return statSync(join(ROOT, file)).mtimeMs;
}

if (process.argv[1] === import.meta.filename) {
  process.exit((await build({ tests: process.argv.includes('--tests') })) ? 0 : 1);
}
