import { sandboxScenario } from '@latchkey/sandbox';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import {
  callResource,
  errorOf,
  postToken,
  publicCode,
  publicRedemption,
  publicTokens,
  refreshPublic,
} from './authorization-flow.js';
import { allowInserts, refuseInserts } from './database/refuse-inserts.js';
import { databaseUnderTest, PUBLIC, startService } from './service-under-test.js';

describe('failed transaction', () => {
  test('is rolled back completely', async ({ onTestFinished }) => {
    const db = await openDatabase(await databaseUnderTest());
    onTestFinished(() => db.destroy());
    const failing = inTransaction(db, async (transaction) => {
      await transaction.insertInto('communities').values({ id: 'c', name: 'Club', created_at: 0 }).execute();
      throw new Error('half-way');
    });
    await expect(failing).rejects.toThrow('half-way');
    expect(await db.selectFrom('communities').selectAll().execute()).toEqual([]);
  });

  test('leaves a code or refresh token usable for a later attempt', async ({ onTestFinished }) => {
    const database = await databaseUnderTest();
    const service = await startService({ database });
    onTestFinished(() => service.server.close());
    const pair = await publicTokens(service);
    const redemption = publicRedemption(service, await publicCode(service));
    const db = await openDatabase(database);
    onTestFinished(() => db.destroy());

    await refuseInserts(db, 'token_pairs');
    const serverError = { status: 500, error: 'server_error' };
    expect(await errorOf(await postToken(service, redemption))).toEqual(serverError);
    expect(await errorOf(await refreshPublic(service, pair.refresh_token))).toEqual(serverError);
    expect((await callResource(service, pair.access_token)).status).toBe(200);

    await allowInserts(db, 'token_pairs');
    expect((await postToken(service, redemption)).status).toBe(201);
    expect((await refreshPublic(service, pair.refresh_token)).status).toBe(201);
  });
});

describe('deleted row', () => {
  test.for([
    ['client', 'oauth_clients', 'client_id', PUBLIC],
    ['user', 'users', 'id', sandboxScenario.users.ada.id],
  ] as const)('of a %s deletes its tokens', async ([, table, column, value]) => {
    const database = await databaseUnderTest();
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
