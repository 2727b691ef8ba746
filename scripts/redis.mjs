// Finds or installs a Redis server, and starts temporary ones. Order: LATCHKEY_REDIS_SERVER, the PATH, apt-get.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { run } from './command.mjs';

/**
 * Finds or installs a Redis or Valkey server.
 * @returns path of a server that prints its version
 * @throws {Error} if no server starts and none can be installed
 */
export async function ensureRedisServer() {
  const named = process.env.LATCHKEY_REDIS_SERVER;
  if (named !== undefined && named !== '') {
    if (await starts(named)) return named;
    throw new Error(`LATCHKEY_REDIS_SERVER: ${named} does not start.`);
  }
  const found = await firstThatStarts();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('No Redis server found. Installing one for the tests of the session stores…');
    const options = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } };
    await run('apt-get', ['update'], options);
    const install = await run(
      'apt-get',
      ['install', '-y', '--no-install-recommends', 'redis-server'],
      options,
    );
    const installed = await firstThatStarts();
    if (installed !== undefined) return installed;
    console.error(install.output.split('\n').slice(-15).join('\n'));
  }
  throw new Error(
    'Found no redis-server that starts, and could not install one. Install Redis or Valkey and set LATCHKEY_REDIS_SERVER to its path.',
  );
}

/**
 * Starts a Redis without persistence on the loopback interface. It ends with this process, even if this process is killed.
 * @param {{ port?: number }} options `port` is a free port by default
 */
export async function startRedis({ port } = {}) {
  const server = await ensureRedisServer();
  const chosen = port ?? (await freePort());
  const settings = ['--port', `${chosen}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  // The shell's input ends when this process ends.
  const child = spawn('sh', ['-c', '"$@" & cat; kill $!; wait', 'sh', server, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const exited = once(child, 'exit');
  let printed = '';
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`Redis did not start:\n${printed}`)), 20_000);
    const listen = (chunk) => {
      printed += chunk;
      const isUp = printed.includes('Ready to accept connections');
      if (!isUp && !printed.includes('Failed')) return;
      clearTimeout(late);
      child.stdout.off('data', listen);
      child.stdout.resume();
      if (isUp) resolve();
      else reject(new Error(`Redis did not start:\n${printed}`));
    };
    child.stdout.on('data', listen);
  });
  for (const handle of [child, child.stdin, child.stdout]) handle.unref();
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    async stop() {
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
}

async function firstThatStarts() {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  for (const name of ['redis-server', 'valkey-server']) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (folder !== '' && existsSync(path) && (await starts(path))) return path;
    }
  }
  return undefined;
}

async function starts(path) {
  const { code } = await run(path, ['--version'], { quiet: true });
  return code === 0;
}

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
