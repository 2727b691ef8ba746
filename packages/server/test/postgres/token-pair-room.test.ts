import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import { sql } from '../../src/platform/database/kysely.js';
import { START } from '../service-under-test.js';
import { itWithDatabase as it } from '../service-with-database.js';

const { users, publicClient } = sandboxScenario;
/** Token pairs that fill several pages. */
const PAIRS = 200;

it('keeps the rotated pairs of a full table on their pages, without new entries in the indexes', async ({
  service: _,
  db,
}) => {
  const pairs = Array.from({ length: PAIRS }, () => ({
    id: randomUUID(),
    code_id: randomUUID(),
    client_id: publicClient.clientId,
    user_id: users.ben.id,
    scope: 'memberships.read',
    access_token_hash: `${randomUUID()}${randomUUID()}`,
    access_expires_at: START,
    refresh_token_hash: `${randomUUID()}${randomUUID()}`,
    refresh_expires_at: START,
  }));
  await db.insertInto('token_pairs').values(pairs).execute();
  const rotated = pairs.filter((_pair, index) => index % 20 === 0).map(({ id }) => id);
  const { rows } = await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('token_pairs')
      .set({ refresh_spent_at: START, access_revoked_at: START })
      .where('id', 'in', rotated)
      .execute();
    return await sql<{ hot: number }>`
      select pg_stat_get_xact_tuples_hot_updated('token_pairs'::regclass) as hot`.execute(transaction);
  });
  expect(rows).toEqual([{ hot: rotated.length }]);
});
