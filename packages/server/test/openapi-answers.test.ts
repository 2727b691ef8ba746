import { ENDPOINTS, type Endpoint } from '@latchkey/contract';
import { type EndpointName, PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { Ajv2020 } from '@redocly/ajv/dist/2020.js';
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { createOpenApiDocument } from '../src/features/reference/openapi-document.js';
import { type ApiKeyRequest, type ApiKeyResponse, callWithKey, keyWith } from './api-key-requests.js';
import {
  authorizePath,
  confidentialRequest,
  confidentialTokens,
  publicCode,
  publicRedemption,
  publicTokens,
} from './authorization-flow.js';
import { it, METHODS, payFor, purchase } from './checkout-world.js';
import { CONFIDENTIAL, PUBLIC, SECRET, startService } from './service-under-test.js';
import { removeSandboxMark } from './service-with-database.js';

const { users, community, plans } = sandboxScenario;
const UNKNOWN = '5eed0000-0000-4000-8000-00000000ffff';
const TRACED = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };

const validate = answerValidator();

/** Checks responses of the service against the description of the endpoint and status. */
function check(name: EndpointName, status: number, answer: ApiKeyResponse): void {
  expect(answer.status, `${name} ${status}: ${answer.text}`).toBe(status);
  expect(validate(name, answer), `${name} ${status}: ${answer.text}`).toEqual([]);
  checked.add(`${name} ${status}`);
}

/** Endpoint and status of every response that was checked. */
const checked = new Set<string>();

/** The five endpoints, each with a valid request. */
const valid = {
  provisionExternal: {
    path: PATHS.provisionExternal,
    json: { communityId: community.id, externalOrderId: 'order-1', email: 'grace@example.com' },
  },
  inviteLink: { path: PATHS.inviteLink.replace('{externalId}', 'order-7') },
  checkMessenger: {
    path: PATHS.checkMessenger.replace('{communityId}', community.id).replace('{messengerUserId}', '1001'),
  },
  buyPlan: { path: PATHS.buyPlan, json: purchase() },
  dropSignup: {
    path: PATHS.dropSignup,
    json: { communityId: community.id, email: 'grace@example.com', phoneNumber: '+44 20 7946 0018' },
  },
} satisfies Partial<Record<EndpointName, ApiKeyRequest>>;

type KeyEndpoint = keyof typeof valid;
const keyEndpoints = Object.keys(valid) as KeyEndpoint[];

/** Request with one changed field of its body or path. */
function changed(name: KeyEndpoint, field: string, value: unknown): ApiKeyRequest {
  const request: ApiKeyRequest = valid[name];
  if (request.json !== undefined) return { ...request, json: { ...request.json, [field]: value } };
  return { path: request.path.replace(community.id, String(value)).replace('order-7', String(value)) };
}

describe('responses behind an API key', () => {
  it('match the description', async ({ service }) => {
    const send = (request: ApiKeyRequest) => callWithKey(service, { headers: TRACED, ...request });
    check('inviteLink', 404, await send(valid.inviteLink));
    await payFor(service, { pricingPlanId: plans.lifetime.id }, METHODS.transfer);
    check('inviteLink', 200, await send(valid.inviteLink));
    check('buyPlan', 201, await send(valid.buyPlan));
    check('buyPlan', 201, await send(changed('buyPlan', 'pricingPlanId', UNKNOWN)));
    check('buyPlan', 201, await send(changed('buyPlan', 'email', undefined)));
    check('checkMessenger', 200, await send(valid.checkMessenger));
    check('checkMessenger', 200, await send({ path: valid.checkMessenger.path.replace('1001', '4711') }));
    check('dropSignup', 201, await send(valid.dropSignup));
    check('dropSignup', 409, await send(valid.dropSignup));
    check('dropSignup', 201, await send(changed('dropSignup', 'email', users.ada.email)));
    for (const json of [
      valid.provisionExternal.json,
      { ...valid.provisionExternal.json, externalOrderId: 'order-2', validUntil: '2027-01-01' },
      { ...valid.provisionExternal.json, email: 'else@example.com', validUntil: '2027-01-01' },
    ]) {
      check('provisionExternal', 200, await send({ ...valid.provisionExternal, json }));
    }
    const overlap = { ...valid.provisionExternal.json, externalOrderId: 'order-3', onOverlap: 'error' };
    check('provisionExternal', 409, await send({ ...valid.provisionExternal, json: overlap }));
  });

  it('match the description when the community has no bot, or the buyer no membership', async ({
    service,
    db,
  }) => {
    await payFor(service, { pricingPlanId: plans.lifetime.id }, METHODS.transfer);
    await service.server.operator.change('communities', community.id, { messengerBot: null });
    check('inviteLink', 200, await callWithKey(service, { ...valid.inviteLink, headers: TRACED }));
    await db.updateTable('memberships').set({ valid_until: service.clock.now() }).execute();
    check('inviteLink', 401, await callWithKey(service, { ...valid.inviteLink, headers: TRACED }));
  });

  it('match the description when the request is rejected', async ({ service }) => {
    const permissionless = await keyWith(service, ['DROP_NOTIFICATION_WRITE']);
    const other = await keyWith(service, ['MEMBERSHIP_READ']);
    for (const name of keyEndpoints) {
      const key = name === 'dropSignup' ? other : permissionless;
      check(name, 401, await callWithKey(service, { ...valid[name], key: null }));
      check(name, 403, await callWithKey(service, { ...valid[name], key }));
      const field = name === 'inviteLink' ? 'externalId' : 'communityId';
      const wrong = name === 'inviteLink' ? '%00' : 'main';
      check(name, 400, await callWithKey(service, changed(name, field, wrong)));
      if (name === 'inviteLink') continue;
      check(name, 404, await callWithKey(service, changed(name, 'communityId', UNKNOWN)));
    }
  });

  it('match the description when the service fails or has no payment provider', async ({
    service,
    db,
    database,
    onTestFinished,
  }) => {
    const mailer = { send: async () => undefined };
    // Outside of the sandbox there is no payment provider.
    await removeSandboxMark(db);
    const poor = await startService({ sandbox: false, mailer, database, backgroundWork: false });
    onTestFinished(() => poor.server.close());
    check('buyPlan', 503, await callWithKey(poor, { ...valid.buyPlan, headers: TRACED }));
    await sql`drop table api_keys`.execute(db);
    for (const name of keyEndpoints) {
      check(name, 500, await callWithKey(service, { ...valid[name], headers: TRACED }));
    }
  });
});

describe('responses of the OAuth endpoints', () => {
  it('match the description', async ({ service }) => {
    const { access_token } = await publicTokens(service, { scope: 'memberships.read products.read' });
    const danas = await publicTokens(service, { email: users.dana.email, scope: 'products.read' });
    const userinfoOnly = danas.access_token;
    const get = (path: string, token?: string) =>
      callWithKey(service, {
        path,
        key: null,
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      });
    const post = (path: string, json: unknown) => callWithKey(service, { path, key: null, json });

    check('authorize', 302, await get(authorizePath(confidentialRequest())));
    check('authorize', 400, await get(authorizePath({ client_id: 'nobody' })));
    check('userinfo', 200, await get(PATHS.userinfo, access_token));
    check('userinfo', 401, await get(PATHS.userinfo));
    check('memberships', 200, await get(PATHS.memberships, access_token));
    check('memberships', 401, await get(PATHS.memberships, 'unknown'));
    check('memberships', 403, await get(PATHS.memberships, userinfoOnly));
    check('products', 200, await get(PATHS.products, userinfoOnly));
    check('products', 401, await get(PATHS.products));
    const membersOnly = await publicTokens(service);
    check('products', 403, await get(PATHS.products, membersOnly.access_token));

    const redemption = publicRedemption(service, await publicCode(service));
    check('token', 201, await post(PATHS.token, redemption));
    check('token', 400, await post(PATHS.token, redemption));
    check('token', 400, await post(PATHS.token, { client_id: PUBLIC }));
    check('token', 401, await post(PATHS.token, { ...redemption, client_secret: 'x' }));

    const credentials = { client_id: CONFIDENTIAL, client_secret: SECRET };
    const { refresh_token } = await confidentialTokens(service);
    check('revoke', 200, await post(PATHS.revoke, { ...credentials, token: refresh_token }));
    check('revoke', 400, await post(PATHS.revoke, credentials));
    check('revoke', 401, await post(PATHS.revoke, { token: refresh_token }));

    const identity = (id: string) => PATHS.clientIdentity.replace('{clientId}', id);
    check('clientIdentity', 200, await get(`${identity(PUBLIC)}?widget_origin=https://shop.example`));
    check('clientIdentity', 200, await get(identity(CONFIDENTIAL)));
    check('clientIdentity', 404, await get(identity('nobody')));
  });
});

describe('check of a response', () => {
  const answer = (body: unknown, status = 200): ApiKeyResponse => ({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify(body),
    body,
  });
  const user = { sub: users.ada.id, email: users.ada.email };

  it('finds an extra field, a missing field, a wrong value and a wrong status', () => {
    expect(validate('userinfo', answer(user))).toEqual([]);
    expect(validate('userinfo', answer({ ...user, name: 'Ada' }))).not.toEqual([]);
    expect(validate('userinfo', answer({ sub: user.sub }))).not.toEqual([]);
    expect(validate('userinfo', answer({ ...user, sub: 'ada' }))).not.toEqual([]);
    expect(validate('userinfo', answer({ error: 'other', error_description: 'x' }, 401))).not.toEqual([]);
    expect(validate('userinfo', answer(user, 418))).not.toEqual([]);
    expect(validate('revoke', answer(user))).not.toEqual([]);
  });
});

describe('every response in the description', () => {
  it('was sent by the running service', () => {
    const named = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, { success, failures }]) =>
      [success.status, ...Object.keys(failures)].map((status) => `${name} ${status}`),
    );
    expect([...checked].sort()).toEqual(named.sort());
  });
});

/**
 * Creates a validator from the document. It is stricter than the published one, which lets callers expect
 * unknown fields: here every field and value must be named.
 */
function answerValidator(): (name: EndpointName, answer: ApiKeyResponse) => unknown[] {
  const document = closed(createOpenApiDocument({ baseUrl: 'https://members.shop.test' })) as ReturnType<
    typeof createOpenApiDocument
  >;
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  for (const [format, pattern] of Object.entries({
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    email: /@/,
  })) {
    ajv.addFormat(format, pattern);
  }
  for (const format of ['uri', 'uri-reference']) ajv.addFormat(format, (text: string) => URL.canParse(text));
  ajv.addSchema({ $id: 'https://members.shop.test/openapi.json', ...document });
  return (name, { status, headers, text, body }) => {
    const { method, path }: Endpoint = ENDPOINTS[name];
    const item = document.paths[path];
    const response = (method === 'GET' ? item?.get : item?.post)?.responses[status];
    if (response === undefined) return [`${status} is not described`];
    const missing = Object.keys(response.headers ?? {}).filter(
      (header) => !(header.toLowerCase() in headers),
    );
    if (missing.length > 0) return missing;
    if (response.content === undefined) return text === '' ? [] : ['a body that is not described'];
    const pointer = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content'];
    const type = /^[^;]*/.exec(headers['content-type'] ?? '')?.[0] ?? '';
    const fragment = [...pointer, type, 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const schema = ajv.getSchema(`https://members.shop.test/openapi.json#/${fragment}`);
    if (schema === undefined) return [`${type} is not described`];
    return schema(body) === true ? [] : (schema.errors ?? []);
  };
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, closed(part)]),
  );
  if ('properties' in copy && copy.type === 'object') copy.additionalProperties ??= false;
  if ('x-extensible-enum' in copy) copy.enum = copy['x-extensible-enum'];
  return copy;
}
