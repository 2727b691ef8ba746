import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL server for the tests of this project, or undefined when they run on SQLite. */
    postgres?: TestPostgres;
  }
}

/** PostgreSQL server for tests, with a template database that has the newest schema and no rows. */
export interface TestPostgres {
  /** Why the server did not start. Then only the tests that need it fail, each with this message; see `postgres-started.ts`. */
  failure?: string;
  /** URL of the first database. Its path is replaced to reach the others. */
  url: string;
  /** Prefix of the name of every database of this run. */
  prefix: string;
}

/** Settings that make databases fast and lose them after a crash. */
const UNSAFE_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
};

/**
 * Returns one PostgreSQL server for the whole run. `LATCHKEY_TEST_POSTGRES` may name a server whose user may
 * create databases. Otherwise it is an embedded one on a free port.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    return await start(project);
  } catch (error) {
    project.provide('postgres', {
      url: '',
      prefix: '',
      failure: error instanceof Error ? error.message : String(error),
    });
    return async () => undefined;
  }
}

async function start(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.LATCHKEY_TEST_POSTGRES;
  const server =
    given === undefined
      ? await startEmbeddedPostgres(UNSAFE_SETTINGS)
      : { url: given, stop: async () => undefined };
  const prefix = `latchkey_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(server.url);
  url.pathname = `/${prefix}_template`;
  await runOnServer(server.url, (client) => client.query(`create database ${prefix}_template`));
  await (await openDatabase(url.href)).destroy();
  project.provide('postgres', { url: url.href, prefix });
  return async () => {
    await runOnServer(server.url, async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        'select datname from pg_database where starts_with(datname, $1)',
        [prefix],
      );
      for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`);
    });
    await server.stop();
  };
}

async function runOnServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}
