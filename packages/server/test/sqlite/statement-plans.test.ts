import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { deleteAccount } from '../../src/features/account-deletion/delete-account.js';
import { listAuditEntries } from '../../src/features/audit/audit.js';
import { isStillRenewing } from '../../src/features/checkout/due-renewals.js';
import { deleteClient } from '../../src/features/clients/clients.js';
import { deleteProduct } from '../../src/features/products/product.queries.js';
import { createPurge } from '../../src/features/retention/purge.js';
import { exportUser } from '../../src/features/user-export/export-user.js';
import { listRecentFailures, readDeliveryBacklog } from '../../src/features/webhooks/log/deliveries.js';
import { listWebhooks, saveWebhook } from '../../src/features/webhooks/registration/webhooks.js';
import { createQueryId, type RootOperationNode, sql } from '../../src/platform/database/kysely.js';
import type { Database } from '../../src/platform/database/open-database.js';
import { storeEverythingOf } from '../database/store-everything-of.js';
import { START } from '../service-under-test.js';
import { itWithDatabase as it } from '../service-with-database.js';

// A statement that reads a whole table occupies the database the longer, the more members there are, and a stranger could send it again
// and again. The plans are those of SQLite. Both engines have the same indexes.

const { publicClient, users, webhooks } = sandboxScenario;
const DAY = 24 * 3600_000;

/** Tables whose rows are never deleted, so nothing has to find what refers to them. */
const NEVER_DELETED = ['communities', 'pricing_plans'];

it('an index finds the rows that refer to a deleted row', async ({ db }) => {
  const { rows } = await sql<{ column: string; target: string }>`
    select t.name || '.' || k."from" as "column", k."table" as target
    from sqlite_schema t, pragma_foreign_key_list(t.name) k
    where t.type = 'table' and not exists (
      select 1 from pragma_index_list(t.name) i, pragma_index_info(i.name) c
      left join sqlite_schema s on s.name = i.name
      where c.seqno = 0 and c.name = k."from"
        and (i.partial = 0 or s.sql like '% where ' || k."from" || ' is not null'))`.execute(db);
  expect(rows.filter(({ target }) => !NEVER_DELETED.includes(target))).toEqual([]);
});

it('no index is the beginning of another one', async ({ db }) => {
  const { rows } = await sql<{ index: string }>`
    with all_indexes as (
      select t.name as "table", i.name as "index", i."unique" as is_unique, i.partial as is_partial,
        (select group_concat(name) from (select name from pragma_index_info(i.name) order by seqno)) || ',' as columns
      from sqlite_schema t, pragma_index_list(t.name) i where t.type = 'table')
    select short."index" as "index" from all_indexes short
    join all_indexes long on long."table" = short."table" and long."index" <> short."index"
    where not short.is_unique and not short.is_partial and not long.is_partial
      and substr(long.columns, 1, length(short.columns)) = short.columns`.execute(db);
  expect(rows).toEqual([]);
});

describe('no statement reads a whole table', () => {
  it('to delete an account', async ({ service, db }) => {
    const id = await storePerson(service.server.operator, db);
    const request = { userId: id, deletedBy: { who: 'operator' } } as const;
    const plans = await plansOf(db, async (recording) => {
      expect(await deleteAccount(recording, request, START)).toEqual({ kind: 'deleted', isNew: true });
    });
    expect(scansOf(plans)).toEqual([]);
  });

  it('to export a user', async ({ service, db }) => {
    const userId = await storePerson(service.server.operator, db);
    const plans = await plansOf(db, async (recording) => {
      expect(await exportUser(recording, { userId }, START)).toMatchObject({ user: { id: userId } });
    });
    expect(scansOf(plans)).toEqual([]);
  });

  it('to delete a client', async ({ db }) => {
    const { clientId } = publicClient;
    const { owner_id: ownerId } = await db
      .selectFrom('oauth_clients')
      .select('owner_id')
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow();
    const plans = await plansOf(db, async (recording) => {
      expect(await deleteClient(recording, { clientId, ownerId })).toBe(true);
    });
    expect(scansOf(plans)).toEqual([]);
  });

  it('to delete a product that nobody bought', async ({ db }) => {
    const product = { id: randomUUID(), owner_id: users.dana.id, name: 'Beans', slug: 'beans', type: null };
    await db
      .insertInto('products')
      .values({ ...product, created_at: START })
      .execute();
    const plans = await plansOf(db, async (recording) => {
      const own = { productId: product.id, userId: product.owner_id };
      expect(await deleteProduct(recording, own)).toBe('deleted');
    });
    expect(scansOf(plans)).toEqual([]);
  });

  it.for(['actorId', 'subjectId', 'communityId'] as const)(
    'to list the audit log by %s',
    async (filter, { db }) => {
      const plans = await plansOf(db, async (recording) => {
        expect((await listAuditEntries(recording, { [filter]: 'unknown', after: 'x' })).rows).toEqual([]);
      });
      expect(scansOf(plans)).toEqual([]);
    },
  );

  it('to delete expired rows', async ({ service, db }) => {
    await storePerson(service.server.operator, db);
    const clock = { ...service.clock, now: () => START + 400 * DAY };
    const plans = await plansOf(db, async (recording) => {
      expect(
        await createPurge({ db: recording, clock }).runOnce(new AbortController().signal),
      ).toBeGreaterThan(10);
    });
    expect(scansOf(plans)).toEqual([]);
  });

  it('to find out whether a subscription still renews a membership', async ({ db }) => {
    const plans = await plansOf(db, async (recording) => {
      await isStillRenewing(recording, { subscription_id: 'unknown' });
    });
    expect(scansOf(plans)).toEqual([]);
  });
});

describe('the index of pending or failed deliveries', () => {
  const webhook = { id: webhooks.community.id, ownerId: users.dana.id };

  it.for([
    ['measures the backlog', (db: Database) => readDeliveryBacklog(db), ['due']],
    [
      'counts the deliveries of each webhook',
      (db: Database) => listWebhooks(db, webhook.ownerId),
      ['endpoint_due', 'failed'],
    ],
    [
      'finds recent failures',
      (db: Database) => listRecentFailures(db, webhook.ownerId, 5),
      ['endpoint_due', 'failed'],
    ],
    [
      'finds what a changed webhook lets wait',
      (db: Database) => saveWebhook(db, webhook, { isActive: false }, START),
      ['endpoint_due'],
    ],
  ] as const)('%s', async ([, run, indexes], { db }) => {
    const plans = await plansOf(db, run);
    for (const index of indexes) {
      expect(plans.map(({ step }) => step)).toContainEqual(
        expect.stringMatching(new RegExp(`INDEX webhook_deliveries_${index}\\b`)),
      );
    }
  });
});

/** Creates a user of whom most tables have a row. Returns the id. */
async function storePerson(
  operator: { createUser(user: { email: string; messengerUserId: number }): Promise<{ id: string }> },
  db: Database,
): Promise<string> {
  const person = { email: 'zora@example.com', messengerUserId: 987_654_321 };
  const { id } = await operator.createUser(person);
  await storeEverythingOf(db, { id, ...person, mark: 'zora' }, START);
  return id;
}

/** Step of the plan of a statement. */
interface PlanStep {
  readonly step: string;
  readonly statement: string;
}

/** Returns the steps of the plans of all statements that a function sends. */
async function plansOf(db: Database, run: (recording: Database) => Promise<unknown>): Promise<PlanStep[]> {
  const nodes: RootOperationNode[] = [];
  await run(
    db.withPlugin({
      transformQuery({ node }) {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  );
  expect(nodes).not.toEqual([]);
  const steps: PlanStep[] = [];
  for (const node of nodes) {
    const { sql: statement } = db.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(statement)}`.execute(db);
    steps.push(...rows.map(({ detail }) => ({ step: detail, statement })));
  }
  return steps;
}

/** Returns the steps that read all rows of a table, or a whole index. */
function scansOf(plans: readonly PlanStep[]): PlanStep[] {
  // json_each is the list of values that a statement got.
  return plans.filter(({ step }) => step.startsWith('SCAN ') && !step.includes('VIRTUAL TABLE'));
}
