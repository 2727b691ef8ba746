import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { type Snapshot, sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it, type SandboxUnderTest } from './sandbox-under-test.js';
import { waitForRequests } from './wait-for-requests.js';

const DAY_MS = 24 * 3600_000;
const { confidentialClient, users } = sandboxScenario;

/** Loads a changed copy of the present data. Returns the status of the load. */
async function loadChanged(service: SandboxUnderTest, change: (file: Snapshot) => unknown): Promise<number> {
  await callControl(service, 'POST /snapshots/base', {});
  const file = (await callControl<Snapshot>(service, 'GET /snapshots/base')).body;
  await callControl(service, 'POST /snapshots/changed/import', change(file));
  return (await callControl(service, 'POST /snapshots/changed/load', {})).status;
}

describe('moves, snapshots and resets', () => {
  it('wait for one another, so that a reset during a move leaves the real time', async ({ service }) => {
    const { clock, snapshots } = service.server.control;
    await Promise.all([clock.advance(400 * DAY_MS), snapshots.reset('empty')]);
    expect(clock.read().aheadMs).toBe(0);
  });

  it('save data and time of one instant, also during a load', async ({ service }) => {
    const { clock, snapshots } = service.server.control;
    await snapshots.save('early');
    await clock.advance(DAY_MS);
    await service.server.operator.grantMembership({ userId: users.finn.id, productType: 'agency' });
    await snapshots.save('late');
    await Promise.all([snapshots.load('early'), snapshots.save('between')]);
    expect(snapshots.export('between')).toEqual(snapshots.export('early'));
  });

  it('can be used by a function that follows a reset', async ({ service }) => {
    const { clock, snapshots } = service.server.control;
    snapshots.onReset(async () => {
      await clock.advance(DAY_MS);
      await snapshots.save('after-reset');
    });
    await snapshots.reset();
    expect(clock.read().aheadMs).toBe(DAY_MS);
    expect(snapshots.list()).toHaveLength(1);
  });

  it('leave no request of the time before in the log', async ({ service }) => {
    const { control } = service.server;
    control.faults.add({ effect: { kind: 'drip', ms: 200 } });
    const underWay = service.request('/oauth/userinfo');
    await expect.poll(() => control.faults.list()[0]?.changed, { timeout: 10_000 }).toBe(1);
    await control.snapshots.reset('empty');
    await (await underWay).text();
    await service.request('/oauth/products');
    await waitForRequests(service, ({ path }) => path === '/oauth/products');
    expect(control.requests.list().requests.map(({ path }) => path)).toEqual(['/oauth/products']);
  });
});

describe('a snapshot of another sandbox', () => {
  it('is rejected if its time is further ahead than the clock can move', async ({ service }) => {
    const status = await loadChanged(service, (file) => ({
      ...file,
      serviceTime: '9999-12-31T23:59:59.000Z',
    }));
    expect(status).toBe(409);
    expect(service.server.control.clock.read().aheadMs).toBe(0);
  });

  it('names the first wrong rows only', async ({ service }) => {
    const tables = { users: Array.from({ length: 2_000 }, () => 1) };
    await service.server.control.snapshots.save('good');
    const file = { ...service.server.control.snapshots.export('good'), tables };
    const { status, body } = await callControl(service, 'POST /snapshots/bad/import', file);
    expect([status, JSON.stringify(body).length < 5_000]).toEqual([400, true]);
  });

  it('moves addresses of that sandbox only', async ({ service }) => {
    const status = await loadChanged(service, (file) => {
      const [client, ...clients] = file.tables.oauth_clients ?? [];
      const uris = ['http://shop.test/cb', 'http://shop.test:8080/cb', 'http://shop.test.example/cb'];
      const redirects = { ...client, redirect_uris: JSON.stringify(uris) };
      return {
        ...file,
        baseUrl: 'http://shop.test',
        tables: { ...file.tables, oauth_clients: [redirects, ...clients] },
      };
    });
    expect(status).toBe(204);
    const clients = JSON.stringify((await service.server.operator.list('clients')).records);
    expect(clients).toContain(
      JSON.stringify([`${service.baseUrl}/cb`, 'http://shop.test:8080/cb', 'http://shop.test.example/cb']),
    );
  });
});

describe('the request log', () => {
  it('takes a long query that is cut within a character', async ({ service }) => {
    const query = `x=${'a.'.repeat(3999)}a%F0%9F%98%80${'b.'.repeat(50)}`;
    await service.request(`/oauth/token?${query}`, { method: 'POST' });
    await waitForRequests(service, ({ path }) => path.startsWith('/oauth/token?x=a.a.'));
  });

  it('shows nothing of a body in UTF-16, in which no secret has its format', async ({ service }) => {
    const { clientSecret } = confidentialClient;
    const body = new Uint8Array(Buffer.from(JSON.stringify({ client_secret: clientSecret }), 'utf16le'));
    const headers = { 'Content-Type': 'application/json; charset=utf-16le' };
    await service.request('/oauth/token', { method: 'POST', headers, body });
    await waitForRequests(service, ({ path }) => path === '/oauth/token');
    const { requests } = service.server.control;
    const entry = requests.find(requests.list().requests[0]?.id ?? '');
    expect(entry.requestBody).toMatchObject({ bytes: body.byteLength, text: '[unreadable]' });
  });
});

describe('the event stream', () => {
  it('takes events while the sandbox closes and a reader has not read the end', async ({ service }) => {
    const { host, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    const token = service.server.controlToken;
    socket.write(
      `GET /sandbox/api/stream HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await once(socket, 'data');
    const uncaught = vi.fn();
    process.on('uncaughtException', uncaught);
    onTestFinished(() => void process.off('uncaughtException', uncaught));
    const closed = service.server.close();
    await service.server.mailbox.send({ to: users.ben.email, subject: 'late', text: 'late' });
    await closed;
    expect(uncaught).not.toHaveBeenCalled();
    socket.destroy();
  });

  it.for(['/sandbox/api/stream', '/sandbox/changes'])(
    'ends at once if %s is requested while the sandbox closes',
    async (path, { service }) => {
      const { host, port } = new URL(service.baseUrl);
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      const token = service.server.controlToken;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      const closed = service.server.close();
      // A connection that is cut after the grace period has no last chunk.
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n0\r\n\r\n$/s);
      await closed;
    },
  );
});

describe('a fault for one client', () => {
  it('leaves a call whose path is no address', async ({ service }) => {
    service.server.control.faults.add({ effect: { kind: 'reset' }, client: 'nobody' });
    expect((await service.request('//', { method: 'POST' })).status).toBe(404);
  });
});
