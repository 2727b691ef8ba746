import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type RunningSandbox, sandboxScenario } from '@latchkey/sandbox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { localhostCertificate } from '../../../../scripts/localhost-certificate.mjs';
import { latchkey } from '../call.js';
import { type RunningLatchkey, startLatchkey } from '../running-latchkey.js';

const { memberships, webhooks, users } = sandboxScenario;
const WAIT = { timeout: 30_000, interval: 50 };
const silent = { info: () => {}, warn: () => {}, error: () => {} };

interface Arrival {
  headers: IncomingHttpHeaders;
  body: string;
}

/** Endpoint of a site under development. */
interface Target {
  readonly url: string;
  readonly arrived: Arrival[];
  status: number;
  close(): Promise<void>;
}

async function startTarget(port = 0): Promise<Target> {
  const arrived: Arrival[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    arrived.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.writeHead(target.status, { Location: 'https://www.shop.example/webhooks' }).end('seen');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const target: Target = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    arrived,
    status: 204,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return target;
}

let folder: string;
let sandbox: RunningSandbox;
let settings: { database: string; port: number; controlToken: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-listen-'));
  sandbox = await createSandbox({ logger: silent, database: `sqlite:${join(folder, 'sandbox.sqlite')}` });
  settings = {
    database: `sqlite:${join(folder, 'sandbox.sqlite')}`,
    port: sandbox.port,
    controlToken: sandbox.controlToken,
  };
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const env = () => ({
  LATCHKEY_SANDBOX_URL: sandbox.baseUrl,
  LATCHKEY_SANDBOX_TOKEN: sandbox.controlToken,
});

/** Starts `latchkey listen` and waits until it has opened its listener. */
async function listening(...args: string[]): Promise<RunningLatchkey> {
  const started = startLatchkey(['listen', ...args], env());
  onTestFinished(() => void started.process.kill('SIGKILL'));
  await started.waitFor(/Missed deliveries: /);
  return started;
}

/** Records an event about Ada's membership. Returns its id. */
async function emit(type: 'membership.created' | 'membership.updated' = 'membership.updated') {
  return (await sandbox.control.deliveries.sendTest({ type, membershipId: memberships.adaCommunity.id })).id;
}

/** Waits until a listener has reported every delivery. It reports a response just after the target has sent it. */
async function reported(name: string): Promise<void> {
  await vi.waitFor(async () => {
    const listeners = await sandbox.control.listeners.list();
    expect(listeners.find((listener) => listener.name === name)).toMatchObject({ waiting: 0 });
  }, WAIT);
}

const idsOf = (target: Target) => target.arrived.map(({ headers }) => headers['x-svc-event-id']);

describe('latchkey listen', () => {
  it('forwards each event with its headers and the secret of its webhook, and prints the result', async () => {
    const target = await startTarget();
    onTestFinished(() => target.close());
    const listener = await listening('--forward-to', target.url, '--json');
    const id = await emit();
    await vi.waitFor(() => expect(idsOf(target)).toEqual([id]), WAIT);
    const [{ headers, body }] = target.arrived as [Arrival];
    const signature = createHmac('sha256', webhooks.community.secret).update(body).digest('hex');
    expect(headers).toMatchObject({
      'x-svc-signature': signature,
      'x-svc-event-type': 'membership.updated',
      'content-type': 'application/json',
    });
    await vi.waitFor(() => expect(listener.out()).toContain('\n'), WAIT);
    expect(JSON.parse(listener.out())).toMatchObject({
      eventId: id,
      result: 'delivered',
      status: 204,
      webhookId: webhooks.community.id,
    });
    expect(listener.out() + listener.err()).not.toContain(webhooks.community.secret);
    const event = await sandbox.control.deliveries.findEvent(id);
    const deliveryId = event.deliveries[0]?.id ?? '';
    const attempts = async () => (await sandbox.control.deliveries.find(deliveryId)).attempts;
    await vi.waitFor(
      async () =>
        expect(await attempts()).toContainEqual(
          expect.objectContaining({ listener: expect.any(String), status: 204, counted: false }),
        ),
      WAIT,
    );
    expect((await latchkey(['resend', deliveryId], env())).code).toBe(0);
    await vi.waitFor(() => expect(idsOf(target)).toEqual([id, id]), WAIT);
    listener.process.kill('SIGINT');
    expect(await listener.ended).toBe(0);
  });

  it('loses nothing over restarts of the listener, the target and the sandbox', async () => {
    let target = await startTarget();
    const args = ['--forward-to', target.url, '--name', 'restarts'];
    const first = await listening(...args);
    const sent = [await emit()];
    await vi.waitFor(() => expect(idsOf(target)).toEqual(sent), WAIT);
    await reported('restarts');
    first.process.kill('SIGKILL');
    await first.ended;

    sent.push(await emit(), await emit());
    const second = await listening(...args);
    await vi.waitFor(() => expect(new Set(idsOf(target))).toEqual(new Set(sent)), WAIT);

    const port = Number(new URL(target.url).port);
    const before = target.arrived;
    await target.close();
    sent.push(await emit());
    await second.waitFor(/Nothing accepts connections there/);
    target = await startTarget(port);
    onTestFinished(() => target.close());
    await vi.waitFor(() => expect(idsOf(target)).toContain(sent.at(-1)), WAIT);
    await reported('restarts');

    await sandbox.close();
    await second.waitFor(/The sandbox does not answer/);
    sandbox = await createSandbox({ logger: silent, scenario: 'empty', ...settings });
    sent.push(await emit());
    await second.waitFor(/Connected again/);
    await vi.waitFor(() => expect(idsOf(target)).toContain(sent.at(-1)), WAIT);
    const all = [...before.map(({ headers }) => headers['x-svc-event-id']), ...idsOf(target)];
    expect(new Set(all)).toEqual(new Set(sent));
    // Nothing was killed between a response and its report, so nothing arrived twice.
    expect(all).toHaveLength(sent.length);
  });

  it('names an untrusted certificate, and delivers once Node.js trusts it', async () => {
    const arrived: unknown[] = [];
    const server = createHttpsServer(localhostCertificate, (request, response) => {
      arrived.push(request.headers['x-svc-event-id']);
      request.resume().on('end', () => response.writeHead(204).end());
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    onTestFinished(() => void server.close().closeAllConnections());
    const url = `https://localhost:${(server.address() as AddressInfo).port}/webhooks`;
    const args = ['--forward-to', url, '--name', 'tls'];
    const first = await listening(...args);
    const id = await emit();
    await first.waitFor(
      /certificate is not from a trusted authority \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .*NODE_EXTRA_CA_CERTS=/,
    );
    await first.waitFor(/Deliveries wait until/);
    expect(arrived).toEqual([]);
    first.process.kill('SIGKILL');
    await first.ended;

    const certificate = join(folder, 'certificate.pem');
    await writeFile(certificate, localhostCertificate.cert);
    const second = startLatchkey(['listen', ...args], { ...env(), NODE_EXTRA_CA_CERTS: certificate });
    onTestFinished(() => void second.process.kill('SIGKILL'));
    await vi.waitFor(() => expect(arrived).toEqual([id]), WAIT);
  });

  it('says where a redirect leads', async () => {
    const target = await startTarget();
    onTestFinished(() => target.close());
    target.status = 308;
    const listener = await listening('--forward-to', target.url, '--retries', '0', '--json');
    await emit();
    await vi.waitFor(() => expect(listener.out()).toContain('\n'), WAIT);
    expect(JSON.parse(listener.out())).toMatchObject({
      failure:
        'Responded with status 308, a redirect to https://www.shop.example. Redirects are not followed: forward to the final address.',
    });
  });

  it('retries after another status, and gives up after the last retry', async () => {
    const target = await startTarget();
    onTestFinished(() => target.close());
    target.status = 500;
    const listener = await listening('--forward-to', target.url, '--retries', '1', '--json');
    const id = await emit();
    await vi.waitFor(() => expect(listener.out().trim().split('\n')).toHaveLength(2), WAIT);
    const results = listener
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { result: string; eventId: string });
    expect(results).toMatchObject([
      { eventId: id, result: 'retry' },
      { eventId: id, result: 'given-up' },
    ]);
  });

  it('filters, and runs beside other listeners', async () => {
    const [all, created] = [await startTarget(), await startTarget()];
    onTestFinished(() => all.close());
    onTestFinished(() => created.close());
    await listening('--forward-to', all.url, '--community', sandboxScenario.community.id);
    await listening(
      '--forward-to',
      created.url,
      '--events',
      'membership.created',
      '--events',
      'payment.failed',
    );
    const sent = [await emit('membership.updated'), await emit('membership.created')];
    const brewGuide = { type: 'membership.created' as const, membershipId: memberships.adaProduct.id };
    const product = (await sandbox.control.deliveries.sendTest(brewGuide)).id;
    await vi.waitFor(() => expect(idsOf(created)).toEqual([sent[1], product]), WAIT);
    await vi.waitFor(() => expect(idsOf(all)).toEqual(sent), WAIT);
  });

  it('ends when another process opens the same listener', async () => {
    const target = await startTarget();
    onTestFinished(() => target.close());
    const first = await listening('--forward-to', target.url);
    await listening('--forward-to', target.url);
    expect(await first.ended).toBe(1);
    expect(first.err()).toContain('Another program has opened the listener');
  });

  it.for(['community', 'product', 'webhook'])('rejects a %s that does not exist', async (kind) => {
    const id = '5eed0000-0000-4000-8000-0000000099c0';
    const listener = await latchkey(
      ['listen', '--forward-to', 'http://localhost:1/x', `--${kind}`, id],
      env(),
    );
    expect(listener.code).toBe(1);
    expect(listener.err).toContain(`The sandbox has no ${kind} "${id}".`);
  });

  it.for([
    [['--forward-to', 'https://shop.example/hooks'], 'Add --allow-remote to allow it.'],
    [['--forward-to', 'ftp://localhost/x'], 'must be a URL such as http://localhost:3000/webhooks'],
    [['--forward-to', 'http://u:p@localhost/x'], 'webhooks, without a password; got'],
    [[], '--forward-to is required'],
    [
      ['--forward-to', 'http://localhost:1/x', '--webhook', users.ada.id, '--product', users.ada.id],
      'Choose one of --community, --product and --webhook',
    ],
    [['--forward-to', 'http://localhost:1/x', '--events', 'user.created'], '--events'],
  ] as const)('exits with 2 for %j', async ([args, text]) => {
    const { code, err } = await latchkey(['listen', ...args], env());
    expect(code).toBe(2);
    expect(err).toContain(text);
  });
});
