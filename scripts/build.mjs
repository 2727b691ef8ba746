// Builds every package: types and JavaScript by tsc, the widget's two script files by Vite. What is up to date is left alone.
import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';

const WIDGET_FILES = ['packages/widget/dist/latchkey.js', 'packages/widget/dist/callback.js'];
const WIDGET_SOURCES = [
  'packages/{widget,oauth,contract}/src/**/*.ts',
  'packages/widget/{package.json,vite*}',
  'package-lock.json',
];

/**
 * Builds what `npm start` needs, or with `tests` the type check of all tests too.
 * @returns whether it succeeded.
 */
export async function build({ tests = false } = {}) {
  const projects = tests ? [] : ['demo'];
  const compiled = await run('tsc', ['-b', ...projects]);
  if (compiled.code !== 0) return false;
  if (widgetIsFresh()) return true;
  const bundled = await run('npm', ['run', 'bundle', '-w', '@latchkey/widget', '--silent'], { quiet: true });
  if (bundled.code !== 0) console.error(bundled.output);
  return bundled.code === 0;
}

function widgetIsFresh() {
  if (!WIDGET_FILES.every((file) => existsSync(join(ROOT, file)))) return false;
  const built = Math.min(...WIDGET_FILES.map(modified));
  return WIDGET_SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).every(
    (file) => modified(file) <= built,
  );
}

function modified(file) {
  return statSync(join(ROOT, file)).mtimeMs;
}

if (process.argv[1] === import.meta.filename) {
  process.exit((await build({ tests: process.argv.includes('--tests') })) ? 0 : 1);
}
