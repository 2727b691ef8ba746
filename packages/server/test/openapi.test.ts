import { ENDPOINTS, type Endpoint, webhookEventSchemas } from '@latchkey/contract';
import { WEBHOOK_EVENT_TYPES } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect } from 'vitest';
import { EVENT_EXAMPLES, EXAMPLES } from '../src/features/reference/examples.js';
import { createOpenApiDocument } from '../src/features/reference/openapi-document.js';
import type { JsonSchema } from '../src/features/reference/published-schemas.js';
import { callWithKey } from './api-key-requests.js';
import { it } from './service-under-test.js';

const document = createOpenApiDocument({ baseUrl: 'https://members.shop.test' });
const endpoints = Object.entries<Endpoint>(ENDPOINTS);

describe('API description', () => {
  it('is public, and not sent again to a caller with the current version', async ({ service }) => {
    const response = await service.request('/openapi.json');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    const served = (await response.json()) as typeof document;
    expect(served.openapi).toBe('3.1.0');
    expect(served.servers).toEqual([{ url: service.baseUrl, description: 'This service' }]);
    const tag = response.headers.get('etag') ?? '';
    // Uses no fetch, which requests a fresh copy when it is given an ETag.
    const again = await callWithKey(service, {
      path: '/openapi.json',
      key: null,
      headers: { 'if-none-match': tag },
    });
    expect(again).toMatchObject({ status: 304, text: '' });
    expect((await service.request('/openapi.json', { method: 'POST' })).status).toBe(405);
  });

  it('satisfies the recommended rules of a public linter', async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: '/openapi.json',
      config: await createConfig({ extends: ['recommended'] }),
    });
    expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([
      // The response of authorize is a redirect: the spec defines no 2xx for it.
      'operation-2xx-response #/paths/~1oauth~1authorize/get/responses',
    ]);
  });

  it('has the twelve endpoints with every status of the table and their requirements', () => {
    for (const [name, { method, path, auth, success, failures }] of endpoints) {
      const operation = document.paths[path]?.[method === 'GET' ? 'get' : 'post'];
      expect(operation?.operationId, path).toBe(name);
      expect(Object.keys(operation?.responses ?? {}).sort(), path).toEqual(
        [success.status, ...Object.keys(failures)].map(String).sort(),
      );
      const needed = {
        'api-key': [{ apiKey: 'permissions' in auth ? auth.permissions : [] }],
        'access-token': [{ accessToken: 'scope' in auth ? [auth.scope] : [] }],
        'client-credentials': [],
        none: [],
      }[auth.kind];
      expect(operation?.security, path).toEqual(needed);
    }
    expect(Object.keys(document.paths)).toHaveLength(12);
  });

  it('accepts forms where the API does: at token and revoke', () => {
    const withForm = Object.entries(document.paths).filter(
      ([, item]) => 'application/x-www-form-urlencoded' in (item.post?.requestBody?.content ?? {}),
    );
    expect(withForm.map(([path]) => path).sort()).toEqual(['/oauth/revoke', '/oauth/token']);
  });

  it('has the five events with the three headers of a delivery', () => {
    expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENT_TYPES]);
    for (const { post } of Object.values(document.webhooks)) {
      expect(post.parameters?.map(({ name }) => name)).toEqual([
        'X-Svc-Signature',
        'X-Svc-Event-Type',
        'X-Svc-Event-Id',
      ]);
    }
  });

  it('describes every parameter and every field', () => {
    const operations = [
      ...Object.values(document.paths).flatMap(({ get, post }) =>
        [get, post].filter((it) => it !== undefined),
      ),
      ...Object.values(document.webhooks).map(({ post }) => post),
    ];
    const silent = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.filter(({ description }) => description === '').map(({ name }) => `${operationId} ${name}`),
    );
    expect(silent).toEqual([]);
    const undescribed = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      undescribedFields(schema).map((field) => `${name}.${field}`),
    );
    expect(undescribed).toEqual([]);
  });

  it('allows unknown fields and values in responses', () => {
    const text = JSON.stringify(document.components.schemas.ProvisionedMembership);
    expect(text).toContain('"x-extensible-enum":["created","extended","replaced","idempotent_return"]');
    expect(text).not.toContain('additionalProperties');
    const { onOverlap } = document.components.schemas.ProvisionExternalRequest?.properties ?? {};
    expect(onOverlap).toMatchObject({ enum: ['extend', 'replace', 'error'], default: 'extend' });
  });
});

describe('examples of the description', () => {
  it('are requests and responses that match the contract', () => {
    for (const [name, { request, success, failures }] of endpoints) {
      const examples = EXAMPLES[name as keyof typeof EXAMPLES];
      for (const { summary, value } of Object.values(examples.body ?? {})) {
        expect(request.body?.safeParse(value).success, `${name}: ${summary}`).toBe(true);
      }
      for (const { summary, value } of Object.values(examples.success ?? {})) {
        expect(success.body?.strict.safeParse(value).success, `${name}: ${summary}`).toBe(true);
      }
      for (const [status, views] of Object.entries(failures)) {
        const shown = Object.values(examples.failures[Number(status)] ?? {});
        expect(shown.length, `${name} ${status}`).toBeGreaterThan(0);
        for (const { summary, value } of shown) {
          expect(views.strict.safeParse(value).success, `${name} ${status}: ${summary}`).toBe(true);
        }
      }
    }
    for (const type of WEBHOOK_EVENT_TYPES) {
      expect(webhookEventSchemas[type].strict.safeParse(EVENT_EXAMPLES[type].value).success, type).toBe(true);
    }
  });

  it('name the community, the plan, the clients and the users of the seeded sandbox', () => {
    const text = JSON.stringify(EXAMPLES);
    const { community, plans, users, publicClient, confidentialClient, products } = sandboxScenario;
    for (const fact of [
      community.id,
      plans.monthly.id,
      users.ada.id,
      String(users.ada.messengerUserId),
      publicClient.clientId,
      confidentialClient.clientId,
      confidentialClient.clientSecret,
      products.brewGuide.id,
    ]) {
      expect(text).toContain(fact);
    }
  });
});

/** Names of the fields without a description, at any depth. A constant needs none. */
function undescribedFields(schema: JsonSchema): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description === undefined && field.const === undefined && field.$ref === undefined
      ? [name]
      : []),
    ...undescribedFields(field).map((inner) => `${name}.${inner}`),
  ]);
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...own, ...parts.flatMap(undescribedFields)];
}
