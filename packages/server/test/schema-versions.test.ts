import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { migrateDatabase, openOperator, readSchemaStatus, startServer } from '../src/index.js';
import { sql } from '../src/platform/database/kysely/kysely.js';
import { connectDatabase, type Database, openDatabase } from '../src/platform/database/open-database.js';
import { hasMigration } from '../src/platform/database/schema/has-migration.js';
import type { Migration } from '../src/platform/database/schema/migrations/migration.js';
import {
  BASE_MIGRATIONS,
  MIGRATIONS,
  SCHEMA_OF_RELEASES,
} from '../src/platform/database/schema/migrations.js';
import { recordMigration } from '../src/platform/database/schema/schema-status.js';
import { createSchemaWatch } from '../src/platform/database/schema/schema-watch.js';
import { defaultLogger } from '../src/platform/logging/logger.js';
import { migrateAs, nextVersion, PREVIOUS_VERSION, versionUpTo } from './database/schema-versions.js';
import { databaseUnderTest } from './service-under-test.js';

const baseUrl = 'https://members.example';

/** Adds a column to a table of this version. */
const addsColumn: Migration = {
  kind: 'expand',
  up: async (db) => void (await db.schema.alterTable('users').addColumn('motto', 'text').execute()),
};
/** Drops a column that this version writes. */
const dropsColumn: Migration = {
  kind: 'contract',
  up: async (db) => void (await db.schema.alterTable('users').dropColumn('name').execute()),
};

async function start(database: string, options: { migrate?: boolean } = {}): Promise<void> {
  const server = await startServer({
    database,
    port: 0,
    mailer: { send: async () => undefined },
    logger: { info() {}, warn() {}, error() {} },
    ...options,
  });
  await server.operator.createUser({ email: 'ada@members.example', name: 'Ada' });
  await server.close();
}

async function opened(url: string): Promise<Database> {
  const db = await connectDatabase(url);
  onTestFinished(() => db.destroy());
  return db;
}

/** Columns of all tables, to compare schemas. */
async function columnsOf(url: string): Promise<string[]> {
  const db = await opened(url);
  const tables = await db.introspection.getTables();
  return tables
    .flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} ${column.dataType}`))
    .sort();
}

describe('schema of the next version', () => {
  it('is used by the server and the operator, and left as it is, if it only has additions', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, nextVersion({ '9001-column': addsColumn }));
    await start(database);
    const { operator, close } = await openOperator({ database, baseUrl });
    await operator.createUser({ email: 'grace@members.example' });
    await close();
    expect(await migrateDatabase(database, { contract: true })).toEqual([]);
    expect(await readSchemaStatus(database)).toMatchObject({ unknown: ['9001-column'], incompatible: [] });
  });

  it('is rejected with its name if it lacks what this version uses', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, nextVersion({ '9001-column': addsColumn, '9002-no-name': dropsColumn }));
    expect(await readSchemaStatus(database)).toMatchObject({ incompatible: ['9002-no-name'] });
    for (const attempt of [
      () => migrateDatabase(database),
      () => openOperator({ database, baseUrl }),
      () => start(database),
      () => start(database, { migrate: false }),
    ]) {
      await expect(attempt()).rejects.toThrow(/migrations 9002-no-name of a newer version.*backup/);
    }
  });

  it('is used if it lacks only what earlier versions used', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    const [worksFrom = ''] = Object.keys(MIGRATIONS.migrations).slice(-1);
    const drops: Migration = { kind: 'contract', worksFrom, up: async () => undefined };
    await migrateAs(database, nextVersion({ '9001-less': drops }));
    await start(database);
  });

  it('is rejected by a version that cannot know what its migrations do', async () => {
    const database = await databaseUnderTest();
    await migrateDatabase(database);
    const db = await opened(database);
    await db.deleteFrom('migration_kinds').execute();
    await migrateAs(database, nextVersion({ '9001-column': addsColumn }));
    await db.deleteFrom('migration_kinds').execute();
    await expect(start(database)).rejects.toThrow('9001-column');
  });
});

describe('schema that changes while a server runs', { timeout: 120_000 }, () => {
  const readiness = async (port: number) => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return [response.status, await response.json()];
  };
  /** Milliseconds for which a process uses its last look at the schema. */
  const RESULT_MS = 5_000;
  const NOT_READY = [503, { status: 'schema does not fit this version' }];
  const READY = [200, { status: 'ready' }];

  it('ends the readiness of a process whose version it no longer supports, with the reason in the log', async () => {
    const { database, server, log } = await running();
    await migrateAs(database, nextVersion({ '9001-column': addsColumn }));
    await server.runBackgroundWork();
    expect(await readiness(server.port)).toEqual(READY);
    await contractUnseen(database);
    moveTimer(RESULT_MS);
    expect(await readiness(server.port)).toEqual(NOT_READY);
    const newest = Object.keys(MIGRATIONS.migrations).at(-1);
    expect(log.filter(({ level }) => level === 'error')).toEqual([
      {
        level: 'error',
        fields: { migrations: ['9002-no-name'], newestOfThisVersion: newest },
        message: expect.stringMatching(
          /no longer works on the schema.*migrations 9002-no-name of a newer version/,
        ),
      },
    ]);
  });

  it('ends the readiness with a backup of an earlier release, until its migrations have run', async () => {
    const { database, server, log } = await running();
    const db = await opened(database);
    const name = MIGRATIONS.previousRelease;
    await sql`delete from kysely_migration where name = ${name}`.execute(db);
    expect(await readiness(server.port)).toEqual(NOT_READY);
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-01-01T00:00:00.000Z')`.execute(
      db,
    );
    moveTimer(RESULT_MS);
    expect(await readiness(server.port)).toEqual(READY);
    expect(log.map(({ level, message }) => [level, message])).toEqual([
      ['error', expect.stringContaining(`lacks the migrations ${name}`)],
      ['info', expect.stringContaining('works on the schema of the database again')],
    ]);
  });

  it('is noticed by the background work, where nothing calls /readyz', async () => {
    const { database, server, log } = await running();
    await contractUnseen(database);
    await server.runBackgroundWork();
    expect(log.map(({ message }) => message)).toEqual([expect.stringContaining('9002-no-name')]);
  });

  /** Moves the timer of this process forward. */
  function moveTimer(milliseconds: number): void {
    const now = performance.now.bind(performance);
    const moved = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
    onTestFinished(() => moved.mockRestore());
  }

  /**
   * Does what `latchkey migrate --contract` of the next version does. On PostgreSQL the command rejects while it finds a
   * connection of the process. A process that has none at that moment is not found.
   */
  async function contractUnseen(database: string) {
    const db = await opened(database);
    const name = '9002-no-name';
    await db.schema.alterTable('users').dropColumn('name').execute();
    await recordMigration(db, name, { migration: dropsColumn, now: Date.now(), isDescribed: true });
  }

  async function running() {
    const database = await databaseUnderTest({ isMigrated: false });
    const log: { level: string; fields: object; message: string }[] = [];
    const write = (level: string) => (fields: object, message: string) =>
      void (message.includes('schema') && log.push({ level, fields, message }));
    const server = await startServer({
      ...{ database, port: 0, backgroundWork: false, mailer: { send: async () => undefined } },
      logger: { info: write('info'), warn: write('warn'), error: write('error') },
    });
    onTestFinished(() => server.close());
    await migrateDatabase(database, { contract: true });
    return { database, server, log };
  }
});

describe('schema of the previous release', () => {
  it('is used as it is on request, and again after its expand migrations', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, PREVIOUS_VERSION);
    const { required, pending } = await readSchemaStatus(database);
    expect(required).toEqual([]);
    await start(database, { migrate: false });
    expect((await readSchemaStatus(database)).pending).toEqual(pending);
    const { operator, close } = await openOperator({ database, baseUrl });
    await operator.createUser({ email: 'grace@members.example' });
    await close();
  });

  it('gets the expand migrations at a start, and the contract migrations on request', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, versionUpTo('0015-attempt-exchanges'));
    const { pendingContract } = await readSchemaStatus(database);
    expect(pendingContract).toContain('0017-sign-in-addresses');
    await start(database);
    expect(await readSchemaStatus(database)).toMatchObject({ pending: [], pendingContract });
    expect(await migrateDatabase(database)).toEqual([]);
    expect(await migrateDatabase(database, { contract: true })).toEqual(pendingContract);
    expect(await readSchemaStatus(database)).toMatchObject({ pending: [], pendingContract: [] });
  });

  it('becomes the schema of a new database', async () => {
    const upgraded = await databaseUnderTest({ isMigrated: false });
    await migrateAs(upgraded, PREVIOUS_VERSION);
    await migrateDatabase(upgraded);
    await migrateDatabase(upgraded, { contract: true });
    const created = await databaseUnderTest({ isMigrated: false });
    await migrateDatabase(created);
    expect(await columnsOf(upgraded)).toEqual(await columnsOf(created));
  });
});

describe('schema of an earlier release', () => {
  it('is rejected with the missing migrations, unless the server may migrate', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, versionUpTo('0014-seller-lists'));
    await expect(start(database, { migrate: false })).rejects.toThrow(
      /lacks the migrations 0015-attempt-exchanges.*Run "latchkey migrate"/,
    );
    await start(database);
  });
});

describe('hasMigration', () => {
  it('is true as soon as another process has applied the migration', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, versionUpTo('0015-attempt-exchanges'));
    const db = await opened(database);
    expect(await hasMigration(db, '0016-migration-kinds')).toBe(false);
    await migrateDatabase(database);
    expect(await hasMigration(db, '0016-migration-kinds')).toBe(true);
    expect(await db.transaction().execute((on) => hasMigration(on, '0016-migration-kinds'))).toBe(true);
  });

  it('remembers a missing migration as long as the caller allows', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, versionUpTo('0015-attempt-exchanges'));
    const db = await opened(database);
    const isThere = (maxAgeMs: number) => hasMigration(db, '0016-migration-kinds', { maxAgeMs });
    expect(await isThere(3600_000)).toBe(false);
    await migrateDatabase(database);
    expect(await isThere(3600_000)).toBe(false);
    expect(await isThere(0)).toBe(true);
    expect(await isThere(3600_000)).toBe(true);
  });

  it('is false again after a backup from before the migration was restored under the process', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateDatabase(database);
    const db = await opened(database);
    const name = '0020-timed-tokens';
    expect(await hasMigration(db, name)).toBe(true);
    await sql`delete from kysely_migration where name = ${name}`.execute(db);
    expect(await createSchemaWatch({ db, logger: defaultLogger }).fits()).toBe(true);
    expect(await hasMigration(db, name)).toBe(false);
  });
});

describe('failed migration', () => {
  it('keeps the schema and names the reason; the next run continues', async () => {
    const database = await databaseUnderTest();
    await migrateDatabase(database);
    const fails: Migration = {
      kind: 'expand',
      async up(db) {
        await db.schema.alterTable('users').addColumn('half', 'text').execute();
        throw new Error('half-way');
      },
    };
    const before = await columnsOf(database);
    await expect(migrateAs(database, nextVersion({ '9001-half': fails }))).rejects.toThrow('half-way');
    expect(await columnsOf(database)).toEqual(before);
    expect(await migrateAs(database, nextVersion({ '9001-half': addsColumn }))).toEqual(['9001-half']);
  });
});

describe('list of migrations', () => {
  it('has an entry for the released version, and each entry is a migration', () => {
    const names = Object.keys(MIGRATIONS.migrations);
    expect(names).toEqual(names.toSorted());
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(Object.keys(SCHEMA_OF_RELEASES)).toContain(version);
    for (const name of Object.values(SCHEMA_OF_RELEASES)) expect(names).toContain(name);
    expect(BASE_MIGRATIONS).toEqual(names.slice(0, BASE_MIGRATIONS.length));
  });

  it('contains the migration from which each contract migration works', () => {
    const names = Object.keys(MIGRATIONS.migrations);
    for (const [name, migration] of Object.entries(MIGRATIONS.migrations)) {
      if (migration.kind === 'contract') expect(names).toContain(migration.worksFrom ?? name);
    }
  });
});

describe('two processes that open a database of the previous release', () => {
  it('migrate it once', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await migrateAs(database, PREVIOUS_VERSION);
    const databases = await Promise.all([openDatabase(database), openDatabase(database)]);
    for (const db of databases) await db.destroy();
    expect((await readSchemaStatus(database)).pending).toEqual([]);
  });
});
