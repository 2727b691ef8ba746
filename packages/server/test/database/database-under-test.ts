import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/platform/database/open-database.js';
import type { TestPostgres } from './postgres-cluster.js';

/** Empty database with the newest schema, of the engine under test. */
export interface TestDatabase {
  /** Database URL for `startServer` and `openDatabase`. */
  readonly url: string;
  /** Releases the database after every connection has closed. */
  giveBack(): Promise<void>;
}

/** Options of {@link databaseUnderTest}. */
export interface DatabaseUnderTestOptions {
  /** @default true */
  isMigrated?: boolean;
  /**
   * Registers the cleanup.
   * @default the cleanup runs at the end of the test
   */
  onFinished?: (end: () => void | Promise<void>) => void;
}

/**
 * Returns the URL of a database that several servers or processes can share, of the engine under test. It is
 * a new file or an empty PostgreSQL database. It has the newest schema unless `isMigrated` is false. It is
 * deleted when the test has finished.
 */
export async function databaseUnderTest({
  isMigrated = true,
  onFinished = onTestFinished,
}: DatabaseUnderTestOptions = {}): Promise<string> {
  const postgres = inject('postgres');
  if (postgres === undefined) {
    const { url, remove } = await createFile(isMigrated);
    onFinished(remove);
    return url;
  }
  const { name, url } = await createDatabase(postgres, isMigrated);
  onFinished(async () => void (await runOnServer(postgres, `drop database ${name} with (force)`)));
  return url;
}

/**
 * Returns a database for one server, or for several if it is shared. It is in memory, a file, or a PostgreSQL
 * database that later tests reuse.
 */
export async function takeTestDatabase({ isShared = false } = {}): Promise<TestDatabase> {
  const postgres = inject('postgres');
  if (postgres === undefined) {
    if (!isShared) return { url: 'sqlite::memory:', giveBack: async () => undefined };
    const { url, remove } = await createFile(true);
    return { url, giveBack: async () => remove() };
  }
  const database = idle.pop() ?? (await openReusable(postgres));
  return {
    url: database.url,
    async giveBack() {
      // A test that breaks the schema, for example by dropping a table, leaves a database that cannot be reused.
      if (
        await database.empty().then(
          () => true,
          () => false,
        )
      )
        idle.push(database);
    },
  };
}

/** Creates a folder for a SQLite file. A copy of a migrated file saves the migrations. */
async function createFile(isMigrated: boolean): Promise<{ url: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  const file = join(folder, 'service.sqlite');
  if (isMigrated) {
    migratedFile ??= readMigratedFile();
    writeFileSync(file, await migratedFile, { mode: 0o600 });
  }
  return { url: `sqlite:${file}`, remove: () => rmSync(folder, { recursive: true }) };
}

/** Content of a file with the newest schema and no rows. */
let migratedFile: Promise<Buffer> | undefined;

async function readMigratedFile(): Promise<Buffer> {
  const { url, remove } = await createFile(false);
  await (await openDatabase(url)).destroy();
  const content = readFileSync(url.slice('sqlite:'.length));
  remove();
  return content;
}

/** Emptying a database takes a twentieth of the time of creating one. */
const idle: ReusableDatabase[] = [];

interface ReusableDatabase {
  url: string;
  /** Deletes every row. */
  empty(): Promise<void>;
}

async function openReusable(postgres: TestPostgres): Promise<ReusableDatabase> {
  const { url } = await createDatabase(postgres, true);
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  pool.on('error', ignoreLostConnection);
  const { rows } = await pool.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = 'public' and tablename not in ('kysely_migration', 'migration_kinds')",
  );
  const deletions = [
    'begin',
    // Without it, the triggers of the audit log would reject the deletion. Only a superuser can set it.
    'set local session_replication_role = replica',
    ...rows.map(({ tablename }) => `delete from ${tablename}`),
    'commit',
  ].join('; ');
  return { url, empty: async () => void (await pool.query(deletions)) };
}

async function createDatabase(
  postgres: TestPostgres,
  isMigrated: boolean,
): Promise<{ name: string; url: string }> {
  const url = new URL(postgres.url);
  const template = isMigrated ? url.pathname.slice(1) : 'template0';
  const name = `${postgres.prefix}_${randomBytes(6).toString('hex')}`;
  await runOnServer(postgres, `create database ${name} template ${template} strategy file_copy`);
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

let server: pg.Pool | undefined;

async function runOnServer({ url: templateUrl }: TestPostgres, statement: string): Promise<void> {
  const url = new URL(templateUrl);
  url.pathname = '/postgres';
  server ??= new pg.Pool({ connectionString: url.href, max: 2, allowExitOnIdle: true }).on(
    'error',
    ignoreLostConnection,
  );
  await server.query(statement);
}

/** The server stops at the end of the run, possibly before the process that holds the connection. */
function ignoreLostConnection(): void {}
