import { connect } from 'node:net';
import { envelopeFailureSchemas, oauthErrorSchemas, rejectionSchemas } from '@latchkey/contract';
import { PATHS } from '@latchkey/contract/constants';
import { describe, expect } from 'vitest';
import { errorOf } from './authorization-flow.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, PUBLIC, START, startService } from './service-under-test.js';

describe('unknown path', () => {
  it('below /oauth returns 404 in the OAuth error body', async ({ service }) => {
    for (const path of [
      '/oauth',
      '/oauth/',
      '/oauth/nope',
      '/oauth/token/',
      '/OAuth/token'.toLowerCase().concat('/x'),
    ]) {
      const response = await service.request(path);
      expect(response.status, path).toBe(404);
      oauthErrorSchemas(['invalid_request']).strict.parse(await response.json());
    }
  });

  it('below the API-key paths returns 404 in the rejection body, without the query', {
    tags: [
      'rejection.success-false',
      'rejection.message',
      'rejection.status-code',
      'rejection.timestamp',
      'rejection.path',
      'rejection.no-error-code',
      'rejection.no-data',
    ],
  }, async ({ service }) => {
    const response = await service.request('/api/nope?secret=1');
    expect(response.status).toBe(404);
    const body = rejectionSchemas.strict.parse(await response.json());
    expect(body).toMatchObject({ success: false, statusCode: 404, path: '/api/nope' });
    expect(body.timestamp).toBe('2026-06-12T14:05:00.000Z');
  });

  it('elsewhere returns a page to a browser and JSON to a program', async ({ service }) => {
    const page = await service.request('/nope', { headers: { accept: 'text/html' } });
    expect(page.status).toBe(404);
    expect(textOf(parsePage(await page.text()), 'h1')).not.toBe('');
    const json = await service.request('/nope', { headers: { accept: 'application/json' } });
    expect(json.status).toBe(404);
    rejectionSchemas.strict.parse(await json.json());
  });

  it('leads to the home page, and back to the page of this service that led here', async ({ service }) => {
    const links = async (referer: string) => {
      const headers = { accept: 'text/html', referer };
      const $ = parsePage(await (await service.request('/nope?x=1', { headers })).text());
      return $('main a')
        .toArray()
        .map((link) => $(link).attr('href'));
    };
    const { baseUrl } = service;
    expect(await links(`${baseUrl}/docs?from="a"#part`)).toEqual(['/sandbox', '/docs?from=%22a%22']);
    const others = [
      '',
      'about:blank',
      'https://evil.example/docs',
      `${baseUrl}.evil.example/`,
      `${baseUrl}//evil.example/`,
      `${baseUrl}/\\\\evil.example/`,
      `${baseUrl}/nope?x=1`,
    ];
    for (const referer of others) expect(await links(referer), referer).toEqual(['/sandbox']);
  });

  it('differs from a known one by a slash or by case, and no version prefix exists', {
    tags: ['versioning.no-path-prefix'],
  }, async ({ service }) => {
    for (const path of [
      '/account/',
      '/Account',
      '/sign-in/',
      `/widget/callback/${PUBLIC}/`,
      `/Widget/callback/${PUBLIC}`,
      '/v1/oauth/userinfo',
    ]) {
      expect((await service.request(path)).status, path).toBe(404);
    }
  });
});

describe('OAuth surface', () => {
  it('has exactly seven endpoints, each for one method', { tags: ['general.seven-oauth-endpoints'] }, async ({
    service,
  }) => {
    const endpoints = [
      ['GET', PATHS.authorize],
      ['POST', PATHS.token],
      ['POST', PATHS.revoke],
      ['GET', PATHS.userinfo],
      ['GET', PATHS.memberships],
      ['GET', PATHS.products],
      ['GET', PATHS.clientIdentity.replace('{clientId}', PUBLIC)],
    ] as const;
    for (const [method, path] of endpoints) {
      expect([200, 400, 401]).toContain((await service.request(path, { method })).status);
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => name !== method)) {
        const response = await service.request(path, { method: other });
        expect(response.status, `${other} ${path}`).toBe(405);
        expect(response.headers.get('allow')).toBe(method);
      }
    }
    for (const path of [
      '/oauth/introspect',
      '/oauth/register',
      '/oauth/device',
      '/oauth/logout',
      '/oauth/par',
    ]) {
      expect((await service.request(path, { method: 'POST' })).status).toBe(404);
    }
  });

  it('sends no version header', { tags: ['versioning.no-version-header'] }, async ({ service }) => {
    const names = [...(await service.request('/oauth/userinfo')).headers.keys()];
    expect(names.filter((name) => /version/.test(name))).toEqual([]);
  });

  it('rejects a wrong method in the OAuth error body, also at client identity', async ({ service }) => {
    for (const [path, method] of [
      [PATHS.token, 'GET'],
      [PATHS.userinfo, 'POST'],
      [PATHS.clientIdentity.replace('{clientId}', PUBLIC), 'POST'],
      [PATHS.clientIdentity.replace('{clientId}', '%'), 'POST'],
    ] as const) {
      const refused = await errorOf(await service.request(path, { method }));
      expect(refused.error, `${method} ${path}`).toBe('invalid_request');
    }
    expect((await service.request(PATHS.token)).status).toBe(405);
  });
});

describe('unreadable request', () => {
  it('gets 400 in the shape of its surface', async ({ service }) => {
    const identity = await service.request('/oauth/client/%E0%A4%A');
    expect(identity.status).toBe(400);
    envelopeFailureSchemas(['bad_request']).strict.parse(await identity.json());
    const browser = service.browser();
    const large = await browser.post('/sign-in/code', { email: 'x'.repeat(100_001) });
    expect(large.status).toBe(413);
    expect(textOf(parsePage(await large.text()), 'main')).toContain('100 kB');
  });

  it('is not logged as a failure of the service if the caller disconnects before the end of the body', async ({
    service,
  }) => {
    for (const path of [PATHS.token, '/sign-in/code']) {
      const socket = connect(service.server.port, '127.0.0.1');
      const head = `POST ${path} HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\nOrigin: ${service.baseUrl}\r\n`;
      const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nclient_id=';
      socket.write(`${head}${form}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
      socket.destroy();
      await expect
        .poll(() => service.log.find((line) => line.includes('"aborted":true') && line.includes(path)))
        .toBeDefined();
    }
    // The body parser reports the end of the connection at the latest in the next turns of the event loop.
    await service.request('/healthz');
    expect(service.log.filter((line) => line.includes('Request failed'))).toEqual([]);
  });
});

describe('internal error', () => {
  it('reveals nothing to the caller, in the shape of its surface, and logs everything but secrets', async ({
    onTestFinished,
  }) => {
    let isBroken = false;
    const service = await startService({
      clock: {
        now: () => {
          if (isBroken) throw new Error('the inner cause');
          return START;
        },
      },
      sandbox: false,
      mailer: { send: async () => undefined },
    });
    onTestFinished(() => service.server.close());
    isBroken = true;
    const response = await service.request('/oauth/userinfo', {
      headers: { authorization: 'Bearer the-secret-token' },
    });
    expect(response.status).toBe(500);
    const text = await response.text();
    oauthErrorSchemas(['server_error']).strict.parse(JSON.parse(text));
    expect(text).not.toContain('inner cause');
    expect(service.log.join('\n')).toContain('the inner cause');
    expect(service.log.join('\n')).not.toContain('the-secret-token');
  });
});
