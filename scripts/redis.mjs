// Finds or installs a Redis server, and starts temporary ones. Order: LATCHKEY_REDIS_SERVER, the PATH, apt-get.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ensureProgram } from './system-program.mjs';

/**
 * Finds or installs a Redis or Valkey server.
 * @returns path of a server that prints its version
 * @throws {Error} if no server starts and none can be installed
 */
export async function ensureRedisServer() {
  return await ensureProgram({
    title: 'Redis or Valkey server',
    names: ['redis-server', 'valkey-server'],
    debianPackage: 'redis-server',
    variable: 'LATCHKEY_REDIS_SERVER',
  });
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

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
