// Installs the dependencies of `npm start` and `npm test` if they are missing or stale. Must work on Node 20: the Node that
// the project itself needs is one of these dependencies (the npm package `node`).
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';

const modules = join(ROOT, 'node_modules');
const lock = join(ROOT, 'package-lock.json');
const stamp = join(modules, '.latchkey-installed');
const digest = createHash('sha256').update(readFileSync(lock)).digest('hex');

if (!isInstalled()) {
  console.log('Installing dependencies…');
  const { code } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0)
    fail('`npm ci` failed with the message above. For a clean retry, run `rm -rf node_modules && npm ci`.');
}
writeFileSync(stamp, digest);

const node = await run('node', ['-p', 'process.versions.node'], { quiet: true });
const [major = 0, minor = 0] = node.output.split('.').map(Number);
if (node.code !== 0 || major < 22 || (major === 22 && minor < 13)) {
  fail(
    `Latchkey needs Node 22.13 or newer; found ${node.output.trim() || 'none'}. The npm package "node" contains Node 24, but ` +
      'its install script did not run. Allow it with `npm install-scripts approve node`, or install Node 24 yourself.',
  );
}

/** True if the installed packages match the lock file. The developer may have run `npm install` without this script. */
function isInstalled() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true;
  const installed = join(modules, '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
