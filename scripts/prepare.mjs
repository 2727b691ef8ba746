// Installs what `npm start` and `npm test` need, when it is missing or stale. Written for Node 20, the oldest Node a
// newcomer may have: the project itself needs Node 22.13, which its own devDependency `node` brings along.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './command.mjs';

const modules = join(ROOT, 'node_modules');
const lock = join(ROOT, 'package-lock.json');
const stamp = join(modules, '.latchkey-installed');
const digest = createHash('sha256').update(readFileSync(lock)).digest('hex');

if (!isInstalled()) {
  console.log('Installing dependencies (once)…');
  const { code } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  if (code !== 0)
    fail('`npm ci` failed. Its message is above; a clean retry is `rm -rf node_modules && npm ci`.');
}
writeFileSync(stamp, digest);

const node = await run('node', ['-p', 'process.versions.node'], { quiet: true });
const [major = 0, minor = 0] = node.output.split('.').map(Number);
if (node.code !== 0 || major < 22 || (major === 22 && minor < 13)) {
  fail(
    `Node 22.13 or newer is needed, and ${node.output.trim() || 'none'} was found. The npm package "node" brings one, but ` +
      'its install script did not run: allow it with `npm install-scripts approve node`, or install Node 24 yourself.',
  );
}

/** Installed is what the lock file says, whether this script or the developer's own `npm install` did it. */
function isInstalled() {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true;
  const installed = join(modules, '.package-lock.json');
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
