import { createHmac } from 'node:crypto';
import { fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import type express from 'express';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { MembershipCsvError, membershipRowsFromCsv } from '../src/index.js';
import { createSeal } from '../src/session/seal.js';
import { verifyWebhook, WebhookVerificationError, webhooks } from '../src/webhooks/index.js';
import { Browser } from './browser.js';
import { COOKIE_SECRET } from './cookie-secret.js';
import { type Shop, startShop } from './shop.js';

const WEBHOOK_SECRET = 'ab'.repeat(32);
const MARKUP = '<fuzz-marker>';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Maximum time of one response in milliseconds, on a busy machine too. */
const RESPONSE_MS = 5_000;
const ada = fakeUser('ada@example.com', [fakeMembership()]);

const quiet = { warn: () => {}, error: () => {} };

let shop: Shop;
/** Session cookie of a signed-in visitor. */
let session: { name: string; value: string };

beforeAll(async () => {
  shop = await startShop({
    routes(app, auth) {
      app.use(auth.router);
      app.get(
        '/members',
        auth.requireMembership({ productType: 'community', from: 'any-seller' }),
        (_request, response) => {
          response.send('members only');
        },
      );
      app.post('/webhooks', webhooks({ secret: WEBHOOK_SECRET, logger: quiet, other: () => {} }));
      app.use(((_error, _request, response, _next) => {
        response.status(500).send('The handler of the app.');
      }) as express.ErrorRequestHandler);
    },
  });
  await shop.signIn(ada);
  session = shop.sessionCookie() ?? { name: '', value: '' };
});

afterAll(async () => {
  await shop.close();
});

const oddText = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.array(fc.nat(0xffff), { maxLength: 10 }).map((units) => String.fromCharCode(...units)),
  },
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    'null',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
  ),
  fc.constantFrom(
    '/.//evil.example',
    '/%2F%2Fevil.example',
    'https://evil.example',
    '\r\nSet-Cookie: a=b',
    `">${MARKUP}`,
  ),
  fc
    .tuple(fc.constantFrom('a', '/', '.', '%', '=', ';', 'é'), fc.nat(3_000))
    .map(([unit, times]) => unit.repeat(times)),
);

/** Characters that a request can carry in a header. */
const headerText = oddText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());

const cookie = fc
  .oneof(
    { weight: 3, arbitrary: headerText },
    fc.tuple(fc.nat(), fc.nat(255)).map(([at, code]) => {
      const { name, value } = session;
      const index = at % value.length;
      return `${name}=${value.slice(0, index)}${String.fromCharCode(33 + (code % 94))}${value.slice(index + 1)}`;
    }),
    fc
      .tuple(headerText, headerText)
      .map(([before, after]) => `${before}; ${session.name}=${after}; ${before}`),
    fc.constant(undefined).map(() => `${session.name}=${session.value.split('.').reverse().join('.')}`),
  )
  .filter((text) => !text.split('; ').some((pair) => isSession(pair)));

/** True if a cookie is the visitor's session. Decoders ignore some bits of the last base64url character. */
function isSession(pair: string): boolean {
  const bytesOf = (text: string) =>
    text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  const value = pair.slice(session.name.length + 1);
  return pair.startsWith(`${session.name}=`) && bytesOf(value).join() === bytesOf(session.value).join();
}

async function expectSafe(
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
) {
  const started = performance.now();
  const answer = await new Browser().request(`${shop.url}${path}`, init);
  const seen = `${path.slice(0, 500)} ${JSON.stringify(init).slice(0, 2_000)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  expect([500, 501], seen).not.toContain(answer.status);
  expect(performance.now() - started, seen).toBeLessThan(RESPONSE_MS);
  for (const secret of [COOKIE_SECRET, WEBHOOK_SECRET, MARKUP, 'members only', '    at ']) {
    expect(answer.text.includes(secret), `${secret} in ${seen}`).toBe(false);
  }
  const location = answer.headers.get('location');
  if (location !== null) {
    expect([shop.url, shop.service.url], seen).toContain(new URL(location, shop.url).origin);
  }
  return answer;
}

describe('any request to an app with the kit', () => {
  it('for a page or an endpoint of the kit is answered in time, opens nothing and leads nowhere else', async () => {
    const names = [
      'returnTo',
      'code',
      'state',
      'error',
      'error_description',
      'iss',
      'scope',
      'plan',
      'upgraded',
    ];
    const query = fc
      .array(fc.tuple(fc.constantFrom(...names), oddText), { maxLength: 4 })
      .map((pairs) => new URLSearchParams(pairs).toString().slice(0, 9_000));
    const request = fc.record({
      path: fc.constantFrom(
        '/members',
        '/auth/login',
        '/auth/callback',
        '/auth/session',
        '/auth/checkout/return',
        '/auth/plans',
      ),
      query,
      cookie: fc.option(cookie, { nil: undefined }),
      accept: fc.constantFrom('text/html', 'application/json', '*/*', ';;q=', 'text/html;q=2'),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, query: search, cookie: sent, accept }) => {
        await expectSafe(`${path}?${search}`, { headers: { accept, ...(sent ? { cookie: sent } : {}) } });
      }),
      { ...fuzzRuns(250), endOnFailure: true },
    );
  });

  it('with a body is answered in time, opens nothing and reveals nothing', async () => {
    const value = fc.oneof(oddText, fc.jsonValue({ maxDepth: 2 }));
    const fields = fc.dictionary(
      fc.constantFrom(
        'code',
        'codeVerifier',
        'redirectUri',
        'plan',
        'returnTo',
        'email',
        '__proto__',
        'id',
        'type',
      ),
      value,
      { maxKeys: 5 },
    );
    const body = fc.oneof(
      fields.map((content) => JSON.stringify(content)),
      oddText,
      fc.nat(3_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
      fields.map((content) =>
        new URLSearchParams(Object.entries(content).map(([name, text]) => [name, String(text)])).toString(),
      ),
    );
    const request = fc.record({
      path: fc.constantFrom('/auth/exchange', '/auth/logout', '/auth/checkout', '/webhooks'),
      body,
      type: fc.constantFrom(
        'application/json',
        'application/x-www-form-urlencoded',
        'text/plain',
        'application/json; charset=utf-7',
      ),
      signature: fc.oneof(fc.constant('0'.repeat(64)), headerText),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ path, body: sent, type, signature }) => {
        const headers = {
          'content-type': type,
          'sec-fetch-site': 'same-origin',
          'x-svc-signature': signature,
        };
        await expectSafe(path, { method: 'POST', headers, body: sent });
      }),
      { ...fuzzRuns(250), endOnFailure: true },
    );
  });
});

describe('any sealed cookie', () => {
  it('that the seal did not write is absent, and never an error', async () => {
    const seal = createSeal([COOKIE_SECRET], 'fuzz');
    const sealed = await seal.seal({ a: 1 });
    const part = fc.oneof(fc.constantFrom('', 'e30', 'bnVsbA', '*', ...sealed.split('.')), headerText);
    const altered = fc
      .array(part, { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join('.'))
      .filter((text) => text !== sealed);
    await fc.assert(
      fc.asyncProperty(altered, async (text) => {
        expect(await seal.open(text)).toBeUndefined();
      }),
      fuzzRuns(500),
    );
  });
});

describe('any delivery', () => {
  const body = fc.oneof(
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc
      .dictionary(
        fc.constantFrom('type', 'id', 'eventId', 'event', '__proto__', 'data', 'membershipId'),
        fc.jsonValue(),
        { maxKeys: 5 },
      )
      .map((value) => JSON.stringify(value)),
    fc.uint8Array({ maxLength: 60 }),
    fc.nat(4_000).map((depth) => '{"a":'.repeat(depth)),
  );

  it('with any headers is accepted, or rejected with the error of the kit', () => {
    const header = fc.option(oddText, { nil: undefined });
    fc.assert(
      fc.property(body, header, header, header, fc.boolean(), (content, type, id, signature, isSigned) => {
        const raw = Buffer.from(content as string);
        const signed = isSigned ? createHmac('sha256', WEBHOOK_SECRET).update(raw).digest('hex') : undefined;
        const headers = {
          'x-svc-event-type': type,
          'x-svc-event-id': id,
          'x-svc-signature': signed ?? signature,
        };
        try {
          const event = verifyWebhook(raw, headers, WEBHOOK_SECRET);
          expect(isSigned).toBe(true);
          expect(event.raw.equals(raw)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(WebhookVerificationError);
          expect(String(error)).not.toContain(WEBHOOK_SECRET);
        }
      }),
      fuzzRuns(1_000),
    );
  });
});

describe('any file of memberships', () => {
  const cell = fc.oneof(
    fc.uuid(),
    fc.constantFrom('membership_id', 'community_id', 'product_id', 'plan_id', '', '"', '""', '\0', '\ufeff'),
    oddText,
  );
  const file = fc
    .array(fc.array(cell, { maxLength: 5 }), { maxLength: 6 })
    .chain((rows) =>
      fc.constantFrom('\n', '\r\n', '\r').map((end) => rows.map((cells) => cells.join(',')).join(end)),
    )
    .chain((text) => fc.constantFrom(text, `membership_id,community_id\n${text}`));

  const read = async (source: Parameters<typeof membershipRowsFromCsv>[0]) => {
    const ids: string[] = [];
    try {
      for await (const row of membershipRowsFromCsv(source)) ids.push(row.membershipId);
      return { ids };
    } catch (error) {
      expect(error).toBeInstanceOf(MembershipCsvError);
      return { ids, line: (error as MembershipCsvError).line };
    }
  };

  it('has rows with UUIDs only, or an error that names the line, however it is cut into parts', async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.nat(), async (text, at) => {
        const bytes = Buffer.from(text);
        const cut = bytes.length === 0 ? 0 : at % bytes.length;
        const whole = await read([bytes]);
        expect(whole.ids.filter((id) => !UUID.test(id))).toEqual([]);
        expect(await read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
      }),
      fuzzRuns(400),
    );
  });
});
