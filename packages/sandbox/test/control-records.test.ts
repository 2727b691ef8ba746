import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { createSandboxUnderTest, type SandboxUnderTest } from './sandbox-under-test.js';

const { community, plans, products, users, confidentialClient } = sandboxScenario;

interface Failure {
  error: { code: string; message: string; fields: Record<string, string> };
}
interface Found {
  record: Record<string, unknown>;
  labels: Record<string, string>;
  related: { kind: string; field: string; count: number }[];
}

describe('records in the control API', () => {
  let service: SandboxUnderTest;
  beforeAll(async () => {
    service = await createSandboxUnderTest();
  });
  afterAll(() => service.server.close());

  const call = <Body = Record<string, unknown>>(what: string, body?: unknown) =>
    callControl<Body>(service, what, body);
  const created = async (kind: string, fields: object) => {
    const answer = await call<{ id: string } & Record<string, string>>(`POST /data/${kind}`, fields);
    expect(answer).toMatchObject({ status: 200, body: { id: expect.any(String) } });
    return answer.body;
  };
  const found = async (kind: string, id: string) => (await call<Found>(`GET /data/${kind}/${id}`)).body;
  const fails = async (what: string, body: unknown, expected: { status: number; fields?: object }) => {
    const { status, body: failure } = await call<Failure>(what, body);
    expect({ status, fields: failure.error.fields }, failure.error.message).toEqual({
      status: expected.status,
      fields: expected.fields ?? {},
    });
  };

  it('creates, renames and signs out a user', async () => {
    const { id } = await created('users', { email: 'Gus@Example.com', name: 'Gus', messengerUserId: 77 });
    expect((await found('users', id)).record).toMatchObject({
      email: 'gus@example.com',
      mayProvision: false,
    });
    expect((await call(`PATCH /data/users/${id}`, { name: null, mayProvision: true })).status).toBe(200);
    expect((await found('users', id)).record).toMatchObject({ name: null, mayProvision: true });
    const browser = service.browser();
    await browser.post('/sandbox/sign-in', { email: 'gus@example.com' });
    expect((await browser.get('/account')).status).toBe(200);
    expect((await call(`DELETE /data/users/${id}`, {})).status).toBe(204);
    expect((await browser.get('/account')).status).toBe(302);
    await fails('POST /data/users', { email: 'no' }, { status: 400, fields: { email: expect.any(String) } });
    await fails('POST /data/users', {}, { status: 400, fields: { email: expect.any(String) } });
    await fails(`PATCH /data/users/${id}`, { name: '' }, { status: 400, fields: { name: 'Enter a name.' } });
    await fails('DELETE /data/users/unknown', {}, { status: 404 });
  });

  it('stores none of the changes if one of them fails', async () => {
    await fails(
      `PATCH /data/communities/${community.id}`,
      { name: 'Another name', messengerBot: 'no bot' },
      { status: 400, fields: { messengerBot: 'Enter 3 to 64 letters, digits and underscores.' } },
    );
    expect((await found('communities', community.id)).record.name).toBe(community.name);
  });

  it('creates, renames and closes a community, and never ends a signup', async () => {
    const { id } = await created('communities', { name: 'Tea', ownerId: users.ben.id });
    expect(
      (await call(`PATCH /data/communities/${id}`, { name: 'Tea Club', messengerBot: 'tea_bot' })).status,
    ).toBe(200);
    expect((await found('communities', id)).record).toMatchObject({
      name: 'Tea Club',
      messengerBot: 'tea_bot',
    });
    await fails(
      `PATCH /data/communities/${id}`,
      { name: 'See www.example.com' },
      { status: 400, fields: { name: 'Enter a name without a web address.' } },
    );
    expect((await call(`DELETE /data/communities/${id}`, {})).status).toBe(204);
    expect((await found('communities', id)).record.closedAt).not.toBeNull();
    expect((await call(`DELETE /data/signups/${id}`, {})).status).toBe(405);
    await expect(service.server.operator.end('signups', id)).rejects.toMatchObject({
      code: 'not_supported',
    });
    await fails(
      'POST /data/communities',
      { name: 'See www.example.com', ownerId: users.ben.id },
      { status: 400, fields: { name: 'Enter a name without a web address.' } },
    );
    await fails(
      'POST /data/communities',
      { name: 'Tea', ownerId: community.id },
      { status: 404, fields: { ownerId: expect.any(String) } },
    );
  });

  it('gives, changes and removes roles, and keeps the last owner', async () => {
    const dana = `${community.id}~${users.dana.id}`;
    await fails(`DELETE /data/roles/${dana}`, {}, { status: 409 });
    await fails(`PATCH /data/roles/${dana}`, { role: 'ADMIN' }, { status: 409 });
    const { id } = await created('roles', { communityId: community.id, userId: users.ada.id, role: 'ADMIN' });
    await fails(
      'POST /data/roles',
      { communityId: community.id, userId: users.ada.id, role: 'OWNER' },
      { status: 409, fields: { userId: expect.any(String) } },
    );
    expect((await call(`PATCH /data/roles/${id}`, { role: 'OWNER', isActive: false })).status).toBe(200);
    // Nobody has to accept an inactive role. An active one waits for the person.
    expect((await found('roles', id)).record).toMatchObject({ role: 'OWNER', isActive: false });
    expect((await call(`PATCH /data/roles/${id}`, { isActive: true })).status).toBe(200);
    expect((await found('roles', id)).record).toMatchObject({ role: 'OWNER', isActive: false });
    expect((await call(`DELETE /data/roles/${id}`, {})).status).toBe(204);
    expect((await call(`GET /data/roles/${id}`)).status).toBe(404);
  });

  it('invites to a membership or a role on behalf of an owner, and withdraws what is open', async () => {
    const communityId = community.id;
    const invite = { communityId, email: 'Gil@example.com' };
    const { id } = await created('invitations', { ...invite, validUntil: '2099-01-01' });
    expect(await found('invitations', id)).toMatchObject({
      record: { email: 'gil@example.com', role: null, validUntil: '2099-01-01T00:00:00.000Z' },
      labels: { [users.dana.id]: users.dana.email, [communityId]: community.name },
    });
    const role = await created('invitations', { ...invite, role: 'OWNER' });
    const list = await call<{ invitations: { id: string }[] }>(
      `GET /data/invitations?communityId=${communityId}`,
    );
    expect(list.body.invitations.map((one) => one.id).toSorted()).toEqual([id, role.id].toSorted());
    for (const [wrong, status, field] of [
      [{}, 409, 'email'],
      [{ email: users.dana.email }, 409, 'email'],
      [{ email: users.dana.email, role: 'ADMIN' }, 409, 'email'],
      [{ email: users.ada.email }, 409, 'email'],
      [{ role: 'ADMIN', validUntil: '2099-01-01' }, 400, 'role'],
      [{ email: 'past@example.com', validFrom: '2020-01-01', validUntil: '2021-01-01' }, 400, 'validUntil'],
      [{ communityId: users.dana.id }, 404, 'communityId'],
    ] as const) {
      const fields = { [field]: expect.any(String) };
      await fails('POST /data/invitations', { ...invite, ...wrong }, { status, fields });
    }
    const ofDana = await call<{ memberships: unknown[] }>(`GET /data/memberships?userId=${users.dana.id}`);
    expect(ofDana.body.memberships).toEqual([]);
    expect((await call(`PATCH /data/invitations/${id}`, { role: 'ADMIN' })).status).toBe(405);
    expect((await call(`DELETE /data/invitations/${id}`, {})).status).toBe(204);
    expect((await call(`GET /data/invitations/${id}`)).status).toBe(404);
    const gil = service.browser();
    await created('users', { email: 'gil@example.com' });
    await gil.post('/sandbox/sign-in', { email: 'gil@example.com' });
    const account = /name="account" value="([^"]+)/.exec(await (await gil.get('/account')).text())?.[1] ?? '';
    await gil.post('/account/invitations/decline', { account, invitation: role.id });
    await fails(`DELETE /data/invitations/${role.id}`, {}, { status: 409 });
  });

  it('creates, changes, archives and sells a plan again', async () => {
    const { id } = await created('plans', {
      communityId: community.id,
      name: 'Year',
      priceMinor: 9000,
      periodDays: 365,
      benefits: ['A seat'],
    });
    expect((await found('plans', id)).record).toMatchObject({ description: null, benefits: ['A seat'] });
    const changes = { priceMinor: 9900, description: 'All year.', benefits: ['A mug', 'A cup'] };
    expect((await call(`PATCH /data/plans/${id}`, changes)).status).toBe(200);
    expect((await found('plans', id)).record).toMatchObject(changes);
    expect((await call(`PATCH /data/plans/${id}`, { description: null, benefits: [] })).status).toBe(200);
    expect((await found('plans', id)).record).toMatchObject({ description: null, benefits: [] });
    await fails(
      `PATCH /data/plans/${id}`,
      { benefits: ['x'.repeat(81)] },
      { status: 400, fields: { 'benefits.0': expect.any(String) } },
    );
    expect((await call(`DELETE /data/plans/${id}`, {})).status).toBe(204);
    expect((await found('plans', id)).record).toMatchObject({
      priceMinor: 9900,
      archivedAt: expect.any(String),
    });
    await fails(
      'POST /data/reservations',
      { userId: users.ben.id, pricingPlanId: id },
      {
        status: 400,
        fields: { pricingPlanId: expect.any(String) },
      },
    );
    expect((await call(`PATCH /data/plans/${id}`, { archived: false })).status).toBe(200);
    expect((await found('plans', id)).record.archivedAt).toBeNull();
    await fails(
      'POST /data/plans',
      { communityId: community.id, name: 'X', priceMinor: -1, renews: true },
      { status: 400, fields: { priceMinor: expect.any(String), periodDays: expect.any(String) } },
    );
  });

  it('reserves a plan, and returns the address of its checkout', async () => {
    const { id, checkoutUrl } = await created('reservations', {
      userId: users.ben.id,
      pricingPlanId: plans.monthly.id,
    });
    const { record, labels } = await found('reservations', id);
    expect(record).toMatchObject({ userId: users.ben.id, paidAt: null });
    expect(labels).toMatchObject({ [users.ben.id]: users.ben.email, [plans.monthly.id]: 'Monthly' });
    expect((await fetch(checkoutUrl ?? '')).status).toBe(200);
    await fails(
      'POST /data/reservations',
      { userId: users.ben.id },
      {
        status: 400,
        fields: { pricingPlanId: expect.any(String) },
      },
    );
  });

  it('grants, changes and ends a membership with its events', async () => {
    const { id } = await created('memberships', { userId: users.ben.id, communityId: community.id });
    expect((await call(`PATCH /data/memberships/${id}`, { validUntil: '2026-08-01T00:00:00Z' })).status).toBe(
      200,
    );
    expect((await found('memberships', id)).record).toMatchObject({
      state: 'active',
      validUntil: '2026-08-01T00:00:00.000Z',
    });
    await fails(
      `PATCH /data/memberships/${id}`,
      { validUntil: '2026-01-01T00:00:00Z' },
      { status: 409, fields: { validUntil: 'Enter an end after the start.' } },
    );
    await fails(`PATCH /data/memberships/${id}`, { cancelSubscription: true }, { status: 409 });
    await fails(
      `PATCH /data/memberships/${id}`,
      { validUntil: 'soon' },
      { status: 400, fields: { validUntil: expect.stringContaining('2027-01-31T12:00:00Z') } },
    );
    expect((await call(`DELETE /data/memberships/${id}`, {})).status).toBe(204);
    expect((await found('memberships', id)).record.state).toBe('expired');
    const events = (await service.server.control.deliveries.list()).events.filter(({ body }) =>
      JSON.stringify(body).includes(id),
    );
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'membership.created',
      'membership.updated',
      'membership.updated',
    ]);
    const product = await created('memberships', {
      userId: users.ben.id,
      productType: 'digital_product',
      productId: products.brewGuide.id,
    });
    const change = { validUntil: '2026-09-01T00:00:00Z' };
    expect((await call(`PATCH /data/memberships/${product.id}`, change)).status).toBe(200);
    expect((await found('memberships', product.id)).record.validUntil).toBe('2026-09-01T00:00:00.000Z');
  });

  it('creates, changes and ends a drop, and signs up for it', async () => {
    const { id } = await created('drops', {
      communityId: community.id,
      name: 'Now',
      slots: 2,
      startsAt: '2026-06-12T14:00:00Z',
    });
    const signup = await created('signups', { communityId: community.id, email: 'new@example.com' });
    expect((await found('signups', signup.id)).record).toMatchObject({ dropSlotId: id });
    await fails(
      'POST /data/signups',
      { communityId: community.id, email: 'new@example.com' },
      { status: 409, fields: { email: 'This address is already signed up.' } },
    );
    await fails(
      `PATCH /data/drops/${id}`,
      { slots: 0 },
      { status: 409, fields: { slots: '1 slot is already taken. Enter at least 1.' } },
    );
    expect((await call(`PATCH /data/drops/${id}`, { slots: null, name: 'Today' })).status).toBe(200);
    expect(await found('drops', id)).toMatchObject({
      record: { slots: null, name: 'Today', state: 'running' },
      related: [{ kind: 'signups', field: 'dropSlotId', count: 1 }],
    });
    expect((await call(`DELETE /data/drops/${id}`, {})).status).toBe(204);
    expect((await found('drops', id)).record.state).toBe('ended');
  });

  it('creates, changes and deletes a product, but not one that was sold', async () => {
    const { id } = await created('products', { ownerId: users.dana.id, name: 'Mug', slug: 'mug' });
    await fails(
      'POST /data/products',
      { ownerId: users.dana.id, name: 'Mug', slug: 'mug' },
      { status: 409, fields: { slug: expect.any(String) } },
    );
    expect((await call(`PATCH /data/products/${id}`, { priceMinor: 1200 })).status).toBe(200);
    expect((await found('products', id)).record).toMatchObject({ priceMinor: 1200, currency: 'EUR' });
    await fails(
      `PATCH /data/products/${id}`,
      { slug: 'the-brew-guide' },
      { status: 409, fields: { slug: expect.any(String) } },
    );
    expect((await call(`DELETE /data/products/${id}`, {})).status).toBe(204);
    await fails(`DELETE /data/products/${products.brewGuide.id}`, {}, { status: 409 });
  });

  it('registers, changes and deletes a client, and shows its secret once', async () => {
    const registered = await created('clients', {
      ownerId: users.dana.id,
      type: 'confidential',
      name: 'Shop',
      redirectUris: ['https://shop.example/callback'],
    });
    expect(registered.clientSecret).toMatch(/^ocs_[0-9a-f]{48}$/);
    const edited = await call(`PATCH /data/clients/${registered.id}`, {
      replaceSecret: true,
      verified: true,
    });
    expect(edited.body.clientSecret).toMatch(/^ocs_/);
    const { record } = await found('clients', registered.id);
    expect(record).toMatchObject({ name: 'Shop', verifiedAt: expect.any(String) });
    expect(JSON.stringify(record)).not.toContain('ocs_');
    await fails(
      `PATCH /data/clients/${registered.id}`,
      { redirectUris: ['https://shop.example/ok', 'http://shop.example/#x'] },
      { status: 400, fields: { 'redirectUris.1': expect.any(String) } },
    );
    expect((await call(`DELETE /data/clients/${registered.id}`, {})).status).toBe(204);
    expect((await fetch(`${service.baseUrl}/oauth/client/${registered.id}`)).status).toBe(404);
  });

  it('creates a key that works until it is revoked', async () => {
    const fields = { ownerId: users.dana.id, name: 'Test', permissions: ['MEMBERSHIP_READ'] };
    const { id, key } = await created('keys', fields);
    const check = async () => {
      const path = `${service.baseUrl}/membership/check-messenger/${community.id}/1001`;
      return (await fetch(path, { headers: { Authorization: `Bearer ${key}` } })).status;
    };
    expect(await check()).toBe(200);
    expect(JSON.stringify(await found('keys', id))).not.toContain(key);
    expect((await call(`DELETE /data/keys/${id}`, {})).status).toBe(204);
    expect(await check()).toBe(401);
    await fails(`DELETE /data/keys/${id}`, {}, { status: 409 });
    await fails(
      'POST /data/keys',
      { ...fields, permissions: [] },
      { status: 400, fields: { permissions: expect.any(String) } },
    );
    await fails(
      'POST /data/keys',
      { ...fields, ownerId: users.ada.id, permissions: ['MEMBERSHIP_PROVISION'] },
      { status: 400, fields: { permissions: expect.any(String) } },
    );
  });

  it('registers, changes and deletes a webhook', async () => {
    const { id, secret } = await created('webhooks', {
      ownerId: users.dana.id,
      communityId: community.id,
      url: 'http://127.0.0.1:9/hook',
    });
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const saved = await call(`PATCH /data/webhooks/${id}`, { isActive: false, rotateSecret: true });
    expect(saved.body.secret).not.toBe(secret);
    expect((await found('webhooks', id)).record).toMatchObject({ isActive: false });
    await fails(
      `PATCH /data/webhooks/${id}`,
      { url: 'ftp://x' },
      { status: 400, fields: { url: expect.any(String) } },
    );
    await fails(
      'POST /data/webhooks',
      { ownerId: users.ada.id, communityId: community.id, url: 'https://shop.example/hook' },
      { status: 404, fields: { communityId: expect.any(String) } },
    );
    expect((await call(`DELETE /data/webhooks/${id}`, {})).status).toBe(204);
  });

  it('searches, limits and pages lists, also while records are added', async () => {
    const { operator } = service.server;
    for (const name of ['one_x', 'two_x', 'three_x']) {
      await operator.create('users', { email: `${name}@page.example` });
    }
    const names: unknown[] = [];
    let after = '';
    do {
      const { body } = await call<{ users: { email: string }[]; next: string | null }>(
        `GET /data/users?text=_X@PAGE&limit=2${after && `&after=${after}`}`,
      );
      names.push(...body.users.map(({ email }) => email.split('@')[0]));
      after = body.next ?? '';
    } while (after !== '');
    expect(names.toSorted()).toEqual(['one_x', 'three_x', 'two_x']);
    expect((await operator.list('users', { text: 'oneQx' })).records).toEqual([]);
    const owned = await call<{ clients: { id: string }[] }>(`GET /data/clients?ownerId=${users.dana.id}`);
    expect(owned.body.clients.map(({ id }) => id)).toContain(confidentialClient.clientId);
    await fails('GET /data/clients?userId=x', undefined, {
      status: 400,
      fields: { query: 'has an unknown field: "userId".' },
    });
    expect((await call('GET /data')).body).toMatchObject({ communities: 3, products: 2 });
    const roles = await call<{ roles: unknown[]; next: string }>('GET /data/roles?limit=1');
    const rest = await call<{ roles: unknown[] }>(`GET /data/roles?after=${roles.body.next}`);
    expect([...roles.body.roles, ...rest.body.roles]).toEqual((await operator.list('roles')).records);
  });

  it('publishes each write in the stream', async () => {
    const seen: unknown[] = [];
    const stop = service.server.control.events.subscribe(
      ({ type, data }) => type === 'data' && seen.push(data),
    );
    const { id } = await created('users', { email: 'hal@example.com' });
    await call(`PATCH /data/users/${id}`, { name: 'Hal' });
    await call(`PATCH /data/users/${id}`, { name: '' });
    stop();
    expect(seen).toEqual([
      { kind: 'users', id, change: 'created' },
      { kind: 'users', id, change: 'edited' },
    ]);
  });
});
