import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { answerForm, networkFailureOf } from '@latchkey/contract/constants';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { localhostCertificate } from '../../../scripts/localhost-certificate.mjs';

/** Listens on loopback until the test ends. Returns the port. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function failureOf(url: string, init: RequestInit = {}) {
  try {
    await (await fetch(url, init)).text();
  } catch (error) {
    return networkFailureOf(error);
  }
  throw new Error(`${url} responded.`);
}

/** Starts a program of each kind and returns the address that a developer would call by mistake. */
const CASES: readonly [
  name: string,
  address: () => Promise<string>,
  reason: RegExp,
  wasConnected: boolean,
][] = [
  [
    'a port on which nothing listens',
    async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      return `http://127.0.0.1:${port}/`;
    },
    /^nothing accepts connections there \(ECONNREFUSED\)$/,
    false,
  ],
  [
    'a host name without an address',
    async () => 'http://nothing.invalid/',
    /^the host name (has no address|could not be looked up) \(E/,
    false,
  ],
  [
    'a self-signed certificate',
    async () => `https://localhost:${await listening(createHttpsServer(localhostCertificate))}/`,
    /^its TLS certificate is not from a trusted authority \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    false,
  ],
  [
    'https to a port of http',
    async () => `https://127.0.0.1:${await listening(createHttpServer())}/`,
    /^the port does not speak TLS \(ERR_SSL_WRONG_VERSION_NUMBER\)$/,
    false,
  ],
  [
    'http to a port of https',
    async () => `http://127.0.0.1:${await listening(createHttpsServer(localhostCertificate))}/`,
    /^the connection was closed before the response was complete/,
    true,
  ],
  [
    'https to a port that closes connections',
    async () => `https://127.0.0.1:${await listening(createServer((socket) => socket.destroy()))}/`,
    /^the connection was closed during the TLS handshake/,
    false,
  ],
  [
    'a port of another protocol',
    async () => `http://127.0.0.1:${await listening(createServer((socket) => socket.end('SSH-2.0-x\r\n')))}/`,
    /^what answers there does not speak HTTP/,
    true,
  ],
  [
    'a response that breaks off',
    async () => {
      const half = 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf';
      return `http://127.0.0.1:${await listening(createServer((socket) => socket.end(half)))}/`;
    },
    /^the connection was closed before the response was complete/,
    true,
  ],
  [
    'a body in another encoding than its header',
    async () => {
      const server = createHttpServer((_request, response) => {
        response.setHeader('Content-Encoding', 'gzip').end('plain');
      });
      return `http://127.0.0.1:${await listening(server)}/`;
    },
    /^the body does not fit its Content-Encoding \(Z_DATA_ERROR\)$/,
    true,
  ],
  [
    'headers that are too large',
    async () => {
      const server = createHttpServer((_request, response) => {
        response.setHeader('X-Large', 'x'.repeat(20_000)).end();
      });
      return `http://127.0.0.1:${await listening(server)}/`;
    },
    /^the headers of the response are too large/,
    true,
  ],
  [
    'a port that fetch never calls',
    async () => 'http://127.0.0.1:6000/',
    /^fetch does not call this port/,
    false,
  ],
];

describe('networkFailureOf', () => {
  it.for(CASES)('says the cause of %s', async ([, address, reason, wasConnected]) => {
    const failure = await failureOf(await address());
    expect(failure.reason).toMatch(reason);
    expect(failure.wasConnected).toBe(wasConnected);
    expect(failure.sentence).toMatch(/^[A-Z].*\.$/);
    expect(failure.advice).toMatch(/^[A-Z].*\.$/);
  });

  it('tells the certificate for another name from one of an unknown authority', () => {
    const altName = Object.assign(new Error('x'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    const expired = Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' });
    expect(networkFailureOf(new TypeError('fetch failed', { cause: altName })).reason).toContain(
      'another host name',
    );
    expect(networkFailureOf(expired).reason).toContain('has expired');
  });

  it('says that no response arrived in time', async () => {
    const url = `http://127.0.0.1:${await listening(createServer())}/`;
    const failure = await failureOf(url, { signal: AbortSignal.timeout(1) });
    expect(failure).toMatchObject({ reason: 'no response arrived in time', wasConnected: true });
  });

  it('says that a redirect is not followed', async () => {
    const server = createHttpServer((_request, response) => response.writeHead(302, { Location: '/' }).end());
    const failure = await failureOf(`http://127.0.0.1:${await listening(server)}/`, { redirect: 'error' });
    expect(failure.reason).toBe('the response is a redirect, which is not followed');
  });

  it('says that a proxy of the environment cannot be reached', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = 'http://127.0.0.1:4/';
    vi.stubEnv('HTTPS_PROXY', 'http://nothing.invalid:8080');
    vi.stubEnv('HTTP_PROXY', url);
    expect((await failureOf(url)).reason).toBe('nothing accepts connections there (ECONNREFUSED)');
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    expect(await failureOf(url)).toMatchObject({
      reason: 'HTTP_PROXY leads to a proxy, and nothing accepts connections there (ECONNREFUSED)',
      advice: 'Correct HTTP_PROXY, or add the host to NO_PROXY.',
    });
    expect((await failureOf('http://nothing.invalid/')).reason).toMatch(/^HTTPS_PROXY leads to a proxy, and/);
  });

  it('takes the first of several attempts to connect', () => {
    const attempts = ['::1', '127.0.0.1'].map((host) =>
      Object.assign(new Error(`connect ECONNREFUSED ${host}`), { code: 'ECONNREFUSED' }),
    );
    const cause = new AggregateError(attempts);
    expect(networkFailureOf(new TypeError('fetch failed', { cause })).reason).toContain('(ECONNREFUSED)');
  });

  it.for([undefined, null, 'text', new TypeError('Failed to fetch'), new DOMException('x', 'AbortError')])(
    'says what is certain of an unknown error: %s',
    (error) => {
      expect(networkFailureOf(error).reason).toBe('there was no connection, or it broke');
    },
  );

  it('ends with causes in a circle', () => {
    const error = new Error('one');
    error.cause = new Error('two', { cause: error });
    expect(networkFailureOf(error).reason).toBe('there was no connection, or it broke');
  });
});

describe('answerForm', () => {
  it.for([
    [
      302,
      { location: 'https://user:pass@www.shop.example/login?token=1' },
      'a redirect to https://www.shop.example',
    ],
    [301, { location: '/login?token=1' }, 'a redirect'],
    [0, {}, 'a redirect'],
    [200, { 'content-type': 'text/html; charset=utf-8' }, 'an HTML page'],
    [502, { 'content-type': 'text/plain' }, 'text/plain'],
    [204, {}, 'a body without a content type'],
  ] as const)('of status %i with %o', ([status, headers, form]) => {
    expect(answerForm(status, new Headers(headers))).toBe(form);
  });
});
