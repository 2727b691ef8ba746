import { describe, expect } from 'vitest';
import { openDatabase } from '../src/platform/database/open-database.js';
import { hashToken } from '../src/platform/secrets.js';
import {
  callResource,
  confidentialTokens,
  publicTokens,
  refreshPublic,
  revoke as revokeWith,
  type TokenPairBody,
} from './authorization-flow.js';
import {
  CONFIDENTIAL,
  databaseUnderTest,
  it,
  type ReachableService,
  SECRET,
  startService,
} from './service-under-test.js';

const HOUR = 3600_000;
const WITH_TIME = 51;

const lengths = ({ access_token, refresh_token }: TokenPairBody) => [
  access_token.length,
  refresh_token.length,
];

const revoke = (service: ReachableService, token: string) =>
  revokeWith(service, { client_id: CONFIDENTIAL, client_secret: SECRET, token });

async function refreshed(service: ReachableService, pair: TokenPairBody): Promise<TokenPairBody> {
  const response = await refreshPublic(service, pair.refresh_token);
  expect(response.status).toBe(201);
  return (await response.json()) as TokenPairBody;
}

describe('tokens with a time', () => {
  it('are found and rotated', async ({ service }) => {
    const pair = await publicTokens(service);
    expect(lengths(pair)).toEqual([WITH_TIME, WITH_TIME]);
    const next = await refreshed(service, pair);
    expect((await refreshPublic(service, pair.refresh_token)).status).toBe(400);
    expect((await callResource(service, next.access_token)).status).toBe(200);
  });

  it.for(['access_token', 'refresh_token'] as const)('are revoked: %s', async (sent, { service }) => {
    const pair = await confidentialTokens(service);
    expect(lengths(pair)).toEqual([WITH_TIME, WITH_TIME]);
    expect((await revoke(service, pair[sent])).status).toBe(200);
    expect((await callResource(service, pair.access_token)).status).toBe(401);
  });

  it('are not found with the time of another one', async ({ service }) => {
    const pair = await publicTokens(service);
    await service.clock.advance(1);
    const other = await publicTokens(service);
    const mixed = `${other.access_token.slice(0, 8)}${pair.access_token.slice(8)}`;
    expect((await callResource(service, mixed)).status).toBe(401);
    expect((await callResource(service, pair.access_token)).status).toBe(200);
  });

  it('have hashes in the order of their times, and the database contains no part of the random bits', async () => {
    const database = await databaseUnderTest();
    const service = await startService({ database });
    const pairs = [await publicTokens(service)];
    for (let count = 0; count < 5; count += 1) {
      await service.clock.advance(HOUR / 2);
      pairs.push(await refreshed(service, pairs.at(-1) as TokenPairBody));
    }
    const db = await openDatabase(database);
    const rows = await db
      .selectFrom('token_pairs')
      .select(['access_token_hash', 'refresh_token_hash'])
      .orderBy('id')
      .execute();
    await db.destroy();
    await service.server.close();
    const stored = rows.map((row) => row.refresh_token_hash);
    expect(stored).toEqual(pairs.map((pair) => hashToken(pair.refresh_token)));
    expect(stored).toEqual(stored.toSorted());
    expect(rows.map((row) => row.access_token_hash)).toEqual(
      pairs.map((pair) => hashToken(pair.access_token)),
    );
    const text = JSON.stringify(rows);
    for (const { refresh_token } of pairs) expect(text).not.toContain(refresh_token.slice(8, 20));
  });
});
