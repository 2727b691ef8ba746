import { type Kysely, sql } from '../kysely/kysely.js';
import { hasRowLocks } from '../kysely/row-locks.js';
import { MIGRATIONS } from './migrations.js';
import type { Schema } from './schema.js';

const SERVICE = 'latchkey';

/** Name of the service's connections in PostgreSQL. It contains the newest migration of the process's version. */
export const APPLICATION_NAME = `${SERVICE} ${Object.keys(MIGRATIONS).at(-1)}`;

/**
 * Lists the processes of earlier versions that are connected to a PostgreSQL database. A process without a connection is not
 * found, but its background work connects every few seconds. SQLite does not list its connections.
 *
 * @param worksFrom a migration that earlier versions do not contain.
 * @returns the newest migration of each version.
 */
export async function olderProcesses(db: Kysely<Schema>, worksFrom: string): Promise<string[]> {
  if (!hasRowLocks(db)) return [];
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${`${SERVICE} `})
    order by 1`.execute(db);
  return rows.map(({ name }) => name.slice(SERVICE.length + 1)).filter((newest) => newest < worksFrom);
}
