import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../src/platform/database/open-database.js';

/** Returns every row of a database, and every byte of a file, which may still contain deleted data. */
export async function everythingStored(url: string): Promise<Buffer> {
  const db = await openDatabase(url);
  const tables = await db.introspection.getTables();
  const rows: unknown[] = [];
  for (const { name } of tables) {
    rows.push(...(await sql`select * from ${sql.table(name)}`.execute(db)).rows);
  }
  await db.destroy();
  return Buffer.concat([Buffer.from(JSON.stringify(rows)), ...filesOf(url)]);
}

function filesOf(url: string): Buffer[] {
  if (!url.startsWith('sqlite:')) return [];
  const folder = dirname(url.slice('sqlite:'.length));
  return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
}
