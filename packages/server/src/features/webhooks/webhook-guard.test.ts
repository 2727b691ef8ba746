import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import { describe, expect, it } from 'vitest';
import { localhostCertificate } from '../../../../../scripts/localhost-certificate.mjs';
import { startReceiver } from '../../../test/webhook-receiver.js';
import { sendDelivery } from './attempt/delivery-request.js';
import { type EndpointPolicy, mayDeliverTo } from './endpoint/endpoint-address.js';
import {
  createConnections,
  createHostResolver,
  type EndpointConnections,
  type HostResolver,
} from './endpoint/endpoint-connections.js';

const STRICT = { allowLoopback: false };
const RELAXED = { allowLoopback: true };
const NOT_PUBLIC = 'The host does not lead to a public address.';

/** Fake name servers that resolve only these names. `asked` counts the queries. */
function nameServers(names: Record<string, string[]>): HostResolver & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async resolve(hostname) {
      asked.push(hostname);
      return names[hostname] ?? [];
    },
    cancel: () => undefined,
  };
}

interface SendOptions {
  resolver?: HostResolver;
  policy?: EndpointPolicy;
  timeoutMs?: number;
  webhookId?: string;
  /** @default new ones, which keep nothing */
  connections?: EndpointConnections;
}

async function send(url: string, options: SendOptions = {}) {
  const { resolver = nameServers({}), policy = STRICT, timeoutMs = 5_000 } = options;
  const delivery = {
    webhookId: options.webhookId ?? 'webhook',
    url,
    secret: 'a'.repeat(64),
    event: { id: 'evt', type: 'membership.created' },
    body: '{}',
  };
  const { connections = createConnections() } = options;
  const roundTrip = await sendDelivery(
    delivery,
    { headerNames: WEBHOOK_HEADERS, connections, resolver, policy, timeoutMs },
    new AbortController().signal,
  );
  return roundTrip && { statusCode: roundTrip.statusCode, failure: roundTrip.failure };
}

describe('target address of a delivery', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:830::200e',
  ])('may be %s', (address) => {
    expect(mayDeliverTo(address, STRICT)).toBe(true);
    expect(mayDeliverTo(address, RELAXED)).toBe(true);
  });

  it.each([
    ['0.0.0.0', 'this network'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'shared'],
    ['100.100.100.200', 'a metadata service'],
    ['168.63.129.16', 'a metadata service'],
    ['169.254.169.254', 'a metadata service'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'a metadata service'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarks'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::7f00:1', 'IPv4-compatible'],
    ['::ffff:10.0.0.1', 'IPv4-mapped private'],
    ['::ffff:169.254.169.254', 'IPv4-mapped metadata'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['64:ff9b::a00:1', 'NAT64'],
    ['64:ff9b::808:808', 'NAT64'],
    ['64:ff9b:1::a00:1', 'local NAT64'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:10::1', 'ORCHID'],
    ['2001:db8::1', 'documentation'],
    ['2002:a00:1::', '6to4 of a private address'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'segment routing'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', 'a metadata service'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['', 'no address'],
    ['shop.example', 'no address'],
  ])('may not be %s: %s', (address) => {
    expect(mayDeliverTo(address, STRICT)).toBe(false);
    expect(mayDeliverTo(address, RELAXED)).toBe(false);
  });

  it.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])(
    'may be %s only where loopback addresses are allowed',
    (address) => {
      expect(mayDeliverTo(address, STRICT)).toBe(false);
      expect(mayDeliverTo(address, RELAXED)).toBe(true);
    },
  );
});

describe('delivery to a host name', () => {
  it.each([
    ['a loopback address', ['127.0.0.1']],
    ['a private address', ['10.0.0.8']],
    ['the metadata service', ['169.254.169.254']],
    ['a unique local address', ['fd00::8']],
    ['an IPv4-mapped loopback address', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['no address at all', []],
  ])('that resolves to %s opens no connection and reveals nothing more', async (_what, addresses) => {
    let connections = 0;
    const target = createTcpServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening));
    const { port } = target.address() as AddressInfo;
    const resolver = nameServers({ 'hooks.example': addresses });
    const result = await send(`https://hooks.example:${port}/`, { resolver });
    expect(result).toEqual({ statusCode: null, failure: NOT_PUBLIC });
    expect(resolver.asked).toEqual(['hooks.example']);
    expect(connections).toBe(0);
    await new Promise((closed) => target.close(closed));
  });

  it('fails in the same way when the name servers fail', async () => {
    const resolver = { resolve: () => Promise.reject(new Error('SERVFAIL')), cancel: () => undefined };
    expect(await send('https://hooks.example/', { resolver })).toEqual({
      statusCode: null,
      failure: NOT_PUBLIC,
    });
  });

  it('resolves once, and connects to exactly the checked address', async () => {
    const receiver = await startReceiver();
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const asked: string[] = [];
    const resolver: HostResolver = {
      async resolve(hostname) {
        asked.push(hostname);
        return answers[asked.length - 1] ?? [];
      },
      cancel: () => undefined,
    };
    const url = receiver.url.replace('127.0.0.1', 'rebinding.localhost');
    expect(await send(url, { resolver, policy: RELAXED })).toEqual({ statusCode: 204, failure: null });
    expect(asked).toEqual(['rebinding.localhost']);
    expect(receiver.received).toHaveLength(1);
    expect(await send(url, { resolver, policy: RELAXED })).toEqual({ statusCode: null, failure: NOT_PUBLIC });
    await receiver.close();
  });

  it('resolves localhost without a query', async () => {
    const resolver = createHostResolver();
    expect(await resolver.resolve('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await resolver.resolve('shop.localhost')).toEqual(['127.0.0.1', '::1']);
  });
});

describe('delivery to an IP address', () => {
  it.each([
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::ffff:7f00:1]/',
    'https://0/',
    'http://93.184.216.34/',
    'https://user@93.184.216.34/',
  ])(
    'is checked again before it is sent to %s, because the stored address may be older than the rules',
    async (url) => {
      expect(await send(url)).toEqual({ statusCode: null, failure: NOT_PUBLIC });
    },
  );
});

describe('delivery over TLS', () => {
  it('succeeds only with a trusted certificate', async () => {
    const server = createServer(localhostCertificate, (_request, response) => response.writeHead(204).end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const own = { resolver: createHostResolver(), policy: RELAXED };
    const failing = (reason: string) => ({ statusCode: null, failure: expect.stringContaining(reason) });
    const untrusted = failing(
      'Its TLS certificate is not from a trusted authority (DEPTH_ZERO_SELF_SIGNED_CERT).',
    );
    expect(await send(`https://localhost:${port}/`, own)).toEqual(untrusted);
    const trusted = getCACertificates();
    setDefaultCACertificates([...trusted, localhostCertificate.cert]);
    try {
      expect(await send(`https://localhost:${port}/`, own)).toEqual({ statusCode: 204, failure: null });
      // The certificate is for another name.
      expect(await send(`https://127.0.0.1:${port}/`, own)).toEqual(failing('is for another host name'));
    } finally {
      setDefaultCACertificates(trusted);
    }
    await new Promise((closed) => server.close(closed));
  });

  it('is not sent to a port that speaks plain HTTP', async () => {
    const receiver = await startReceiver();
    const result = await send(receiver.url.replace('http:', 'https:'), { policy: RELAXED });
    expect(result).toEqual({
      statusCode: null,
      failure: expect.stringMatching(/^The port does not speak TLS \(/),
    });
    await receiver.close();
  });
});

describe('connection that is kept', () => {
  /** Endpoint on a host name, with the number of its connections. */
  async function countingEndpoint() {
    const sockets: Socket[] = [];
    let requests = 0;
    const server = createHttpServer((_request, response) => {
      requests += 1;
      response.writeHead(200).end('ok');
    });
    server.on('connection', (socket) => sockets.push(socket));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    return {
      url: `http://hooks.localhost:${port}/`,
      sockets,
      requests: () => requests,
      close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
    };
  }
  const resolver = () => nameServers({ 'hooks.localhost': ['127.0.0.1'] });
  const delivered = { statusCode: 200, failure: null };

  it('serves the next delivery to the same webhook, at the address that was checked', async () => {
    const endpoint = await countingEndpoint();
    const shared = { resolver: resolver(), policy: RELAXED, connections: createConnections() };
    for (let count = 0; count < 3; count += 1) expect(await send(endpoint.url, shared)).toEqual(delivered);
    expect(endpoint.sockets).toHaveLength(1);
    expect(shared.resolver.asked).toEqual(['hooks.localhost']);
    shared.connections.close();
    await endpoint.close();
  });

  it('serves no other webhook, as an endpoint can send more than its response', async () => {
    const endpoint = await countingEndpoint();
    const shared = { resolver: resolver(), policy: RELAXED, connections: createConnections() };
    await send(endpoint.url, shared);
    await send(endpoint.url, { ...shared, webhookId: 'another' });
    expect(endpoint.sockets).toHaveLength(2);
    shared.connections.close();
    await endpoint.close();
  });

  it('does not serve an address in the URL that the policy forbids', async () => {
    const endpoint = await countingEndpoint();
    const url = endpoint.url.replace('hooks.localhost', '127.0.0.1');
    const connections = createConnections();
    expect(await send(url, { policy: RELAXED, connections })).toEqual(delivered);
    expect(await send(url, { policy: STRICT, connections })).toEqual({
      statusCode: null,
      failure: NOT_PUBLIC,
    });
    expect(endpoint.requests()).toBe(1);
    connections.close();
    await endpoint.close();
  });

  it('is replaced if the endpoint has closed it, without a failed attempt', async () => {
    const endpoint = await countingEndpoint();
    const shared = { resolver: resolver(), policy: RELAXED, connections: createConnections() };
    await send(endpoint.url, shared);
    // The endpoint resets the connection when the next request arrives on it.
    endpoint.sockets[0]
      ?.removeAllListeners('data')
      .once('data', () => endpoint.sockets[0]?.resetAndDestroy());
    expect(await send(endpoint.url, shared)).toEqual(delivered);
    expect(endpoint.sockets).toHaveLength(2);
    expect(shared.resolver.asked).toHaveLength(2);
    shared.connections.close();
    await endpoint.close();
  });

  it('is not tried a second time if it was new', async () => {
    let connections = 0;
    const target = createTcpServer((socket) => {
      connections += 1;
      socket.once('data', () => socket.resetAndDestroy());
    });
    await new Promise<void>((listening) => target.listen(0, '127.0.0.1', listening));
    const { port } = target.address() as AddressInfo;
    expect(await send(`http://127.0.0.1:${port}/`, { policy: RELAXED })).toMatchObject({ statusCode: null });
    expect(connections).toBe(1);
    await new Promise((closed) => target.close(closed));
  });
});

describe('endpoint that does not respond', () => {
  it('is limited by the timeout at every stage', async () => {
    const receiver = await startReceiver();
    receiver.answer(() => undefined);
    const slow = { policy: RELAXED, timeoutMs: 50 };
    const timedOut = { statusCode: null, failure: 'No response within 10 seconds.' };
    expect(await send(receiver.url, slow)).toEqual(timedOut);
    await receiver.close();
    // A connection without a response, headers that never end, name servers that never respond.
    const silent = createTcpServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    });
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    expect(await send(`http://127.0.0.1:${port}/`, slow)).toEqual(timedOut);
    const resolver = { resolve: () => new Promise<never>(() => undefined), cancel: () => undefined };
    expect(await send('https://hooks.example/', { resolver, timeoutMs: 50 })).toEqual(timedOut);
    await new Promise((closed) => silent.close(closed));
  });
});
