import { describe, expect, it } from 'vitest';
import { migrateDatabase, openOperator, readSchemaStatus, startServer } from '../src/index.js';
import { connectDatabase } from '../src/platform/database/open-database.js';
import { databaseUnderTest, startService } from './service-under-test.js';

const baseUrl = 'https://members.example';

/** Adds a migration record of a later version. */
async function migrateByNewerVersion(database: string): Promise<void> {
  const db = await connectDatabase(database);
  const later = { name: '9999-of-a-later-version', timestamp: '2030-01-01T00:00:00.000Z' };
  await db
    .insertInto('kysely_migration' as 'users')
    .values(later as never)
    .execute();
  await db.destroy();
}

describe('operator without a server', () => {
  it('works on the database of a running server, which sees the change at once', async ({
    onTestFinished,
  }) => {
    const database = await databaseUnderTest();
    const service = await startService({ database });
    onTestFinished(() => service.server.close());
    const { operator, close } = await openOperator({ database, baseUrl });
    const { id } = await operator.createUser({ email: 'new@example.com' });
    const { clientId } = await operator.registerClient({
      type: 'public',
      name: 'New',
      scopes: ['memberships.read'],
      redirectUris: [],
      widgetOrigins: ['https://shop.example'],
      hostedCallback: true,
      ownerId: id,
    });
    await close();
    expect((await service.request(`/oauth/client/${clientId}`)).status).toBe(200);
  });

  it('rejects a database that lacks migrations and names the command to run', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    await (await connectDatabase(database)).destroy();
    await expect(openOperator({ database, baseUrl })).rejects.toThrow(/0001-initial.*latchkey migrate/);
    expect((await readSchemaStatus(database)).applied).toEqual([]);
  });

  it('reports an unusable base URL', async () => {
    await expect(
      openOperator({ database: 'sqlite::memory:', baseUrl: 'http://members.example' }),
    ).rejects.toThrow(/"baseUrl"/);
  });
});

describe('database schema', () => {
  it('is upgraded once, and the migrations are reported', async () => {
    const database = await databaseUnderTest({ isMigrated: false });
    const applied = await migrateDatabase(database);
    expect(applied).toContain('0001-initial');
    expect(await migrateDatabase(database)).toEqual([]);
    expect(await readSchemaStatus(database)).toEqual({
      applied,
      pending: [],
      pendingContract: [],
      unknown: [],
      incompatible: [],
    });
  });

  it('of a later version is rejected by the server, the operator and the migrations of this version', async () => {
    const database = await databaseUnderTest();
    await migrateDatabase(database);
    await migrateByNewerVersion(database);
    expect((await readSchemaStatus(database)).unknown).toEqual(['9999-of-a-later-version']);
    for (const attempt of [
      () => migrateDatabase(database),
      () => openOperator({ database, baseUrl }),
      () => startServer({ database, mailer: { send: async () => undefined }, port: 0 }),
    ]) {
      await expect(attempt()).rejects.toThrow(/9999-of-a-later-version.*newer version/);
    }
  });
});
