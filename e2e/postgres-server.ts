import { moduleText, STARTS_MS } from './running-command.js';
import { expect } from './world.js';

/** Starts a PostgreSQL server for one test. */
export async function startPostgresServer(): Promise<{ database: string; close(): Promise<void> }> {
  const command = moduleText(
    `import { startEmbeddedPostgres } from './packages/server/test/database/embedded-postgres.ts';
     const server = await startEmbeddedPostgres({ fsync: 'off' });
     console.log(server.url);
     process.once('SIGINT', () => server.stop().then(() => process.exit()));
     setInterval(() => {}, 1000);`,
    {},
  );
  await expect.poll(command.printed, { timeout: STARTS_MS }).toContain('postgres://');
  const [database = ''] = command.printed().match(/postgres:\/\/\S+/) ?? [];
  return { database, close: command.stop };
}
