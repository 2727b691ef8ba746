import { anyWebhookEventSchemas, type WebhookEvent } from '@latchkey/contract';
import { test as base } from 'vitest';
import { type Database, openDatabase } from '../src/platform/database/open-database.js';
import { takeTestDatabase } from './database/database-under-test.js';
import { endAtExit, type Lending, lend, type SharedService, startService } from './service-under-test.js';

export interface ServiceWithDatabase extends SharedService {
  readonly db: Database;
  readonly database: string;
}

/** `it` with a service, and a second connection to its database. */
export const itWithDatabase = base.extend<
  Omit<ServiceWithDatabase, 'end'> & { shared: ServiceWithDatabase } & Lending<ServiceWithDatabase>
>({
  isAlone: false,
  idle: [endAtExit, { scope: 'worker' }],
  shared: async ({ isAlone, idle }, use) => await lend({ isAlone, idle }, startWithDatabase, use),
  service: async ({ shared }, use) => await use(shared.service),
  db: async ({ shared }, use) => await use(shared.db),
  database: async ({ shared }, use) => await use(shared.database),
});

async function startWithDatabase(): Promise<ServiceWithDatabase> {
  const { url: database, giveBack } = await takeTestDatabase({ isShared: true });
  const service = await startService({ database });
  const db = await openDatabase(database);
  const restart = async () => {
    // No snapshot contains the mark, which `removeSandboxMark` changes.
    await db.updateTable('database_use').set({ use: 'sandbox' }).execute();
    return await service.restart();
  };
  return {
    ...{ service: { ...service, restart }, db, database },
    async end() {
      await db.destroy();
      await service.server.close();
      await giveBack();
    },
  };
}

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
