import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { assignRole } from '../src/features/communities/roles.js';
import { changeWebhook } from '../src/features/operator/developer-writes.js';
import { createOperator } from '../src/features/operator/operator.js';
import { findDelivery, listDeliveries, scheduleRedelivery } from '../src/features/webhooks/log/deliveries.js';
import { deleteWebhook, findWebhook, listWebhooks } from '../src/features/webhooks/registration/webhooks.js';
import type { Operator } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { defaultLogger } from '../src/platform/logging/logger.js';
import { emit, membershipCreated, withDatabase } from './emitted-events.js';
import { START } from './service-under-test.js';

const { users, community, products } = sandboxScenario;
const URL_1 = 'https://shop.example/webhooks';
const OWN = { ownerId: users.dana.id, communityId: community.id };

/** `it` with the functions of the developer area, on the database of a service outside of the sandbox. */
const it = withDatabase.extend<{ hooks: Hooks }>({
  hooks: async ({ db, clock }, use) => {
    const policies = { serviceNames: DEFAULT_SERVICE_NAMES, webhookPolicy: { allowLoopback: false } };
    const needs = { baseUrl: 'https://service.example', clock, db, logger: defaultLogger, ...policies };
    await use({
      db,
      register: createOperator(needs).createWebhook,
      save: (key, changes = {}) => changeWebhook(needs, key, changes),
    });
  },
});
type WebhookKey = Parameters<typeof changeWebhook>[1];
type WebhookChanges = Parameters<typeof changeWebhook>[2];
interface Hooks {
  db: Database;
  register: Operator['createWebhook'];
  save: (key: WebhookKey, changes?: WebhookChanges) => ReturnType<typeof changeWebhook>;
}

describe('registration of a webhook', () => {
  it('returns a secret of 64 hex characters, and returns it again only on saving', {
    tags: ['webhook.secret-format', 'webhook.secret-shown'],
  }, async ({ hooks }) => {
    const { id, secret } = await hooks.register({ ...OWN, url: URL_1 });
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(await listWebhooks(hooks.db, users.dana.id))).not.toContain(secret);
    expect(await hooks.save({ id, ownerId: users.dana.id })).toEqual({ secret });
    expect(await hooks.save({ id, ownerId: users.dana.id }, { url: `${URL_1}/2` })).toEqual({ secret });
    const { secret: rotated } = await hooks.save({ id, ownerId: users.dana.id }, { rotateSecret: true });
    expect(rotated).toMatch(/^[0-9a-f]{64}$/);
    expect(rotated).not.toBe(secret);
  });

  it('is possible only for the OWNER of a community and the seller of a product', {
    tags: ['webhook.registered-by-owner'],
  }, async ({ hooks }) => {
    const sells = { ownerId: users.dana.id, productId: products.brewGuide.id };
    await expect(hooks.register({ ...OWN, url: URL_1 })).resolves.toBeDefined();
    await expect(hooks.register({ ...sells, url: URL_1 })).resolves.toBeDefined();
    for (const subject of [
      { ownerId: users.ben.id, communityId: community.id },
      { ownerId: users.ben.id, productId: products.brewGuide.id },
      { ownerId: users.dana.id, communityId: users.dana.id },
    ]) {
      await expect(hooks.register({ ...subject, url: URL_1 })).rejects.toMatchObject({ code: 'not_found' });
    }
    const { db } = hooks;
    const role = { communityId: community.id, userId: users.ben.id };
    await assignRole(db, { ...role, role: 'ADMIN', isActive: true });
    const admin = { ownerId: users.ben.id, communityId: community.id, url: URL_1 };
    await expect(hooks.register(admin)).rejects.toMatchObject({ code: 'not_found' });
    await assignRole(db, { ...role, role: 'OWNER', isActive: false });
    await expect(hooks.register(admin)).rejects.toMatchObject({ code: 'not_found' });
    await assignRole(db, { ...role, role: 'OWNER', isActive: true });
    await expect(hooks.register(admin)).resolves.toBeDefined();
  });

  it('requires one target, a free id and a well-formed secret', async ({ hooks }) => {
    const refuse = (webhook: object, code: string) =>
      expect(hooks.register({ ...OWN, url: URL_1, ...webhook })).rejects.toMatchObject({ code });
    await refuse({ productId: products.brewGuide.id }, 'invalid_input');
    await expect(hooks.register({ ownerId: users.dana.id, url: URL_1 })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await refuse({ secret: 'f'.repeat(63) }, 'invalid_input');
    await refuse({ secret: 'F'.repeat(64) }, 'invalid_input');
    const { id } = await hooks.register({ ...OWN, url: URL_1 });
    await refuse({ id }, 'already_exists');
  });

  it('is limited to ten per community, and products have their own limit', async ({ hooks }) => {
    for (let count = 0; count < 10; count += 1) await hooks.register({ ...OWN, url: URL_1 });
    await expect(hooks.register({ ...OWN, url: URL_1 })).rejects.toMatchObject({ code: 'invalid_input' });
    expect((await listWebhooks(hooks.db, users.dana.id)).rows).toHaveLength(10);
    const product = { ownerId: users.dana.id, productId: products.brewGuide.id };
    await expect(hooks.register({ ...product, url: URL_1 })).resolves.toBeDefined();
  });

  it.for([
    ['http://shop.example/webhooks', 'https://'],
    ['http://localhost:4402/webhooks', 'https://'],
    ['ftp://shop.example/', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['/webhooks', 'whole URL'],
    ['', 'whole URL'],
    ['https://user:secret@shop.example/', 'user name or password'],
    ['https://*.shop.example/', 'wildcard'],
    ['https://shop.example/#part', 'fragment'],
    ['https://shop.example/#', 'fragment'],
    [`https://shop.example/${'x'.repeat(2048)}`, 'longer than 2048'],
    ['https://localhost/', 'public address'],
    ['https://shop.localhost/', 'public address'],
    ['https://127.0.0.1/', 'public address'],
    ['https://2130706433/', 'public address'],
    ['https://0x7f.1/', 'public address'],
    ['https://10.1.2.3:8443/', 'public address'],
    ['https://169.254.169.254/latest/meta-data/', 'public address'],
    ['https://[::1]/', 'public address'],
    ['https://[::ffff:10.0.0.1]/', 'public address'],
    ['https://[fd00:ec2::254]/', 'public address'],
  ])('rejects the URL %s', async ([url = '', word = ''], { hooks }) => {
    await expect(hooks.register({ ...OWN, url })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(word),
    });
    const { id } = await hooks.register({ ...OWN, url: URL_1 });
    await expect(hooks.save({ id, ownerId: users.dana.id }, { url })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it.for([
    ['https://shop.example/webhooks?a=b'],
    ['https://shop.example:8443/'],
    ['https://93.184.216.34/'],
    ['https://[2606:2800:220:1::1]/'],
    [' https://shop.example/spaced '],
  ])('accepts the URL %s', async ([url = ''], { hooks }) => {
    const { id } = await hooks.register({ ...OWN, url });
    expect(await findWebhook(hooks.db, { id, ownerId: users.dana.id })).toMatchObject({
      url: url.trim(),
    });
  });
});

describe('registered webhook', () => {
  it('is visible to its owner only', async ({ hooks, db }) => {
    const { id } = await hooks.register({ ...OWN, url: URL_1 });
    await emit(db, membershipCreated(), START);
    const [delivery] = await listDeliveries(hooks.db, { id, ownerId: users.dana.id }, 10);
    const stranger = { id, ownerId: users.ben.id };
    const theirs = { id: delivery?.id ?? '', ownerId: users.ben.id };
    expect(await findWebhook(hooks.db, stranger)).toBeUndefined();
    expect((await listWebhooks(hooks.db, users.ben.id)).rows).toEqual([]);
    expect(await listDeliveries(hooks.db, stranger, 10)).toEqual([]);
    expect(await findDelivery(hooks.db, theirs)).toBeUndefined();
    expect(await scheduleRedelivery(hooks.db, theirs, START)).toEqual({ kind: 'unknown' });
    await expect(hooks.save(stranger, { rotateSecret: true })).rejects.toMatchObject({ code: 'not_found' });
    expect(await deleteWebhook(db, stranger)).toBe(false);
    expect(await findWebhook(hooks.db, { id, ownerId: users.dana.id })).toBeDefined();
  });

  it('receives nothing while it is disabled, and receives the pending events when it is enabled', async ({
    hooks,
    db,
  }) => {
    const { id } = await hooks.register({ ...OWN, url: URL_1 });
    const key = { id, ownerId: users.dana.id };
    const deliveries = () => listDeliveries(hooks.db, key, 10);
    await emit(db, membershipCreated(), START);
    await hooks.save(key, { isActive: false });
    await emit(db, membershipCreated(), START);
    expect(await deliveries()).toMatchObject([{ status: 'pending', nextAttemptAt: null, attemptCount: 0 }]);
    const [waiting] = await deliveries();
    const again = { id: waiting?.id ?? '', ownerId: users.dana.id };
    expect(await scheduleRedelivery(hooks.db, again, START)).toEqual({ kind: 'webhook-inactive' });
    await hooks.save(key, { url: `${URL_1}/new` });
    expect(await findWebhook(hooks.db, key)).toMatchObject({ isActive: false, pending: 1 });
    await hooks.save(key, { isActive: true });
    expect(await deliveries()).toMatchObject([{ status: 'pending', nextAttemptAt: START }]);
    expect(await scheduleRedelivery(hooks.db, again, START)).toEqual({ kind: 'scheduled' });
  });

  it('is deleted with its deliveries', async ({ hooks, db }) => {
    const { id } = await hooks.register({ ...OWN, url: URL_1 });
    await emit(db, membershipCreated(), START);
    expect(await deleteWebhook(db, { id, ownerId: users.dana.id })).toBe(true);
    expect((await listWebhooks(hooks.db, users.dana.id)).rows).toEqual([]);
    expect(await db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  });

  it('receives no more events of the community once its owner loses the OWNER role', async ({
    hooks,
    db,
  }) => {
    const { id } = await hooks.register({ ...OWN, url: URL_1 });
    const role = { communityId: community.id, userId: users.dana.id, isActive: true } as const;
    await assignRole(hooks.db, { ...role, role: 'ADMIN' });
    await emit(db, membershipCreated(), START);
    const key = { id, ownerId: users.dana.id };
    expect(await listDeliveries(hooks.db, key, 10)).toEqual([]);
    await assignRole(hooks.db, { ...role, role: 'OWNER' });
    const event = membershipCreated();
    await emit(db, event, START);
    const [delivery] = await listDeliveries(hooks.db, key, 10);
    expect(delivery).toMatchObject({ type: 'membership.created', status: 'pending', createdAt: START });
    const found = await findDelivery(hooks.db, {
      id: delivery?.id ?? '',
      ownerId: users.dana.id,
    });
    expect(JSON.parse(found?.body ?? '')).toEqual({
      id: delivery?.eventId,
      type: 'membership.created',
      createdAt: '2026-06-12T14:05:00.000Z',
      data: event.data,
    });
    expect(found?.attempts).toEqual([]);
  });
});
