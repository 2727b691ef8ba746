import { request as httpRequest } from 'node:http';
import { describe, expect, it as plainIt } from 'vitest';
import { startSandbox } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it } from './sandbox-under-test.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('the control API', () => {
  it('rejects calls without the token, and tells nothing', async ({ service }) => {
    const wrong = [
      {},
      { Authorization: 'Bearer wrong' },
      { Authorization: `Basic ${service.server.controlToken}` },
      { Authorization: `Bearer ${service.server.controlToken}x` },
      { Cookie: `token=${service.server.controlToken}` },
    ];
    for (const headers of wrong) {
      for (const call of ['GET /requests', 'GET /stream', 'GET /openapi.json', 'GET /nothing-here']) {
        const { status, body } = await callControl(
          service,
          call,
          undefined,
          headers as Record<string, string>,
        );
        expect([call, status, body]).toMatchObject([call, 401, { error: { code: 'unauthorized' } }]);
      }
    }
    const { status } = await callControl(
      service,
      `GET /requests?token=${service.server.controlToken}`,
      undefined,
      {},
    );
    expect(status).toBe(401);
  });

  it('rejects pages of other origins, also with the token', async ({ service }) => {
    const token = { Authorization: `Bearer ${service.server.controlToken}` };
    const pages: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: service.baseUrl.replace(/\d+$/, '1') },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const page of pages) {
      for (const call of ['GET /requests', 'GET /stream', 'DELETE /requests', 'OPTIONS /requests']) {
        const answer = await callControl(service, call, undefined, { ...token, ...JSON_TYPE, ...page });
        expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      }
    }
    const own = { ...token, Origin: service.baseUrl, 'Sec-Fetch-Site': 'same-origin' };
    expect((await callControl(service, 'GET /requests', undefined, own)).status).toBe(200);
  });

  it('rejects a host name that was bound to this machine', async ({ service }) => {
    const { port } = new URL(service.baseUrl);
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: '/sandbox/api/requests',
          headers: { Host: `evil.example:${port}`, Authorization: `Bearer ${service.server.controlToken}` },
        },
        (response) => resolve(response.resume().statusCode),
      );
      request.once('error', reject).end();
    });
    expect(status).toBe(421);
  });

  it('accepts only JSON, so that no form of another site reaches it', async ({ service }) => {
    const token = { Authorization: `Bearer ${service.server.controlToken}` };
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
      const answer = await callControl(service, 'DELETE /requests', undefined, {
        ...token,
        'Content-Type': type,
      });
      expect([answer.status, answer.body]).toMatchObject([
        415,
        { error: { code: 'unsupported_media_type' } },
      ]);
    }
  });

  it('names unknown paths, other methods and wrong fields', async ({ service }) => {
    expect(await callControl(service, 'GET /nothing')).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    const other = await callControl(service, 'POST /requests', {});
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
    const wrong = await callControl(service, 'GET /requests?limit=0&nonsense=1');
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_input', fields: { limit: expect.any(String) } } },
    });
    const missing = await callControl(service, 'GET /requests/req_999');
    expect(missing).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it('never writes the token to the log', async ({ service }) => {
    await callControl(service, 'GET /requests');
    await callControl(service, `GET /requests/${service.server.controlToken}`);
    expect(service.log.join('\n')).not.toContain(service.server.controlToken);
  });

  it('describes all of its endpoints as OpenAPI', async ({ service }) => {
    const { body } = await callControl<{ paths: Record<string, Record<string, { summary: string }>> }>(
      service,
      'GET /openapi.json',
    );
    expect(Object.keys(body.paths)).toContain('/sandbox/api/requests/{id}');
    for (const operations of Object.values(body.paths)) {
      for (const { summary } of Object.values(operations)) expect(summary).toMatch(/\.$/);
    }
  });

  plainIt('uses a chosen token, and rejects one that can be guessed', async () => {
    const controlToken = 'chosen-token-of-the-tests';
    const sandbox = await startSandbox({ controlToken });
    const headers = { Authorization: `Bearer ${controlToken}` };
    expect((await fetch(`${sandbox.baseUrl}/sandbox/api/requests`, { headers })).status).toBe(200);
    await sandbox.close();
    await expect(startSandbox({ controlToken: 'short' })).rejects.toThrow('LATCHKEY_SANDBOX_TOKEN');
    await expect(startSandbox({ controlToken: `${'a'.repeat(30)}\n` })).rejects.toThrow('24 to 200');
  });
});
