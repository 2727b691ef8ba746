import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { revokeApiKey } from '../src/features/api-keys/api-keys.js';
import { actingAs, listAuditEntries, recordAudit } from '../src/features/audit/audit.js';
import { proveEmail } from '../src/features/memberships/claims.js';
import { readTables, replaceTables } from '../src/features/operator/table-contents.js';
import { recordAttempts } from '../src/features/webhooks/sending/record-attempts.js';
import type { Database } from '../src/platform/database/open-database.js';
import { inTransaction } from '../src/platform/database/transaction.js';
import { keyWith } from './api-key-requests.js';
import { publicTokens, refreshPublic } from './authorization-flow.js';
import { payFor } from './checkout-world.js';
import { postProvision, provision } from './provision-requests.js';
import { START } from './service-under-test.js';
import { itWithDatabase } from './service-with-database.js';

// Replacing the data leaves the log as it is, so each test has a log of its own.
const it = itWithDatabase.extend({ isAlone: true });

const { users, community, plans } = sandboxScenario;
const DAY = 24 * 3600_000;

const countOf = async (db: Database) => (await db.selectFrom('audit_entries').select('id').execute()).length;

describe('entry of the audit log', () => {
  it('is not stored if the change is rolled back, whatever else the transaction did', async ({
    service,
    db,
  }) => {
    const before = await countOf(db);
    const name = 'Rolled back';
    await expect(
      inTransaction(db, async (transaction) => {
        await recordAudit(transaction, { action: 'community.change', subjectId: community.id });
        await transaction.updateTable('communities').set({ name }).execute();
        throw new Error('Afterwards');
      }),
    ).rejects.toThrow('Afterwards');
    const plan = { communityId: community.id, name, priceMinor: 1, currency: 'EUR', periodDays: null };
    const taken = { ...plan, id: plans.monthly.id, renews: false, provider: 'card' } as const;
    await expect(service.server.operator.createPricingPlan(taken)).rejects.toThrow('Another');
    expect(await countOf(db)).toBe(before);
  });

  it('cannot be changed or deleted, and no replacement of the data removes it', async ({ db }) => {
    await recordAudit(db, { action: 'data.add', subjectId: null });
    const before = await db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
    expect(before.length).toBeGreaterThan(0);
    const rejected = 'The audit log is append-only.';
    await expect(db.updateTable('audit_entries').set({ action: 'x' }).execute()).rejects.toThrow(rejected);
    await expect(db.deleteFrom('audit_entries').execute()).rejects.toThrow(rejected);
    const { id } = before[0] ?? {};
    const oneRow = db.deleteFrom('audit_entries').where('id', '=', id ?? '');
    await expect(oneRow.execute()).rejects.toThrow(rejected);
    const again = db.insertInto('audit_entries').values(before.slice(0, 1));
    const upsert = again.onConflict((conflict) => conflict.column('id').doUpdateSet({ action: 'x' }));
    await expect(upsert.execute()).rejects.toThrow(rejected);
    const contents = await readTables(db);
    expect(Object.keys(contents)).not.toContain('audit_entries');
    await replaceTables(db, contents);
    await expect(replaceTables(db, { audit_entries: [] })).rejects.toThrow('no data table');
    const after = await db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.map(({ action }) => action)).toContain('data.replace');
  });

  it('names nobody for what the passing of time changes, with the time of the service', async ({
    service,
    db,
  }) => {
    await payFor(service);
    service.clock.advance(400 * DAY);
    await service.server.runBackgroundWork();
    const at = service.clock.now();
    const entries = await db.selectFrom('audit_entries').selectAll().where('created_at', '=', at).execute();
    expect(entries.map(({ action }) => action)).toContain('membership.end');
    expect(new Set(entries.map(({ actor_kind, actor_id }) => `${actor_kind} ${actor_id}`))).toEqual(
      new Set(['system null']),
    );
  });

  it('is written once for each change, and not for a repetition, a refresh or a rejected request', async ({
    service,
    db,
  }) => {
    const order = { email: 'order@example.com', externalOrderId: 'order-7', validUntil: undefined };
    await provision(service, order);
    const key = await service.server.operator.createApiKey({
      ...{ ownerId: users.dana.id, name: 'Bot', permissions: ['MEMBERSHIP_READ'] },
    });
    const own = { id: key.id, ownerId: users.dana.id };
    expect(await revokeApiKey(db, own, START)).toBe(true);
    const tokens = await publicTokens(service);
    const before = await countOf(db);
    await provision(service, order);
    expect(await revokeApiKey(db, own, START)).toBe(true);
    expect((await refreshPublic(service, tokens.refresh_token)).status).toBe(201);
    expect((await refreshPublic(service, 'unknown')).status).toBe(400);
    expect((await service.request('/sign-out', { method: 'POST' })).status).toBe(403);
    expect(await countOf(db)).toBe(before);
  });

  it('tells whose claims a person took over by proving the address', async ({ service, db }) => {
    const { id: ownerId } = await service.server.operator.createUser({ email: 'partner@example.com' });
    const { id: communityId } = await service.server.operator.createCommunity({ name: 'Tea', ownerId });
    await service.server.operator.change('users', ownerId, { mayProvision: true });
    const key = await keyWith(service, ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION'], ownerId);
    const email = 'named@example.com';
    const { userId: into } = await provision(service, { email });
    service.clock.advance(1000);
    const there = await postProvision(service, { email, communityId }, key);
    const { userId: subjectId } = (there.body as { data: { userId: string } }).data;
    expect((await proveEmail(db, email, START)).id).toBe(into);
    const { rows } = await listAuditEntries(db, { action: 'user.merge' });
    expect(rows).toMatchObject([{ subjectId, communityId, details: { into } }]);
  });

  it('tells when the service paused a webhook', async ({ service, db }) => {
    await provision(service, { email: 'order@example.com' });
    const delivery = await db
      .selectFrom('webhook_deliveries')
      .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
      .select(['webhook_deliveries.id', 'webhook_id as webhookId', 'webhooks.url'])
      .executeTakeFirstOrThrow();
    const failing = { failing_since: START - 30 * DAY, unanswered_attempts: 1000 };
    await db.updateTable('webhooks').set(failing).execute();
    const attempt = { id: 'attempt', attemptedAt: START, durationMs: 1, statusCode: 500, failure: '500' };
    await recordAttempts(db, [{ ...attempt, delivery: { ...delivery, leaseId: 'lease' } }], START);
    const { rows } = await listAuditEntries(db, { action: 'webhook.pause' });
    const pause = { subjectId: delivery.webhookId, actorKind: 'system', createdAt: START };
    expect(rows).toEqual([expect.objectContaining(pause)]);
  });
});

describe('list of the audit log', () => {
  it('has pages, newest first, by actor, subject, community and action', async ({ db }) => {
    const record = (subjectId: string, at: number) =>
      actingAs('visitor', { now: () => at }, () =>
        recordAudit(db, { action: 'signup.create', subjectId, communityId: 'c', details: { fields: [] } }),
      );
    for (let n = 1; n <= 5; n += 1) await record(`s${n}`, START + DAY + n);
    const first = await listAuditEntries(db, { communityId: 'c', limit: 2 });
    const second = await listAuditEntries(db, { communityId: 'c', limit: 2, after: first.next });
    const last = await listAuditEntries(db, { communityId: 'c', limit: 2, after: second.next });
    const pages = [first, second, last].map(({ rows }) => rows.map(({ subjectId }) => subjectId));
    expect(pages).toEqual([['s5', 's4'], ['s3', 's2'], ['s1']]);
    expect(last.next).toBeUndefined();
    const shown = { actorKind: 'visitor', actorId: null, subjectKind: 'signup', details: { fields: [] } };
    expect((await listAuditEntries(db, { subjectId: 's3' })).rows).toEqual([expect.objectContaining(shown)]);
    expect((await listAuditEntries(db, { actorId: 'nobody' })).rows).toEqual([]);
    expect((await listAuditEntries(db, { communityId: 'c', action: 'plan.create' })).rows).toEqual([]);
  });
});
