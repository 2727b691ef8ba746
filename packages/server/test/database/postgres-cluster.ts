import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';

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
  const server =
    given === undefined
      ? await startEmbeddedPostgres(THROW_AWAY)
      : { url: given, stop: async () => undefined };
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
