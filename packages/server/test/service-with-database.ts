import { anyWebhookEventSchemas, type WebhookEvent } from '@latchkey/contract';
import { test as base } from 'vitest';
import { type Database, openDatabase } from '../src/platform/database/open-database.js';
import { takeTestDatabase } from './database/database-under-test.js';
import { type ServiceUnderTest, startService } from './service-under-test.js';

/** `it` with a service, and a second connection to its database. */
export const itWithDatabase = base.extend<{ service: ServiceUnderTest; db: Database; database: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  database: async ({}, use) => {
    const { url, giveBack } = await takeTestDatabase({ isShared: true });
    await use(url);
    await giveBack();
  },
  service: async ({ database }, use) => {
    const service = await startService({ database });
    await use(service);
    await service.server.close();
  },
  db: async ({ database, service: _ }, use) => {
    const db = await openDatabase(database);
    await use(db);
    await db.destroy();
  },
});

/** Removes the sandbox mark from a database, because a real service rejects a sandbox's database. */
export async function removeSandboxMark(db: Database): Promise<void> {
  await db.updateTable('database_use').set({ use: 'service' }).execute();
}

/** Membership events of one user, oldest first and in any order within one moment, each in its exact form. */
export async function membershipEventsOf(db: Database, userId: string): Promise<WebhookEvent[]> {
  const rows = await db.selectFrom('webhook_events').select('body').orderBy('created_at').execute();
  return rows
    .map(({ body }) => anyWebhookEventSchemas.strict.parse(JSON.parse(body)))
    .filter(({ type, data }) => type.startsWith('membership.') && 'user' in data && data.user.sub === userId);
}
