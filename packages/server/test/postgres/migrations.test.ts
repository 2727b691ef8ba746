import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NEXT_MIGRATIONS } from '../../soak/upgrade/next-migrations.js';
import { readSchemaStatus } from '../../src/app/service-database.js';
import { migrateDatabase } from '../../src/index.js';
import { createIndexConcurrently, type Migration } from '../../src/migrations/migration.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { APPLICATION_NAME } from '../../src/platform/database/schema/schema-status.js';
import { brokenRules } from '../database/migration-rules.js';
import { becomeNextVersion, migrateAs, nextVersion } from '../database/schema-versions.js';
import { databaseUnderTest } from '../service-under-test.js';

const addsColumn: Migration = {
  kind: 'expand',
  up: async (db) => void (await db.schema.alterTable('users').addColumn('motto', 'text').execute()),
};
const addsIndex: Migration = {
  kind: 'expand',
  transaction: 'none',
  up: (db) => createIndexConcurrently(db, { name: 'users_by_name', table: 'users', columns: ['name'] }),
};

async function connected(url: string, applicationName?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: applicationName });
  // The database is dropped at the end of the test, possibly before the connection is closed.
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

/** Starts a transaction that has read and changed users, such as a long report. */
async function longTransaction(url: string): Promise<pg.Client> {
  const client = await connected(url);
  await client.query('begin');
  await client.query("insert into users (id, created_at) values ('long', 0)");
  return client;
}

function recordedLog() {
  const warnings: unknown[] = [];
  const logger = { info() {}, error() {}, warn: (fields: object) => void warnings.push(fields) };
  return { logger, warnings };
}

async function isValid(url: string): Promise<boolean | undefined> {
  const client = await connected(url);
  const { rows } = await client.query(
    "select indisvalid from pg_index where indexrelid = to_regclass('users_by_name')",
  );
  return rows[0]?.indisvalid;
}

describe('migration whose table a long transaction uses', () => {
  it('lets the requests behind it pass, tries again, and is applied when the transaction ends', async () => {
    const url = await databaseUnderTest();
    const long = await longTransaction(url);
    const { logger, warnings } = recordedLog();
    const options = { logger, retryPauseMs: 50 };
    const migrating = migrateAs(url, nextVersion({ '9001-column': addsColumn }), options);
    const request = await connected(url);
    while (warnings.length < 2) {
      const { rows } = await request.query("select name from users where id = 'none'");
      expect(rows).toEqual([]);
    }
    expect(warnings[0]).toEqual({ migration: '9001-column', attempt: 1 });
    await long.query('commit');
    expect(await migrating).toEqual(['9001-column']);
  });

  it('is given up with the reason after many attempts, without effect', async () => {
    const url = await databaseUnderTest();
    const long = await longTransaction(url);
    const list = nextVersion({ '9001-column': addsColumn });
    const options = { logger: recordedLog().logger, retryPauseMs: 1, maxAttempts: 2 };
    await expect(migrateAs(url, list, options)).rejects.toThrow(
      /migration 9001-column could not lock its tables.*pg_stat_activity/,
    );
    await long.query('rollback');
    const { rows } = await long.query("select name from kysely_migration where name = '9001-column'");
    expect(rows).toEqual([]);
  });
});

describe('concurrent index', () => {
  it('is created once by two processes, while the table is written', async () => {
    const url = await databaseUnderTest();
    const list = nextVersion({ '9001-index': addsIndex });
    const long = await longTransaction(url);
    const processes = [migrateAs(url, list), migrateAs(url, list)];
    const writer = await connected(url);
    // The index waits for the long transaction, and the other process for the first one.
    await expect.poll(async () => await isValid(url)).toBe(false);
    await writer.query("insert into users (id, created_at) values ('other', 0)");
    await long.query('commit');
    expect((await Promise.all(processes)).toSorted()).toEqual([[], ['9001-index']]);
    expect(await isValid(url)).toBe(true);
  });

  it('is created again after a crash that left it invalid', async () => {
    const url = await databaseUnderTest();
    const long = await longTransaction(url);
    const crashing = await connected(url);
    await crashing.query('set statement_timeout = 100');
    const statement = 'create index concurrently users_by_name on users (name)';
    await expect(crashing.query(statement)).rejects.toThrow('timeout');
    await long.query('commit');
    expect(await isValid(url)).toBe(false);
    await migrateAs(url, nextVersion({ '9001-index': addsIndex }));
    expect(await isValid(url)).toBe(true);
  });

  it('is created by a role with a time limit for statements, in a new database too', async () => {
    const url = await databaseUnderTest();
    const long = await longTransaction(url);
    const limited = new URL(url);
    // Long enough for the statements before the index on a slow machine, which keep the limit.
    limited.searchParams.set('options', '-c statement_timeout=3s');
    const migrating = migrateAs(limited.href, nextVersion({ '9001-index': addsIndex }));
    await expect.poll(async () => await isValid(url)).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 3_500));
    await long.query('commit');
    expect(await migrating).toEqual(['9001-index']);
    const created = await databaseUnderTest({ isMigrated: false });
    await migrateAs(created, nextVersion({ '9001-index': addsIndex }));
    expect(await isValid(created)).toBe(true);
  });
});

describe('contract migrations', () => {
  it('are rejected while a process of an earlier version is connected', async () => {
    const database = await databaseUnderTest();
    const [earlier, between] = [
      await connected(database, 'latchkey 0000-a'),
      await connected(database, 'latchkey 0000-b'),
    ];
    const empty = (worksFrom: string): Migration => ({
      kind: 'contract',
      worksFrom,
      up: async () => undefined,
    });
    becomeNextVersion({ '9001-empty': empty('0000-b'), '9002-empty': empty('0001-initial') });
    const contract = () => migrateDatabase(database, { contract: true }).catch(String);
    expect(await contract()).toContain('earlier version are connected to the database: 0000-a.');
    await earlier.end();
    // The other process works after the first of the two migrations, but not after the second one.
    await expect.poll(contract).toContain('connected to the database: 0000-b.');
    expect((await readSchemaStatus(database)).pendingContract).toEqual(['9002-empty']);
    await between.end();
    await connected(database, APPLICATION_NAME);
    await expect.poll(contract).toEqual(['9002-empty']);
  });
});

describe('every migration after the first one', () => {
  it('can be applied while other processes run', async () => {
    const url = await databaseUnderTest({ isMigrated: false });
    const statements: string[] = [];
    const client = await connected(url);
    const connection = { query: client.query.bind(client) as PostgresPoolClient['query'] };
    const db = new Kysely<unknown>({
      dialect: new PostgresDialect({
        pool: { options: {}, connect: async () => ({ ...connection, release() {} }), end: async () => {} },
      }),
      log: ({ query }) => void statements.push(query.sql),
    });
    for (const [name, migration] of Object.entries({ ...MIGRATIONS, ...NEXT_MIGRATIONS })) {
      statements.length = 0;
      await migration.up(db);
      if (name === '0001-initial') continue;
      expect(brokenRules({ ...migration, statements }), name).toEqual([]);
    }
    await db.destroy();
  });
});
