import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import express, { type Request, type RequestHandler } from 'express';
import express4 from 'express4';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { OF_THE_SHOP } from './community-directory.js';
import { HOUR, MINUTE } from './manual-clock.js';
import { type Shop, startShop } from './shop.js';

let shop: Shop;
let ada: FakeUser;
beforeEach(async () => {
  shop = await startShop();
  ada = fakeUser('ada@example.com', [fakeMembership()]);
});
afterEach(() => shop.close());

describe('POST /auth/exchange', () => {
  it("exchanges the popup's code for a session: the page receives identity and memberships, the cookie the tokens", async () => {
    const answer = await shop.exchange(shop.popupCode(ada));
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      signedIn: true,
      user: { sub: shop.subOf(ada), email: 'ada@example.com' },
      memberships: shop.listed(ada.memberships).map((membership) => ({ ...membership, ...OF_THE_SHOP })),
      expiresAt: shop.clock.now() + HOUR,
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect((await shop.browser.request(`${shop.url}/members`)).text).toBe('The table is set');
    expect(shop.service.log().filter((each) => each.startsWith('GET /oauth/client'))).toEqual([]);
  });

  it('sends no widget_origin, which only the hosted callback needs', {
    tags: ['client-identity.widget-origin-sender'],
  }, async () => {
    await shop.exchange(shop.popupCode(ada));
    expect(shop.service.log()).toHaveLength(3);
    expect(shop.service.log().some((each) => each.includes('/oauth/client/'))).toBe(false);
  });

  it('works for a public client', { tags: ['general.widget-is-public-client'] }, async () => {
    const open = await startShop({ client: 'public', beside: shop });
    expect((await open.exchange(open.popupCode(ada))).status).toBe(200);
    expect(shop.service.forms()[0]?.has('client_secret')).toBe(false);
    await open.close();
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['no page at all', { 'sec-fetch-site': 'none' }],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: 'ours' }],
  ])('rejects a code from %s (login CSRF)', async (_name, headers) => {
    const claimed = Object.fromEntries(
      Object.entries(headers).map(([key, value]) => [key, value === 'ours' ? shop.url : value]),
    );
    const answer = await shop.exchange(shop.popupCode(ada), { headers: claimed });
    expect(answer).toMatchObject({ status: 403, json: { error: 'cross_site_request' } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(shop.service.count('POST /oauth/token')).toBe(0);
  });

  it('uses Origin if the browser sends no Sec-Fetch-Site, and rejects a request with neither', async () => {
    const post = async (headers: Record<string, string>) => {
      const answer = await shop.browser.request(`${shop.url}/auth/exchange`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(shop.popupCode(ada)),
      });
      return answer.status;
    };
    expect(await post({ origin: shop.url })).toBe(200);
    expect(await post({ origin: 'null' })).toBe(403);
    expect(await post({ origin: `${shop.url}.evil.example` })).toBe(403);
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ referer: `${shop.url}/` })).toBe(403);
  });

  it.each([
    ['a form', 'application/x-www-form-urlencoded', 'code=x'],
    ['plain text, as a form of another site can send it', 'text/plain', '{"code":"x"}'],
    ['broken JSON', 'application/json', '{"code":'],
    ['a JSON list', 'application/json', '[]'],
    ['JSON null', 'application/json', 'null'],
    ['nothing', 'application/json', ''],
    ['a giant body', 'application/json', JSON.stringify({ code: 'x'.repeat(200_000) })],
    [
      'a code that is no string',
      'application/json',
      JSON.stringify({ code: ['a'], codeVerifier: 'v'.repeat(43), redirectUri: 'x' }),
    ],
    [
      'a verifier of 42 characters',
      'application/json',
      JSON.stringify({ code: 'a', codeVerifier: 'v'.repeat(42), redirectUri: 'x' }),
    ],
    [
      'a verifier of 129 characters',
      'application/json',
      JSON.stringify({ code: 'a', codeVerifier: 'v'.repeat(129), redirectUri: 'x' }),
    ],
  ])('rejects %s with 400', async (_name, type, body) => {
    const answer = await shop.browser.request(`${shop.url}/auth/exchange`, {
      method: 'POST',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      body,
    });
    expect(answer).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', message: expect.any(String) },
    });
    expect(shop.service.log()).toEqual([]);
  });

  it.each([
    ["the app's own callback", () => `${shop.url}/auth/callback`],
    ["another client's hosted callback", () => `${shop.service.url}/widget/callback/oac_${'e'.repeat(24)}`],
    ['the hosted callback with something added', () => `${shop.popupCode(ada).redirectUri}?x=1`],
    ['another host', () => 'https://evil.example/'],
  ])('accepts only the hosted callback of its client as redirectUri, not %s', async (_name, redirectUri) => {
    const answer = await shop.exchange({ ...shop.popupCode(ada), redirectUri: redirectUri() });
    expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
    expect(shop.service.log()).toEqual([]);
  });

  it('accepts the default callback page of a widget whose script the app serves', async () => {
    const page = `${shop.url}/latchkey/callback.html`;
    expect((await shop.exchange(shop.popupCode(ada, page))).status).toBe(200);
  });

  it('accepts a callback page of the app that is listed by path or URL', async () => {
    for (const [widgetCallbackUrl, page] of [
      ['/signed-in', () => `${shop.url}/signed-in`],
      [['https://club.example/popup?x=1', '/signed-in'], () => 'https://club.example/popup?x=1'],
    ] as const) {
      const own = await startShop({ beside: shop, options: { appUrl: shop.url, widgetCallbackUrl } });
      expect((await own.exchange(own.popupCode(ada, page()))).status).toBe(200);
      expect((await own.exchange(own.popupCode(ada))).status).toBe(200);
      expect((await own.exchange(own.popupCode(ada, `${shop.url}/other`))).status).toBe(400);
      expect(JSON.stringify(own.log)).toContain('must be listed in widgetCallbackUrl');
      await own.close();
    }
  });

  it('responds with invalid_grant to a code that is used, expired, unknown or has another verifier', {
    tags: ['oauth-error.branch-on-error'],
  }, async () => {
    const used = shop.popupCode(ada);
    await shop.exchange(used);
    const expired = shop.popupCode(ada);
    const other = { ...shop.popupCode(ada), codeVerifier: 'v'.repeat(43) };
    const unknown = { ...shop.popupCode(ada), code: 'unknown' };
    shop.clock.advance(MINUTE);
    for (const code of [used, expired, other, unknown]) {
      const answer = await shop.exchange(code);
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it.each([
    ['reset', 503, 'service_unavailable'],
    ['server-error', 503, 'service_unavailable'],
    ['response-lost', 503, 'service_unavailable'],
    ['html', 502, 'service_refused'],
  ] as const)(
    'maps %s of the service to %i %s',
    { tags: ['general.branch-on-status'] },
    async (fault, status, error) => {
      shop.service.on('/oauth/token', fault);
      const answer = await shop.exchange(shop.popupCode(ada));
      expect(answer).toMatchObject({ status, json: { error } });
      expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : null);
    },
  );

  it('responds to wrong credentials with 502 and logs the cause', async () => {
    const wrong = await startShop({ beside: shop, options: { clientSecret: `ocs_${'6'.repeat(48)}` } });
    const answer = await wrong.exchange(wrong.popupCode(ada));
    expect(answer).toMatchObject({ status: 502, json: { error: 'service_refused' } });
    expect(answer.text).not.toContain('invalid_client');
    expect(JSON.stringify(wrong.log)).toContain('invalid_client');
    await wrong.close();
  });

  const textOf = async (request: Request) => {
    request.setEncoding('utf8');
    return (await request.toArray()).join('');
  };
  const behind = async (version: typeof express, middleware: RequestHandler) => {
    const parsed = await startShop({
      beside: shop,
      createApp: version,
      routes: (app, auth) => {
        app.use(middleware);
        app.use(auth.router);
      },
    });
    onTestFinished(() => parsed.close());
    return parsed.exchange(parsed.popupCode(ada));
  };

  describe.each([
    ['Express 5', express],
    ['Express 4', express4 as unknown as typeof express],
  ])('on %s', (_name, version) => {
    it.each<[string, RequestHandler]>([
      ['parsed', version.json()],
      ['kept as bytes', version.raw({ type: '*/*' })],
      ['kept as text', version.text({ type: '*/*' })],
      [
        'kept as rawBody',
        async (request, _response, next) => {
          Reflect.set(request, 'rawBody', await textOf(request));
          next();
        },
      ],
    ])('accepts a body that middleware of the app has read and %s', async (_what, middleware) => {
      expect((await behind(version, middleware)).status).toBe(200);
    });

    it('names the middleware if it has read the body and kept nothing', async () => {
      const answer = await behind(version, async (request, _response, next) => {
        await textOf(request);
        next();
      });
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } });
      expect(answer.json.message).toMatch(/Middleware above auth\.router has read the body/);
    });
  });
});
