import { describe, expect } from 'vitest';
import {
  authorizePath,
  confidentialRequest,
  publicRequest,
  publicTokens,
  signedIn,
} from './authorization-flow.js';
import { locationOf } from './browser.js';
import { it, PUBLIC, type ServiceUnderTest, startService } from './service-under-test.js';

const PAGES = [
  '/sign-in',
  '/signed-out',
  '/account',
  '/sandbox',
  '/sandbox/mailbox',
  '/no-such-page',
  `/widget/callback/${PUBLIC}`,
];
const CORS_ENDPOINTS = [
  ['/oauth/token', 'POST'],
  ['/oauth/userinfo', 'GET'],
  ['/oauth/memberships', 'GET'],
  ['/oauth/products', 'GET'],
  [`/oauth/client/${PUBLIC}`, 'GET'],
] as const;

function preflight(service: ServiceUnderTest, path: string, method: string): Promise<Response> {
  return service.request(path, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });
}

describe('page', () => {
  it.for(PAGES.map((path) => [path] as const))(
    'at %s cannot be framed, runs no inline script, is not cached and keeps its opener',
    async ([path], { service }) => {
      const response = await (await signedIn(service)).get(path);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toContain('unsafe');
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('cross-origin-opener-policy')).toBeNull();
      expect(response.headers.get('cross-origin-embedder-policy')).toBeNull();
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('x-powered-by')).toBeNull();
      expect(response.headers.get('strict-transport-security')).toBeNull();
      if (path !== '/signed-out') expect(response.headers.get('cache-control')).toBe('no-store');
    },
  );

  it('with a form sends its own origin, so that the service can recognise its posts', async ({ service }) => {
    const browser = await signedIn(service);
    for (const path of ['/account', `/oauth/consent?${new URLSearchParams(publicRequest(service))}`]) {
      expect((await browser.get(path)).headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  it('has a stylesheet that is cached permanently and whose name changes with its content', async ({
    service,
  }) => {
    const html = await (await service.request('/sign-in')).text();
    const href = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? '';
    const response = await service.request(href);
    expect(response.headers.get('content-type')).toContain('text/css');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });
});

describe('every response', () => {
  it('forbids guessing its type and framing, also those for load balancers and unknown paths', async ({
    service,
  }) => {
    for (const path of ['/healthz', '/readyz', '/no-such-path', '/oauth/userinfo', '/openapi.json', '/']) {
      const { headers } = await service.request(path);
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
    }
  });
});

describe('form that redirects to a client', () => {
  it('may redirect to that client’s origin and to no other', async ({ service }) => {
    const formAction = (response: Response) =>
      /form-action ([^;]+)/.exec(response.headers.get('content-security-policy') ?? '')?.[1];
    const target = "'self' http://localhost:4402";

    const toSignIn = await service.browser().get(authorizePath(confidentialRequest()));
    expect(formAction(await service.browser().get(locationOf(toSignIn)))).toBe(target);
    const browser = await signedIn(service);
    const consent = `/oauth/consent?${new URLSearchParams(confidentialRequest())}`;
    expect(formAction(await browser.get(consent))).toBe(target);

    const foreign = authorizePath(confidentialRequest({ redirect_uri: 'https://evil.example/' }));
    const page = await service.browser().get(`/sign-in?${new URLSearchParams({ continue: foreign })}`);
    expect(formAction(page)).toBe("'self'");
    expect(formAction(await service.request('/sign-in'))).toBe("'self'");
  });

  it('keeps the client’s origin on the page that asks for the code', async ({ service }) => {
    const browser = service.browser();
    const continueTo = authorizePath(confidentialRequest());
    const asked = await browser.post('/sign-in/code', { email: 'ada@example.com', continue: continueTo });
    const page = await browser.get(locationOf(asked));
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:4402");
  });
});

describe('scripts of other origins', () => {
  it.for(CORS_ENDPOINTS)('may call %s, without cookies', async ([path, method], { service }) => {
    const asked = await preflight(service, path, method);
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe('*');
    expect(asked.headers.get('access-control-allow-methods')).toBe(method);
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toBe(
      'authorization, content-type',
    );
    expect(asked.headers.get('access-control-max-age')).toBe('86400');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    const answered = await service.request(path, { method });
    expect(answered.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('can read a response', async ({ service }) => {
    const { access_token } = await publicTokens(service);
    const headers = { authorization: `Bearer ${access_token}`, origin: 'https://shop.example' };
    const response = await service.request('/oauth/userinfo', { headers });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('can read the error about a client id that cannot be decoded', async ({ service }) => {
    const response = await service.request('/oauth/client/%');
    expect(response.status).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('may call no page, nor authorize, consent or revoke', async ({ service }) => {
    for (const path of [
      '/oauth/authorize',
      '/oauth/consent',
      '/oauth/revoke',
      '/sign-in',
      '/account',
      '/sign-out',
    ]) {
      const response = await preflight(service, path, 'POST');
      expect(response.headers.get('access-control-allow-origin'), path).toBeNull();
      expect(response.status).toBe(405);
    }
  });
});

describe('uncached response', () => {
  it('has no validator for conditional requests', async ({ service }) => {
    const { access_token } = await publicTokens(service);
    const headers = { authorization: `Bearer ${access_token}` };
    for (const path of ['/oauth/userinfo', `/oauth/client/${PUBLIC}`, '/oauth/authorize', '/sign-in']) {
      const response = await service.request(path, { headers });
      expect(response.headers.get('cache-control'), path).toBe('no-store');
      expect(response.headers.get('etag'), path).toBeNull();
    }
  });
});

describe('HTTPS', () => {
  it('sends Strict-Transport-Security to browsers', { tags: ['general.json-over-https'] }, async ({
    onTestFinished,
  }) => {
    const service = await startService({ baseUrl: 'https://service.example' });
    onTestFinished(() => service.server.close());
    const response = await service.request('/sign-in');
    expect(response.headers.get('strict-transport-security')).toContain('max-age=31536000');
  });
});
