import { describe, expect, it as plainIt } from 'vitest';
import { createSandbox, type Snapshot, type SnapshotEntry, sandboxScenario } from '../src/index.js';
import { buyMonthly } from './buy-monthly.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest, SHOP } from './sandbox-under-test.js';
import { waitForRequests } from './wait-for-requests.js';

const { apiKey, community, memberships, publicClient, users, webhooks } = sandboxScenario;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function membershipIds({ server }: Pick<SandboxUnderTest, 'server'>): Promise<string[]> {
  return (await server.operator.list('memberships')).records.map(({ id }) => String(id)).toSorted();
}

describe('snapshots', () => {
  it('bring back all data and the time, by name', async ({ service }) => {
    await buyMonthly(service, users.ben.email);
    await service.server.clock.advance(3600_000);
    const before = await membershipIds(service);
    const saved = await callControl<SnapshotEntry>(service, 'POST /snapshots/paid', {});
    expect(saved.body).toMatchObject({ name: 'paid', serviceTime: '2026-06-12T15:05:00.000Z' });

    await callControl(service, 'POST /clock', { duration: '40d' });
    await service.server.operator.end('memberships', memberships.adaCommunity.id);
    await service.server.operator.grantMembership({ userId: users.finn.id, productType: 'agency' });
    expect(await membershipIds(service)).not.toEqual(before);
    expect((await callControl(service, 'POST /snapshots/paid/load', {})).status).toBe(204);
    expect(await membershipIds(service)).toEqual(before);
    expect(new Date(service.server.clock.now()).toISOString()).toBe('2026-06-12T15:05:00.000Z');
    // The subscription still renews: everything that it needs came back.
    const { happened } = await service.server.control.clock.moveToPreset('next-renewal');
    expect(happened.map(({ eventType }) => eventType)).toContain('payment.success');
  });

  it('contain every column exactly', async ({ service }) => {
    await buyMonthly(service, users.ben.email);
    const { snapshots } = service.server.control;
    await snapshots.save('one');
    await snapshots.reset('empty');
    await snapshots.load('one');
    await snapshots.save('two');
    expect(snapshots.export('two')).toEqual(snapshots.export('one'));
    expect(Object.values(snapshots.export('one').tables).flat().length).toBeGreaterThan(40);
  });

  it('take back every time that the service itself stores', async ({ service }) => {
    const { control, operator } = service.server;
    // A delivery of an inactive webhook waits without end, and a partner can order a period from before 1970.
    await operator.end('memberships', memberships.adaCommunity.id);
    await operator.change('webhooks', webhooks.community.id, { isActive: false });
    const order = {
      communityId: community.id,
      email: users.cleo.email,
      validFrom: '1960-01-01',
      onOverlap: 'replace',
    };
    for (const externalOrderId of ['first', 'second']) {
      const ordered = await service.request('/membership/provision-external', {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...order, externalOrderId }),
      });
      expect(ordered.status).toBe(200);
    }
    await control.snapshots.save('one');
    await control.snapshots.load('one');
    await control.snapshots.save('two');
    expect(control.snapshots.export('two').tables).toEqual(control.snapshots.export('one').tables);
  });

  it('are exported as one file, which another sandbox imports under its own address', async ({ service }) => {
    await service.server.operator.grantMembership({ userId: users.finn.id, productType: 'agency' });
    await callControl(service, 'POST /snapshots/mine', {});
    const file = (await callControl<Snapshot>(service, 'GET /snapshots/mine')).body;
    const server = await createSandbox({ scenario: 'empty', logger: quiet });
    const other = { server, baseUrl: server.baseUrl };
    expect(await membershipIds(other)).toEqual([]);
    expect((await callControl(other, 'POST /snapshots/theirs/import', file)).status).toBe(200);
    expect((await callControl(other, 'POST /snapshots/theirs/load', {})).status).toBe(204);
    expect(await membershipIds(other)).toEqual(await membershipIds(service));
    await server.operator.end('memberships', memberships.adaCommunity.id);
    await server.runBackgroundWork();
    expect(server.receiver.list()[0]).toMatchObject({ verified: true });
    const { records: clients } = await server.operator.list('clients');
    expect(JSON.stringify(clients)).toContain(`${server.baseUrl}/widget/callback/${publicClient.clientId}`);
    expect(JSON.stringify(clients)).not.toContain(service.baseUrl);
    await server.close();
  });

  it('change nothing if they do not fit', async ({ service }) => {
    await service.server.control.snapshots.save('good');
    const good = service.server.control.snapshots.export('good');
    const before = await membershipIds(service);
    const [user] = good.tables.users ?? [];
    const bad: [object, number, number][] = [
      [{ ...good, format: 'other' }, 400, 404],
      [{ ...good, tables: { users: [{ id: { nested: 1 } }] } }, 400, 404],
      [{ ...good, migrations: ['0001'] }, 200, 409],
      [{ ...good, serviceNames: { ...good.serviceNames, messenger: 'telegram' } }, 200, 409],
      [{ ...good, tables: { kysely_migration: [] } }, 200, 409],
      [{ ...good, tables: { database_use: [] } }, 200, 409],
      [{ ...good, tables: { users: [{ 'id") values (1); --': 1 }] } }, 200, 409],
      [{ ...good, tables: { users: [user, user] } }, 200, 409],
      [{ ...good, tables: { memberships: good.tables.memberships } }, 200, 409],
    ];
    for (const [file, imported, loaded] of bad) {
      await callControl(service, 'DELETE /snapshots/bad');
      expect((await callControl(service, 'POST /snapshots/bad/import', file)).status).toBe(imported);
      const answer = await callControl(service, 'POST /snapshots/bad/load', {});
      expect([answer.status, Object.keys(file), JSON.stringify(answer.body)]).toEqual([
        loaded,
        expect.anything(),
        expect.any(String),
      ]);
      expect(await membershipIds(service)).toEqual(before);
    }
    expect((await callControl(service, 'POST /snapshots/..%2Fetc', {})).status).toBe(400);
    expect((await callControl(service, 'GET /snapshots/nothing')).status).toBe(404);
    expect((await callControl(service, 'DELETE /snapshots/good')).status).toBe(204);
    expect(
      (await callControl<{ snapshots: [] }>(service, 'GET /snapshots')).body.snapshots.length,
    ).toBeLessThan(2);
  });
});

describe('an import', () => {
  it('of more than 64 MB gets 413, and stores nothing', async ({ service }) => {
    const { status, body } = await callControl(
      service,
      'POST /snapshots/big/import',
      new ArrayBuffer(64 * 1024 * 1024 + 1),
    );
    expect([status, JSON.stringify(body)]).toEqual([413, expect.stringContaining('error')]);
    expect(service.server.control.snapshots.list()).toEqual([]);
  });
});

describe('an edited snapshot', () => {
  it('is rejected with the place of a value that does not fit its column, and changes nothing', async ({
    service,
  }) => {
    await service.server.control.snapshots.save('good');
    const good = service.server.control.snapshots.export('good');
    const edit = (table: string, values: Record<string, string | number>) => ({
      ...good,
      tables: {
        ...good.tables,
        [table]: good.tables[table]?.map((row, index) => (index === 0 ? { ...row, ...values } : row)),
      },
    });
    const edited: [object, string][] = [
      [edit('memberships', { valid_from: 'soon' }), 'memberships[0].valid_from: expected a time'],
      [edit('memberships', { valid_from: 1.5 }), 'memberships[0].valid_from: expected a time'],
      [edit('memberships', { valid_from: 1e300 }), 'memberships[0].valid_from: expected a time'],
      [edit('users', { name: 5 }), 'users[0].name: expected a text'],
      [
        edit('pricing_plans', { price_minor: '900' }),
        'pricing_plans[0].price_minor: expected a whole number',
      ],
      [edit('oauth_clients', { scopes: 'openid' }), 'oauth_clients[0].scopes: expected a list of texts'],
      [edit('webhook_events', { body: 'no JSON' }), 'webhook_events[0].body: expected an object as JSON'],
    ];
    for (const [file, place] of edited) {
      expect((await callControl(service, 'POST /snapshots/edited/import', file)).status).toBe(200);
      const { status, body } = await callControl<{ error: { message: string } }>(
        service,
        'POST /snapshots/edited/load',
        {},
      );
      expect([status, body.error.message]).toEqual([409, expect.stringContaining(place)]);
    }
    await service.server.control.snapshots.save('after');
    expect(service.server.control.snapshots.export('after').tables).toEqual(good.tables);
  });
});

describe('a reset', () => {
  it('is announced when all data are there', async ({ service }) => {
    const { control, operator } = service.server;
    const found: Promise<number>[] = [];
    control.events.subscribe(({ type }) => {
      if (type === 'reset') found.push(operator.list('memberships').then(({ records }) => records.length));
    });
    await control.snapshots.reset('lapsing-memberships');
    expect(await Promise.all(found)).toEqual([11]);
  });

  it('and a scenario run one after another', async ({ service }) => {
    const { control } = service.server;
    await control.snapshots.save('before');
    await Promise.all([
      control.snapshots.reset(),
      control.scenarios.add('stranger'),
      control.clock.advance(60_000),
      control.snapshots.load('before'),
      control.scenarios.add('lapsing-memberships'),
      control.scenarios.add('lapsing-memberships'),
    ]);
    expect(await membershipIds(service)).toHaveLength(11);
  });

  it('starts anew: data, time, mail, log and faults', async ({ service }) => {
    const { control, mailbox, clock, receiver } = service.server;
    const before = await membershipIds(service);
    const seen: string[] = [];
    control.events.subscribe(({ type }) => void seen.push(type));
    await buyMonthly(service, users.ben.email);
    await service.browser().post('/sign-in/code', { email: users.ben.email });
    await control.clock.advance(3600_000);
    control.faults.add({ effect: { kind: 'reset' } });
    receiver.mode = 'fail';
    await waitForRequests(service, () => true, 3);
    expect((await callControl(service, 'POST /reset', {})).status).toBe(204);
    expect(await membershipIds(service)).toEqual(before);
    expect(clock.now()).toBe(service.clock.now());
    expect([
      mailbox.list(),
      control.requests.list().requests,
      control.faults.list(),
      receiver.list(),
    ]).toEqual([[], [], [], []]);
    expect([receiver.mode, seen.at(-1)]).toEqual(['accept', 'reset']);
    const clients = JSON.stringify((await service.server.operator.list('clients')).records);
    expect(clients).toContain(SHOP);
    await service.server.runBackgroundWork();
    expect(receiver.list().every(({ verified }) => verified)).toBe(true);
  });

  it('can begin with nothing, and lets its caller seed more', async ({ service }) => {
    const { control, operator } = service.server;
    control.snapshots.onReset(async () => {
      await operator.createUser({ email: 'more@example.com', name: 'More' });
    });
    await callControl(service, 'POST /reset', { scenario: 'empty' });
    expect((await operator.list('users')).records).toEqual([]);
    await callControl(service, 'POST /reset', { scenario: 'sample-data' });
    expect((await operator.list('users')).records.map(({ email }) => email)).toContain('more@example.com');
    expect((await callControl(service, 'POST /reset', { scenario: 'other' })).status).toBe(400);
  });
});

describe('createSandbox', () => {
  plainIt('starts with the sample data, or with none', async () => {
    const sandbox = await createSandbox({ logger: quiet });
    expect((await sandbox.operator.list('communities')).records.map(({ id }) => id)).toContain(community.id);
    await sandbox.close();
    const empty = await createSandbox({ scenario: 'empty', logger: quiet });
    expect((await empty.operator.list('users')).records).toEqual([]);
    await empty.control.snapshots.reset();
    expect((await empty.operator.list('users')).records.length).toBe(Object.keys(users).length);
    await empty.close();
  });
});
