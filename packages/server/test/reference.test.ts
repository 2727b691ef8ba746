import { ENDPOINTS, type Endpoint } from '@latchkey/contract';
import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { createOpenApiDocument } from '../src/web/reference/openapi-document.js';
import { deliveryExample, requestExample } from '../src/web/reference/request-example.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, startService } from './service-under-test.js';

const names = Object.keys(ENDPOINTS);
const events = WEBHOOK_EVENT_TYPES.map((type) => `event-${type.replaceAll('.', '-')}`);

describe('the reference of the API', () => {
  it('shows every endpoint and every event, with the rules, the fields and each answer', async ({
    service,
  }) => {
    const response = await service.request('/reference');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
    const $ = parsePage(await response.text());
    const sections = $('section.operation')
      .toArray()
      .map((section) => $(section).attr('id'));
    expect(sections.sort()).toEqual([...names, ...events].sort());
    for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
      const text = textOf($, `#${name}`);
      expect(text, name).toContain(endpoint.path);
      for (const status of [endpoint.success.status, ...Object.keys(endpoint.failures)]) {
        expect(textOf($, `#${name} .status:contains("${status}")`), `${name} ${status}`).toBe(String(status));
      }
    }
    const provisioning = textOf($, '#provisionExternal');
    for (const fact of [
      'Extending does not add periods together.',
      'externalOrderId',
      'string, 1 to 255 characters',
      'idempotent_return',
      'more may come',
      'MEMBERSHIP_PROVISION',
    ]) {
      expect(provisioning).toContain(fact);
    }
  });

  it('leads from its contents to every section', async ({ service }) => {
    const $ = parsePage(await (await service.request('/reference')).text());
    const targets = $('nav.contents a')
      .toArray()
      .map((link) => $(link).attr('href') ?? '');
    expect(targets).toHaveLength(names.length + events.length);
    for (const target of targets) expect($(target)).toHaveLength(1);
  });

  it('has requests to copy that reach the seeded sandbox', async ({ service }) => {
    const { paths } = createOpenApiDocument({ baseUrl: service.baseUrl });
    const statuses: Record<string, number> = {};
    for (const [path, { get, post }] of Object.entries(paths)) {
      const operation = get ?? post;
      if (operation === undefined) throw new Error(`${path} has no operation.`);
      const method = get === undefined ? 'POST' : 'GET';
      const example = requestExample(operation, { method, path, baseUrl: service.baseUrl });
      const { url, init } = readCurl(example.replace('$API_KEY', sandboxScenario.apiKey));
      expect(url.startsWith(service.baseUrl), example).toBe(true);
      statuses[operation.operationId] = (await fetch(url, { redirect: 'manual', ...init })).status;
    }
    expect(statuses).toEqual({
      provisionExternal: 200,
      checkMessenger: 200,
      buyPlan: 201,
      // Nobody has paid that checkout.
      inviteLink: 404,
      dropSignup: 201,
      authorize: 302,
      // The example's code and tokens are nobody's.
      token: 400,
      revoke: 200,
      clientIdentity: 200,
      userinfo: 401,
      memberships: 401,
      products: 401,
    });
  });

  it('shows deliveries as they come over the wire', () => {
    const { webhooks } = createOpenApiDocument({ baseUrl: 'https://members.shop.test' });
    const [head = '', body = ''] = deliveryExample(webhooks['payment.success'].post).split('\n\n');
    expect(head).toContain('X-Svc-Event-Type: payment.success');
    expect(JSON.parse(body)).toMatchObject({ type: 'payment.success' });
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

describe('the viewer of the API', () => {
  it('runs nothing but its own scripts, which never change at their addresses', async ({ service }) => {
    const response = await service.request('/reference/try');
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

  it('sends requests in the sandbox, with the key that everybody may know', async ({ service }) => {
    const $ = parsePage(await (await service.request('/reference/try')).text());
    expect($('#viewer').attr('data-can-try')).toBe('');
    expect($('#viewer').attr('data-api-key')).toBe(sandboxScenario.apiKey);
    const reference = parsePage(await (await service.request('/reference')).text());
    expect(textOf(reference, 'main')).toContain(`export API_KEY=${sandboxScenario.apiKey}`);
    expect(reference('a.try-link')).toHaveLength(names.length);
  });

  it('only shows outside of the sandbox: a key must never be in a browser [general.api-key-not-in-browser]', async ({
    onTestFinished,
  }) => {
    const mailer = { send: async () => undefined };
    const service = await startService({ sandbox: false, mailer, database: 'sqlite::memory:' });
    onTestFinished(() => service.server.close());
    const $ = parsePage(await (await service.request('/reference/try')).text());
    expect($('#viewer').attr('data-can-try')).toBeUndefined();
    expect($('#viewer').attr('data-api-key')).toBeUndefined();
    const reference = parsePage(await (await service.request('/reference')).text());
    expect(reference('a.try-link')).toHaveLength(0);
    expect(textOf(reference, 'main')).not.toContain('export API_KEY');
  });
});

/** What curl would send; an address by itself is a GET. */
function readCurl(example: string): { url: string; init: RequestInit } {
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
