import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDatabaseUnavailable } from '../../src/platform/database/database-unavailable.js';
import { type Database, openDatabase } from '../../src/platform/database/open-database.js';
import { databaseUnderTest } from '../service-under-test.js';

/** Connections that the server accepts from the role. */
const ACCEPTED = 3;
/** Connections that each pool wants. */
const WANTED = 10;

/** Opens the database as a role with few connections. */
async function openAsLimitedRole(): Promise<{ owner: Database; open(): Promise<Database> }> {
  const url = await databaseUnderTest();
  const owner = await openDatabase(url);
  const role = `few_${randomBytes(6).toString('hex')}`;
  await sql`create role ${sql.id(role)} login password 'few' connection limit ${sql.lit(ACCEPTED)}`.execute(
    owner,
  );
  await sql`grant select on all tables in schema public to ${sql.id(role)}`.execute(owner);
  const limited = new URL(url);
  limited.username = role;
  limited.password = 'few';
  limited.searchParams.set('connection_limit', String(WANTED));
  const opened: Database[] = [];
  onTestFinished(async () => {
    for (const db of opened) await db.destroy();
    await sql`drop owned by ${sql.id(role)}`.execute(owner);
    await sql`drop role ${sql.id(role)}`.execute(owner);
    await owner.destroy();
  });
  const open = async () => {
    const db = await openDatabase(limited.href);
    opened.push(db);
    return db;
  };
  return { owner, open };
}

describe('PostgreSQL that accepts fewer connections than the pool wants', () => {
  it('answers every request over the connections that it accepts', async () => {
    const { open } = await openAsLimitedRole();
    const db = await open();
    const answers = await Promise.allSettled(
      Array.from({ length: 200 }, () => sql`select pg_sleep(0.01), count(*) from users`.execute(db)),
    );
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('fails at once with a temporary error if all of them belong to other processes', async () => {
    const { open } = await openAsLimitedRole();
    const busy = await open();
    await Promise.all(Array.from({ length: ACCEPTED }, () => sql`select pg_sleep(0.2)`.execute(busy)));
    await expect(open()).rejects.toSatisfy(
      (error: Error) => isDatabaseUnavailable(error) || isDatabaseUnavailable(error.cause),
    );
  });
});
