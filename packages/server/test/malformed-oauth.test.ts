import {
  authorizationCodeQuery,
  authorizationErrorQuery,
  ENDPOINTS,
  type Endpoint,
  envelopeFailureSchemas,
  oauthErrorSchemas,
} from '@latchkey/contract';
import { type EndpointName, PATHS } from '@latchkey/contract/constants';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { type ApiKeyRequest, type ApiKeyResponse, callWithKey } from './api-key-requests.js';
import {
  callbackOf,
  confidentialTokens,
  consentFields,
  publicRequest,
  publicTokens,
  signedIn,
} from './authorization-flow.js';
import {
  oddBearers,
  oddFormPosts,
  oddIdentities,
  oddPosts,
  oddQueries,
  withOddTransport,
} from './malformed-oauth-requests.js';
import { parsePage } from './pages/page-document.js';
import {
  BACKEND_SHOP,
  CODE_VERIFIER,
  CONFIDENTIAL,
  PUBLIC,
  SECRET,
  type ServiceUnderTest,
  startService,
} from './service-under-test.js';

/** Number of requests per endpoint, on each of the two engines. */
const BATCHES = fuzzRuns(5);
const BATCH = 50;

/** Failures before the endpoint: unreadable, unknown path, other method, too large, other type. */
const STATUSES_BEFORE_ENDPOINT = [400, 404, 405, 413, 415];

const invalidRequest = oauthErrorSchemas(['invalid_request']).strict;
const badRequest = envelopeFailureSchemas(['bad_request']).strict;

type Check = (answer: ApiKeyResponse, request: ApiKeyRequest) => void;

let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startService();
});

afterAll(async () => {
  await service.server.close();
});

/**
 * Sends an endpoint many malformed requests and counts the responses by status. The caller asserts that some
 * fail.
 */
async function fuzz(
  requests: fc.Arbitrary<ApiKeyRequest>,
  check: Check,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  const batches = fc.array(withOddTransport(requests), { minLength: BATCH, maxLength: BATCH });
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      await Promise.all(
        batch.map(async (request) => {
          const answer = await callWithKey(service, request);
          const seen = `${request.method} ${request.path.slice(0, 500)} ${JSON.stringify(request.headers)} ${request.bytes?.subarray(0, 500)}: ${answer.status} ${answer.text}`;
          expect(answer.status, seen).toBeLessThan(500);
          expect(answer.headers['www-authenticate'], seen).toBeUndefined();
          expect(answer.text.includes(SECRET), seen).toBe(false);
          try {
            check(answer, request);
          } catch (cause) {
            throw new Error(seen, { cause });
          }
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        }),
      );
    }),
    // The error names the wrongly answered request of a batch. Shrinking would take minutes.
    { ...BATCHES, endOnFailure: true },
  );
  const sent = [...statuses.values()].reduce((all, one) => all + one, 0);
  expect(sent).toBe(BATCHES.numRuns * BATCH);
  return statuses;
}

/** True if a response has no body, by its method or as a CORS preflight. */
function hasNoBody({ status, text }: ApiKeyResponse, { method }: ApiKeyRequest): boolean {
  return (method === 'HEAD' || (method === 'OPTIONS' && status === 204)) && text === '';
}

/**
 * Asserts that each response has the contract's body for its status, or the OAuth error body if the request
 * never reached the endpoint.
 */
function bareJson(name: EndpointName): Check {
  const { method, success, failures }: Endpoint = ENDPOINTS[name];
  return (answer, request) => {
    const { status, headers, text, body } = answer;
    if (hasNoBody(answer, request)) return;
    expect(headers['cache-control']).toBe('no-store');
    if (status === success.status && request.method === method) {
      if (success.body === null) expect(text).toBe('');
      else success.body.strict.parse(body);
      return;
    }
    const known = failures[status]?.strict.safeParse(body).success === true && request.method === method;
    if (known) return;
    expect(STATUSES_BEFORE_ENDPOINT).toContain(status);
    invalidRequest.parse(body);
  };
}

/**
 * A redirect leads to the service's sign-in or consent page, or to the registered callback with code or
 * error.
 */
function expectRedirect({ headers }: ApiKeyResponse): void {
  const location = `${headers.location}`;
  if (/^\/(?:sign-in|oauth\/consent|oauth\/authorize)\?/.test(location)) return;
  const callback = callbackOf(service);
  expect(location.slice(0, callback.length + 1)).toBe(`${callback}?`);
  const query = Object.fromEntries(new URL(location).searchParams);
  const known = [authorizationErrorQuery, authorizationCodeQuery.strict()];
  expect(known.some((schema) => schema.safeParse(query).success)).toBe(true);
}

const authorizeShape: Check = (answer, request) => {
  if (hasNoBody(answer, request)) return;
  if (answer.status === 302 && request.method === 'GET') return expectRedirect(answer);
  expect(STATUSES_BEFORE_ENDPOINT).toContain(answer.status);
  invalidRequest.parse(answer.body);
};

/** The consent form is for browsers: its errors are pages, except authorize's own 400 in JSON. */
const consentShape: Check = (answer, request) => {
  const { status, headers, text, body } = answer;
  if (hasNoBody(answer, request)) return;
  if (status === 302 || status === 303) return expectRedirect(answer);
  if (body !== undefined) {
    expect(status).toBe(400);
    return void invalidRequest.parse(body);
  }
  expect([400, 403, 404, 405, 413, 415, ...(request.method === 'GET' ? [200] : [])]).toContain(status);
  expect(headers['content-type']).toMatch(/^text\/html/);
  expect(parsePage(text)).toBeDefined();
};

const identityShape: Check = (answer, request) => {
  const { status, body } = answer;
  if (hasNoBody(answer, request)) return;
  const isEndpoint = request.method === 'GET' && /^\/oauth\/client\/[^/?]+(?:\?|$)/.test(request.path);
  if (!isEndpoint) {
    expect([400, 404, 405]).toContain(status);
    return void invalidRequest.parse(body);
  }
  if (status === 400) return void badRequest.parse(body);
  const { success, failures } = ENDPOINTS.clientIdentity;
  (status === 200 ? success.body : failures[404]).strict.parse(body);
  expect([200, 404]).toContain(status);
};

describe('generated malformed requests get no 5xx and the shape of their surface', () => {
  it('at authorize, signed out', {
    tags: [
      'authorize.error-redirect-parameters',
      'authorize.unregistered-redirect-uri',
      'oauth-error.invalid-request',
    ],
    timeout: 60_000,
  }, async () => {
    const statuses = await fuzz(oddQueries(PATHS.authorize, publicRequest(service)), authorizeShape);
    expect(statuses.get(400)).toBeGreaterThan(1);
  });

  it('at authorize, signed in', {
    tags: [
      'authorize.error-redirect-parameters',
      'authorize.unregistered-redirect-uri',
      'oauth-error.invalid-request',
    ],
    timeout: 60_000,
  }, async () => {
    const cookie = await sessionCookie();
    const requests = oddQueries(PATHS.authorize, publicRequest(service));
    const statuses = await fuzz(withHeaders(requests, { cookie }), authorizeShape);
    expect(statuses.get(400)).toBeGreaterThan(1);
  });

  it('at the consent form', {
    tags: [
      'authorize.error-redirect-parameters',
      'authorize.unregistered-redirect-uri',
      'oauth-error.invalid-request',
    ],
    timeout: 60_000,
  }, async () => {
    const browser = await signedIn(service);
    const fields = await consentFields(browser, publicRequest(service));
    const headers = { cookie: await sessionCookie(), origin: service.baseUrl };
    const requests = oddFormPosts('/oauth/consent', { ...fields, decision: 'allow' });
    const statuses = await fuzz(withHeaders(requests, headers), consentShape);
    expect(statuses.get(400)).toBeGreaterThan(1);
  });

  it('at token', {
    tags: [
      'oauth-error.bare-body',
      'oauth-error.bare-json-endpoints',
      'oauth-error.description',
      'oauth-error.invalid-request',
      'token.error-status',
    ],
    timeout: 60_000,
  }, async () => {
    const redirect_uri = `${BACKEND_SHOP}/auth/callback`;
    const confidential = { client_id: CONFIDENTIAL, client_secret: SECRET };
    const requests = oddPosts(PATHS.token, [
      { grant_type: 'refresh_token', client_id: PUBLIC, refresh_token: 'x'.repeat(43) },
      {
        ...confidential,
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri,
        code_verifier: CODE_VERIFIER,
      },
      { ...confidential, grant_type: 'refresh_token', refresh_token: 'x' },
    ]);
    const statuses = await fuzz(requests, bareJson('token'));
    expect(statuses.get(400)).toBeGreaterThan(1);
    expect(statuses.get(401)).toBeGreaterThan(1);
  });

  it('at revoke', {
    tags: [
      'oauth-error.bare-body',
      'oauth-error.bare-json-endpoints',
      'oauth-error.invalid-request',
      'revoke.invalid-client-no-description',
      'revoke.success-empty',
    ],
    timeout: 60_000,
  }, async () => {
    const { access_token: token } = await confidentialTokens(service);
    const requests = oddPosts(PATHS.revoke, [
      { client_id: CONFIDENTIAL, client_secret: SECRET, token, token_type_hint: 'access_token' },
    ]);
    const statuses = await fuzz(requests, bareJson('revoke'));
    expect(statuses.get(400)).toBeGreaterThan(1);
    expect(statuses.get(401)).toBeGreaterThan(1);
  });

  it.for(['userinfo', 'memberships', 'products'] as const)(
    'at %s',
    {
      tags: [
        'oauth-error.bare-body',
        'oauth-error.bare-json-endpoints',
        'oauth-error.no-www-authenticate',
        'oauth-error.invalid-token-unknown',
      ],
      timeout: 60_000,
    },
    async (name) => {
      const reader = await publicTokens(service, { scope: 'memberships.read' });
      const seller = await publicTokens(service, { scope: 'products.read' });
      const requests = oddBearers(PATHS[name], [reader.access_token, seller.access_token]);
      const statuses = await fuzz(requests, bareJson(name));
      expect(statuses.get(401)).toBeGreaterThan(1);
    },
  );

  it('at client identity', {
    tags: ['client-identity.envelope', 'client-identity.unknown-client'],
    timeout: 60_000,
  }, async () => {
    const statuses = await fuzz(oddIdentities(PUBLIC), identityShape);
    expect(statuses.get(400)).toBeGreaterThan(1);
    expect(statuses.get(404)).toBeGreaterThan(1);
  });
});

/** Returns the cookie of a browser in which Ada is signed in. */
async function sessionCookie(): Promise<string> {
  const { cookies } = await signedIn(service);
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

function withHeaders(
  requests: fc.Arbitrary<ApiKeyRequest>,
  headers: Record<string, string>,
): fc.Arbitrary<ApiKeyRequest> {
  return requests.map((request) => ({ ...request, headers: { ...headers, ...request.headers } }));
}
