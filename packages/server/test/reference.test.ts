import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { createOpenApiDocument } from '../src/features/reference/openapi-document.js';
import { parsePage } from './pages/page-document.js';
import { requestExample } from './request-example.js';
import { it, startService } from './service-under-test.js';

describe('examples of the OpenAPI document', () => {
  it('are accepted by the seeded sandbox', async ({ service }) => {
    const { paths } = createOpenApiDocument({ baseUrl: service.baseUrl });
    const statuses: Record<string, number> = {};
    for (const [path, { get, post }] of Object.entries(paths)) {
      const operation = get ?? post;
      if (operation === undefined) throw new Error(`${path} has no operation.`);
      const method = get === undefined ? 'POST' : 'GET';
      const example = requestExample(operation, { method, path, baseUrl: service.baseUrl });
      const { url, init } = parseCurl(example.replace('$API_KEY', sandboxScenario.apiKey));
      expect(url.startsWith(service.baseUrl), example).toBe(true);
      statuses[operation.operationId] = (await fetch(url, { redirect: 'manual', ...init })).status;
    }
    expect(statuses).toEqual({
      provisionExternal: 200,
      checkMessenger: 200,
      buyPlan: 201,
      // The checkout is not paid.
      inviteLink: 404,
      dropSignup: 201,
      authorize: 302,
      // The example's code and tokens are unknown.
      token: 400,
      revoke: 200,
      clientIdentity: 200,
      userinfo: 401,
      memberships: 401,
      products: 401,
    });
  });

  it('quotes text for the shell', () => {
    const { paths } = createOpenApiDocument({ baseUrl: 'https://members.shop.test' });
    const operation = paths['/api/drop-notification/signup']?.post;
    if (operation?.requestBody === undefined) throw new Error('There is no body.');
    const examples = { one: { summary: 'A quote', value: { email: "o'hara@example.com" } } };
    const content = { 'application/json': { schema: {}, examples } };
    const example = requestExample(
      { ...operation, requestBody: { required: true, content } },
      { method: 'POST', path: '/x', baseUrl: 'https://members.shop.test' },
    );
    expect(example).toContain("o'\\''hara@example.com");
  });
});

describe('API reference', () => {
  it('runs only its own scripts, from immutable addresses', async ({ service }) => {
    const response = await service.request('/reference');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    const $ = parsePage(await response.text());
    const assets = [
      ...$('script')
        .toArray()
        .map((script) => $(script).attr('src') ?? ''),
      $('link[rel="stylesheet"]').first().attr('href') ?? '',
    ];
    expect(assets).toHaveLength(3);
    for (const path of assets) {
      const asset = await service.request(path);
      expect(asset.status, path).toBe(200);
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(asset.headers.get('content-type')).toMatch(/^text\/(?:javascript|css)/);
    }
    for (const path of ['package.json', 'index.html', '..%2fpackage.json', 'swagger-ui.js']) {
      const [folder = ''] = /^\/assets\/[^/]+\//.exec(assets[0] ?? '') ?? [];
      expect((await service.request(`${folder}${path}`)).status, path).toBe(404);
    }
  });

  it('sends requests in the sandbox, with the public test key', async ({ service }) => {
    const $ = parsePage(await (await service.request('/reference')).text());
    expect($('#viewer').attr('data-can-try')).toBe('');
    expect($('#viewer').attr('data-api-key')).toBe(sandboxScenario.apiKey);
  });

  it('sends no requests outside the sandbox', { tags: ['general.api-key-not-in-browser'] }, async ({
    onTestFinished,
  }) => {
    const mailer = { send: async () => undefined };
    const service = await startService({ sandbox: false, mailer, database: 'sqlite::memory:' });
    onTestFinished(() => service.server.close());
    const $ = parsePage(await (await service.request('/reference')).text());
    expect($('#viewer').attr('data-can-try')).toBeUndefined();
    expect($('#viewer').attr('data-api-key')).toBeUndefined();
  });
});

/** Returns the request that curl would send. A plain address is a GET. */
function parseCurl(example: string): { url: string; init: RequestInit } {
  const words = [...example.matchAll(/'((?:[^']|'\\'')*)'|"([^"]*)"|([^\s\\]+)/g)].map(
    ([, single, double, plain]) => (single ?? double ?? plain ?? '').replaceAll("'\\''", "'"),
  );
  if (words[0] !== 'curl') return { url: example, init: {} };
  const after = (flag: string) => words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
  const fields = after('--data-urlencode').map((pair) => pair.split(/=(.*)/s, 2) as [string, string]);
  const [json] = after('-d');
  const body = fields.length > 0 ? new URLSearchParams(fields) : json;
  return {
    url: words.find((word) => word.startsWith('http')) ?? '',
    init: {
      method: after('-X')[0] ?? 'GET',
      headers: after('-H').map((line) => line.split(/: (.*)/s, 2) as [string, string]),
      ...(body !== undefined && { body }),
    },
  };
}
