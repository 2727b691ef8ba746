import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../src/database/open-database.js';
import { sandboxScenario } from '../src/index.js';
import {
  callResource,
  errorOf,
  postToken,
  publicCode,
  publicRedemption,
  publicTokens,
  refreshPublic,
} from './authorization-flow.js';
import { PUBLIC, startService } from './service-under-test.js';

function temporaryFile(onTestFinished: (end: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return `sqlite:${join(folder, 'service.sqlite')}`;
}

describe('a database file', () => {
  test('keeps what it acknowledged, lets readers through beside a writer, and enforces its references', async ({
    onTestFinished,
  }) => {
    const db = await openDatabase(temporaryFile(onTestFinished));
    onTestFinished(() => db.destroy());
    const pragma = async (name: string) =>
      Object.values((await sql.raw<object>(`PRAGMA ${name}`).execute(db)).rows[0] ?? {})[0];
    expect(await pragma('synchronous')).toBe(2);
    expect(await pragma('journal_mode')).toBe('wal');
    expect(await pragma('foreign_keys')).toBe(1);
    const orphan = { community_id: 'none', user_id: 'none', role: 'OWNER', is_active: 1 } as const;
    await expect(db.insertInto('community_roles').values(orphan).execute()).rejects.toThrow(/FOREIGN KEY/);
  });

  test('is its owner’s alone, and so are the files beside it', async ({ onTestFinished }) => {
    const url = temporaryFile(onTestFinished);
    const db = await openDatabase(url);
    onTestFinished(() => db.destroy());
    const path = url.slice('sqlite:'.length);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is brought to the newest schema once, and opens again', async ({ onTestFinished }) => {
    const url = temporaryFile(onTestFinished);
    await (await openDatabase(url)).destroy();
    const db = await openDatabase(url);
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([]);
    await db.destroy();
  });
});

describe('a transaction that fails', () => {
  test('leaves nothing of itself behind', async ({ onTestFinished }) => {
    const db = await openDatabase(temporaryFile(onTestFinished));
    onTestFinished(() => db.destroy());
    const failing = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('communities').values({ id: 'c', name: 'Club', created_at: 0 }).execute();
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await db.selectFrom('communities').selectAll().execute()).toEqual([]);
  });

  test('of a code or a refresh token spends neither: both can be used once tokens can be written again', async ({
    onTestFinished,
  }) => {
    const database = temporaryFile(onTestFinished);
    const service = await startService({ database });
    onTestFinished(() => service.server.close());
    const pair = await publicTokens(service);
    const redemption = publicRedemption(service, await publicCode(service));
    const db = await openDatabase(database);
    onTestFinished(() => db.destroy());

    await sql`CREATE TRIGGER full_disk BEFORE INSERT ON token_pairs BEGIN SELECT RAISE(ABORT, 'full'); END`.execute(
      db,
    );
    const serverError = { status: 500, error: 'server_error' };
    expect(await errorOf(await postToken(service, redemption))).toEqual(serverError);
    expect(await errorOf(await refreshPublic(service, pair.refresh_token))).toEqual(serverError);
    expect((await callResource(service, pair.access_token)).status).toBe(200);

    await sql`DROP TRIGGER full_disk`.execute(db);
    expect((await postToken(service, redemption)).status).toBe(201);
    expect((await refreshPublic(service, pair.refresh_token)).status).toBe(201);
  });
});

describe('a deleted row', () => {
  test.for([
    ['client', 'oauth_clients', 'client_id', PUBLIC],
    ['user', 'users', 'id', sandboxScenario.users.ada.id],
  ] as const)('of a %s ends its tokens', async ([, table, column, value], { onTestFinished }) => {
    const database = temporaryFile(onTestFinished);
    const service = await startService({ database });
    const { access_token, refresh_token } = await publicTokens(service);
    const db = await openDatabase(database);
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db);
    await db.destroy();
    expect((await callResource(service, access_token)).status).toBe(401);
    expect((await errorOf(await refreshPublic(service, refresh_token))).status).toBeGreaterThanOrEqual(400);
    await service.server.close();
  });
});
