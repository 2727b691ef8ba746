import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { replaceTables } from '../../src/features/operator/table-contents.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { it } from '../webhook-world.js';

async function timeLimit(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db);
  return rows[0]?.statement_timeout;
}

describe('replacing all data on PostgreSQL', () => {
  it('has no time limit, which deleting thousands of rows would exceed', async ({ world: { db } }) => {
    const limits: unknown[] = [];
    await replaceTables(db, {}, async (transaction) => void limits.push(await timeLimit(transaction)));
    expect(limits).toEqual(['0']);
    expect(await timeLimit(db)).not.toBe('0');
  });
});
