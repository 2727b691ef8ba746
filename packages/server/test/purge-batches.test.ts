import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import type { KyselyPlugin } from 'kysely';
import { describe, expect } from 'vitest';
import { createPurge, PURGE_BATCH_SIZE } from '../src/features/retention/purge.js';
import type { Schema } from '../src/migrations/schema.js';
import { sql } from '../src/platform/database/kysely.js';
import type { Database } from '../src/platform/database/open-database.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community, publicClient } = sandboxScenario;
const DAY = 24 * 3600_000;
const TABLES = [
  'token_pairs',
  'authorization_codes',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
] as const satisfies (keyof Schema)[];
const EXPIRED_PAIRS = 3 * PURGE_BATCH_SIZE + 1;
const EVENTS = 5;
const WEBHOOKS = 30;
const ATTEMPTS_PER_DELIVERY = 4;

async function inserted<Table extends keyof Schema>(
  db: Database,
  table: Table,
  rows: object[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 200) {
    await db
      .insertInto(table)
      .values(rows.slice(at, at + 200) as never)
      .execute();
  }
}

function pairOf(codeId: string, refreshExpiresAt: number) {
  return {
    id: randomUUID(),
    code_id: codeId,
    client_id: publicClient.clientId,
    user_id: users.ben.id,
    scope: 'memberships.read',
    access_token_hash: randomUUID(),
    access_expires_at: refreshExpiresAt,
    refresh_token_hash: randomUUID(),
    refresh_expires_at: refreshExpiresAt,
  };
}

function codeOf(id: string) {
  return {
    id,
    code_hash: randomUUID(),
    client_id: publicClient.clientId,
    user_id: users.ben.id,
    redirect_uri: 'https://shop.example/',
    scope: 'memberships.read',
    expires_at: START,
    spent_at: START,
  };
}

/**
 * Fills a database with more expired rows than a statement may delete, among rows that are kept: a code with a valid pair, and an
 * event with a pending delivery. The events have more deliveries, and those more attempts, than that too.
 */
async function fill(db: Database): Promise<void> {
  await db.deleteFrom('webhook_events').execute();
  const expired = Array.from({ length: EXPIRED_PAIRS }, () => pairOf(randomUUID(), START));
  const kept = codeOf(randomUUID());
  const codes = [kept, ...expired.slice(0, 10).map(({ code_id }) => codeOf(code_id))];
  await inserted(db, 'authorization_codes', codes);
  await inserted(db, 'token_pairs', [...expired, pairOf(kept.id, START + 90 * DAY)]);
  const webhooks = Array.from({ length: WEBHOOKS }, () => ({
    id: randomUUID(),
    owner_id: users.dana.id,
    community_id: community.id,
    url: 'https://shop.example/hooks',
    secret: 's',
    created_at: START,
  }));
  await inserted(db, 'webhooks', webhooks);
  const events = Array.from({ length: EVENTS }, () => ({
    id: randomUUID(),
    type: 'membership.created',
    community_id: community.id,
    body: '{}',
    created_at: START,
  }));
  await inserted(db, 'webhook_events', events);
  const deliveries = events.flatMap(({ id: event_id }, event) =>
    webhooks.map(({ id: webhook_id }, webhook) => ({
      id: randomUUID(),
      event_id,
      webhook_id,
      status: event === 0 && webhook === 0 ? 'pending' : 'delivered',
      next_attempt_at: START + 365 * DAY,
      created_at: START,
    })),
  );
  await inserted(db, 'webhook_deliveries', deliveries);
  const attempts = deliveries.flatMap(({ id: delivery_id }) =>
    Array.from({ length: ATTEMPTS_PER_DELIVERY }, () => ({
      id: randomUUID(),
      delivery_id,
      attempted_at: START,
      duration_ms: 3,
    })),
  );
  await inserted(db, 'webhook_attempts', attempts);
}

async function counts(db: Database): Promise<number[]> {
  const { rows } = await sql<Record<string, number>>`select ${sql.join(
    TABLES.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`),
  )}`.execute(db);
  return TABLES.map((table) => Number(rows[0]?.[table]));
}

/** Numbers of rows that the purge leaves of {@link fill}. */
const LEFT = [1, 1, 1, WEBHOOKS, WEBHOOKS * ATTEMPTS_PER_DELIVERY];

/** Returns the same database, which calls a function after each statement. */
function observed(db: Database, after: () => Promise<void>): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await after();
      return result;
    },
  };
  return db.withPlugin(plugin);
}

const never = new AbortController().signal;
const later = (service: ServiceUnderTest) => {
  service.clock.set(START + 60 * DAY);
  return service.clock;
};

describe('batches of the purge', () => {
  it('deletes at most a batch of rows in each statement, with the rows that belong to them', async ({
    service,
    db,
  }) => {
    await fill(db);
    let before = await counts(db);
    const deleted: number[] = [];
    const watched = observed(db, async () => {
      const now = await counts(db);
      deleted.push(before.reduce((sum, count, table) => sum + count - (now[table] ?? 0), 0));
      before = now;
    });
    await createPurge({ db: watched, clock: later(service) }).runOnce(never);
    expect(before).toEqual(LEFT);
    expect(Math.max(...deleted)).toBe(PURGE_BATCH_SIZE);
  });

  it('continues after a crash between any two of its statements', async ({ service, db }) => {
    await fill(db);
    const clock = later(service);
    let left = await counts(db);
    for (let statements = 1, isDone = false; !isDone; statements += 1) {
      let count = 0;
      const crashing = observed(db, async () => {
        count += 1;
        if (count === statements) throw new Error('The process ended.');
      });
      isDone = await createPurge({ db: crashing, clock })
        .runOnce(never)
        .then(
          () => true,
          () => false,
        );
      const now = await counts(db);
      // Nothing comes back, and what is kept stays.
      for (const [table, rows] of now.entries()) {
        expect(rows).toBeLessThanOrEqual(left[table] ?? 0);
        expect(rows).toBeGreaterThanOrEqual(LEFT[table] ?? 0);
      }
      left = now;
    }
    expect(left).toEqual(LEFT);
  });

  it('deletes each row once when several processes run it', async ({ service, db }) => {
    await fill(db);
    const clock = later(service);
    const pairs = (await counts(db))[0] ?? 0;
    const runs = Array.from({ length: 3 }, () => createPurge({ db, clock }).runOnce(never));
    const deleted = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);
    expect(deleted).toBeGreaterThanOrEqual(pairs - 1);
    expect(await counts(db)).toEqual(LEFT);
  });

  it('stops between two statements', async ({ service, db }) => {
    await fill(db);
    const stopping = new AbortController();
    let statements = 0;
    const stopped = observed(db, async () => {
      statements += 1;
      if (statements === 4) stopping.abort();
    });
    const before = await counts(db);
    await createPurge({ db: stopped, clock: later(service) }).runOnce(stopping.signal);
    expect(statements).toBe(4);
    expect((before[0] ?? 0) - ((await counts(db))[0] ?? 0)).toBe(2 * PURGE_BATCH_SIZE);
  });

  it('reads many kept rows once, and continues behind them until it is time to read them again', async ({
    service,
    db,
  }) => {
    const codes = Array.from({ length: 1_000 }, () => codeOf(randomUUID()));
    await inserted(db, 'authorization_codes', codes);
    await inserted(
      db,
      'token_pairs',
      codes.map(({ id }) => pairOf(id, START + 90 * DAY)),
    );
    const clock = later(service);
    // Deletes what the seeded scenario left.
    await createPurge({ db, clock }).runOnce(never);
    let statements = 0;
    const purge = createPurge({
      db: observed(db, async () => {
        statements += 1;
      }),
      clock,
    });
    const run = async () => {
      statements = 0;
      await purge.runOnce(never);
      return statements;
    };
    const first = await run();
    const second = await run();
    expect(first - second).toBe(1_000 / PURGE_BATCH_SIZE);
    // A code that has expired since.
    await inserted(db, 'authorization_codes', [
      { ...codeOf(randomUUID()), expires_at: START + 59 * DAY + 1 },
    ]);
    clock.set(clock.now() + 1);
    await run();
    expect((await counts(db))[1]).toBe(1_000);
    clock.set(clock.now() + 9_999);
    expect(await run()).toBe(first);
    // The pairs of all codes have expired. The walk that begins now finds them.
    clock.set(START + 91 * DAY);
    await run();
    expect((await counts(db)).slice(0, 2)).toEqual([0, 0]);
  });
});
