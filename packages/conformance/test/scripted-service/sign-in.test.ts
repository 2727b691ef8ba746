import { createHash } from 'node:crypto';
import { ENDPOINTS, tokenPairSchemas, userIdentitySchemas } from '@latchkey/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeUser,
  fakeMembership,
  fakeUser,
  PUBLIC_CLIENT,
  type RunningFakeService,
} from '../../src/scripted-service.js';
import { listening } from './listening.js';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const REDIRECT_URI = 'https://shop.example/callback';
const START = Date.UTC(2030, 0, 1);

let now: number;
let service: RunningFakeService;
let ada: FakeUser;
beforeEach(async () => {
  now = START;
  ada = fakeUser('ada@example.com', [{}]);
  service = await listening({ clock: { now: () => now }, visitor: ada });
});

async function authorize(changes: Record<string, string | undefined> = {}) {
  const query = {
    client_id: PUBLIC_CLIENT,
    redirect_uri: REDIRECT_URI,
    scope: 'memberships.read',
    state: 'the state',
    code_challenge: CHALLENGE,
    ...changes,
  };
  const given = Object.entries(query).filter((field): field is [string, string] => field[1] !== undefined);
  const response = await fetch(`${service.url}/oauth/authorize?${new URLSearchParams(given)}`, {
    redirect: 'manual',
  });
  const location = response.headers.get('location');
  return { response, query: new URLSearchParams(location === null ? '' : new URL(location).search) };
}

async function tokenRequest(fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: PUBLIC_CLIENT, ...fields });
  const response = await fetch(`${service.url}/oauth/token`, { method: 'POST', body });
  return { status: response.status, body: await response.json() };
}

async function exchange(fields: Record<string, string> = {}) {
  const { query } = await authorize();
  const code = query.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
  return tokenRequest({ ...grant, code_verifier: VERIFIER, ...fields });
}

const refresh = (token: string) => tokenRequest({ grant_type: 'refresh_token', refresh_token: token });

async function resource(name: string, accessToken: string) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const response = await fetch(`${service.url}/oauth/${name}`, { headers });
  return { status: response.status, body: await response.json() };
}

describe('the authorization endpoint', () => {
  it('redirects with code and state', async () => {
    const { response, query } = await authorize();
    expect(response.status).toBe(302);
    expect([...query.keys()]).toEqual(['code', 'state']);
    expect(query.get('state')).toBe('the state');
  });

  it.each([
    ['an unknown client', { client_id: 'oac_unknown' }],
    ['a public client without a challenge', { code_challenge: undefined }],
    ['a redirect URI that is no URL', { redirect_uri: 'callback' }],
    ['no scope', { scope: undefined }],
    ['a state over 1024 characters', { state: 's'.repeat(1025) }],
    ['a short challenge', { code_challenge: 'c'.repeat(42) }],
    ['the method plain', { code_challenge_method: 'plain' }],
  ])('does not redirect a request with %s', async (_what, changes) => {
    const { response } = await authorize(changes);
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
  });

  it('redirects with an error for an unknown scope, and for a user who declines', async () => {
    expect((await authorize({ scope: 'everything' })).query.get('error')).toBe('invalid_scope');
    service.visitor = undefined;
    expect((await authorize()).query.get('error')).toBe('access_denied');
  });
});

describe('the token endpoint', () => {
  it('redeems a code with its verifier, once', async () => {
    const { query } = await authorize();
    const grant = { grant_type: 'authorization_code', code: query.get('code') ?? '' };
    const fields = { ...grant, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
    const first = await tokenRequest(fields);
    expect(first.status).toBe(201);
    expect(tokenPairSchemas.loose.parse(first.body)).toMatchObject({ scope: 'memberships.read' });
    expect(await tokenRequest(fields)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 400, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/' }, 400, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'v' }, 400, 'invalid_request'],
    ['an unknown grant', { grant_type: 'password' }, 400, 'invalid_request'],
    ['the secret of a public client', { client_secret: CLIENT_SECRET }, 401, 'invalid_client'],
    ['no secret of a confidential client', { client_id: CONFIDENTIAL_CLIENT }, 401, 'invalid_client'],
  ])('rejects %s', async (_what, fields, status, error) => {
    expect(await exchange(fields)).toMatchObject({ status, body: { error } });
  });

  it('rejects a code after 60 seconds', async () => {
    const { query } = await authorize();
    now += 60_000;
    const fields = { grant_type: 'authorization_code', code: query.get('code') ?? '' };
    expect(
      await tokenRequest({ ...fields, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('rotates a refresh token and revokes the pair before it', async () => {
    const { body: first } = await exchange();
    const { body: second } = await refresh(first.refresh_token);
    expect((await resource('userinfo', first.access_token)).status).toBe(401);
    expect((await resource('userinfo', second.access_token)).status).toBe(200);
    expect(await refresh(first.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
    now += 30 * 24 * 3_600_000;
    expect(await refresh(second.refresh_token)).toMatchObject({ body: { error: 'invalid_grant' } });
  });
});

describe('the resource endpoints', () => {
  it('return what the contract describes', async () => {
    const { body } = await exchange();
    ada.products = [{ id: crypto.randomUUID(), name: 'Roasting', slug: 'roasting', type: null }];
    const user = await resource('userinfo', body.access_token);
    expect(userIdentitySchemas.loose.parse(user.body)).toMatchObject({ sub: ada.sub, email: ada.email });
    const memberships = await resource('memberships', body.access_token);
    expect(ENDPOINTS.memberships.success.body.strict.parse(memberships.body).memberships).toHaveLength(1);
    expect(await resource('products', body.access_token)).toMatchObject({ status: 403 });
    expect(ENDPOINTS.products.success.body.strict.parse({ products: ada.products })).toBeTruthy();
  });

  it('list no membership that has expired', async () => {
    ada.memberships = [fakeMembership({ validUntil: new Date(START + 1000).toISOString() })];
    const { body } = await exchange();
    expect((await resource('memberships', body.access_token)).body.memberships).toHaveLength(1);
    now += 1000;
    expect((await resource('memberships', body.access_token)).body.memberships).toEqual([]);
  });

  it('reject an access token after an hour', async () => {
    const { body } = await exchange();
    now += 3_600_000;
    expect(await resource('userinfo', body.access_token)).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
  });
});

describe('the revocation endpoint', () => {
  it('revokes for a confidential client only', async () => {
    const { body } = await exchange();
    const revoke = async (client: Record<string, string>) =>
      fetch(`${service.url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ ...client, token: body.refresh_token }),
      });
    const rejected = await revoke({ client_id: PUBLIC_CLIENT });
    expect([rejected.status, await rejected.json()]).toEqual([401, { error: 'invalid_client' }]);
    expect(service.hasLiveRefreshToken(ada)).toBe(true);
    const revoked = await revoke({ client_id: CONFIDENTIAL_CLIENT, client_secret: CLIENT_SECRET });
    expect([revoked.status, await revoked.text()]).toEqual([200, '']);
    expect(service.hasLiveRefreshToken(ada)).toBe(false);
  });
});

describe('the client-identity endpoint', () => {
  it('says whether the widget may receive codes, only if the request names an origin', async () => {
    const identity = async (path: string) =>
      ENDPOINTS.clientIdentity.success.body.loose.parse(
        await (await fetch(`${service.url}/oauth/client/${path}`)).json(),
      ).data;
    expect(await identity(PUBLIC_CLIENT)).not.toHaveProperty('widgetOriginAllowed');
    expect(await identity(`${PUBLIC_CLIENT}?widget_origin=https://shop.example`)).toMatchObject({
      widgetOriginAllowed: true,
    });
    const unknown = await fetch(`${service.url}/oauth/client/oac_unknown`);
    expect([unknown.status, (await unknown.json()).errorCode]).toEqual([404, 'not_found']);
  });
});

it('with unchecked credentials answers for its visitor', async () => {
  const trusting = await listening({ visitor: ada, credentials: 'unchecked' });
  const body = new URLSearchParams({ client_id: 'oac_any', code: 'any' });
  const response = await fetch(`${trusting.url}/oauth/token`, { method: 'POST', body });
  expect(response.status).toBe(201);
  const headers = { authorization: 'Bearer any' };
  const user = await fetch(`${trusting.url}/oauth/userinfo`, { headers });
  expect(await user.json()).toMatchObject({ sub: ada.sub });
});
