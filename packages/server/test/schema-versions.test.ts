import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { migrateDatabase, openOperator, readSchemaStatus, startServer } from '../src/index.js';
import type { Migration } from '../src/migrations/migration.js';
import { MIGRATIONS } from '../src/migrations/migrations.js';
import { connectDatabase, type Database, openDatabase } from '../src/platform/database/open-database.js';
import { recordMigration } from '../src/platform/database/schema/schema-status.js';
import { becomeNextVersion, migrateAs, nextVersion } from './database/schema-versions.js';
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
    const [worksFrom = ''] = Object.keys(MIGRATIONS).slice(-1);
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
    const newest = Object.keys(MIGRATIONS).at(-1);
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

  it('ends the readiness with a backup that lacks a migration, until it has run', async () => {
    const { database, server, log } = await running();
    const db = await opened(database);
    const [name = ''] = Object.keys(MIGRATIONS);
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
    await recordMigration(db, name, { migration: dropsColumn, now: Date.now() });
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

describe('schema of the previous version', () => {
  // The connections of this process have the name of this version.
  const drops: Migration = { ...dropsColumn, worksFrom: '0001-initial' };
  const SAMPLE = { '9001-column': addsColumn, '9002-no-name': drops };

  it('is rejected with the missing migrations, unless the server may migrate', async () => {
    const database = await databaseUnderTest();
    becomeNextVersion({ '9001-column': addsColumn });
    await expect(start(database, { migrate: false })).rejects.toThrow(
      /lacks the migrations 9001-column.*Run "latchkey migrate"/,
    );
    await start(database);
    await (await openOperator({ database, baseUrl })).close();
  });

  it('gets the expand migrations at a start, and the contract migrations on request', async () => {
    const database = await databaseUnderTest();
    becomeNextVersion({ '9001-less': drops, '9002-column': addsColumn });
    await start(database);
    const pendingContract = ['9001-less'];
    expect(await readSchemaStatus(database)).toMatchObject({ pending: [], pendingContract });
    expect(await migrateDatabase(database)).toEqual([]);
    expect(await migrateDatabase(database, { contract: true })).toEqual(pendingContract);
    expect(await readSchemaStatus(database)).toMatchObject({ pending: [], pendingContract: [] });
  });

  it('becomes the schema of a new database', async () => {
    const upgraded = await databaseUnderTest();
    await migrateAs(upgraded, nextVersion(SAMPLE));
    await migrateAs(upgraded, nextVersion(SAMPLE), { contract: true });
    const created = await databaseUnderTest({ isMigrated: false });
    await migrateAs(created, nextVersion(SAMPLE));
    expect(await columnsOf(upgraded)).toEqual(await columnsOf(created));
  });

  it('is migrated once by two processes that open it', async () => {
    const database = await databaseUnderTest();
    becomeNextVersion({ '9001-column': addsColumn });
    const databases = await Promise.all([openDatabase(database), openDatabase(database)]);
    for (const db of databases) await db.destroy();
    expect((await readSchemaStatus(database)).pending).toEqual([]);
  });
});

describe('schema from before the first release', () => {
  it('is rejected with the way to create the database again', async () => {
    const database = await databaseUnderTest();
    const db = await opened(database);
    await sql`update kysely_migration set name = '0001-sign-in'`.execute(db);
    for (const attempt of [
      () => start(database),
      () => openOperator({ database, baseUrl }),
      () => migrateDatabase(database),
      () => readSchemaStatus(database),
    ]) {
      await expect(attempt()).rejects.toThrow(
        /before the first release.*0001-sign-in.*delete the file.*drop/,
      );
    }
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
  it('is in order, and contains the migration from which each contract migration works', () => {
    const names = Object.keys(MIGRATIONS);
    expect(names).toEqual(names.toSorted());
    for (const [name, migration] of Object.entries(MIGRATIONS)) {
      expect(name).toMatch(/^\d{4}-[a-z-]+$/);
      if (migration.kind === 'contract') expect(names).toContain(migration.worksFrom ?? name);
    }
  });
});
