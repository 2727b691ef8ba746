import { endpointsOf } from '@latchkey/contract';
import { pathsOf, type ServiceNames, webhookHeadersOf } from '@latchkey/contract/constants';
import { sandboxApiKeyOf, sandboxScenario } from '@latchkey/sandbox';
import { describe, expect, it as plainIt } from 'vitest';
import { migrateDatabase, openJsonLogger, openOperator, startServer } from '../src/index.js';
import { callWithKey, checkPath } from './api-key-requests.js';
import { fillIn } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import type { Browser } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { databaseUnderTest, type ServiceUnderTest, startService } from './service-under-test.js';
import { hmacOf, startReceiver } from './webhook-receiver.js';

const { community, confidentialClient, products, users } = sandboxScenario;
const ACME: ServiceNames = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };
const KEY = sandboxApiKeyOf(ACME);
const PATHS = pathsOf(ACME);
const HEADERS = webhookHeadersOf(ACME);
const mailer = { send: async () => undefined };

/** `it` with a sandbox under other names than the spec's. */
const it = plainIt.extend<{ acme: ServiceUnderTest }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixture's needs from this pattern.
  acme: async ({}, use) => {
    const service = await startService({ serviceNames: ACME });
    await use(service);
    await service.server.close();
  },
});

const acmeCheckPath = (account = '1001') =>
  PATHS.checkMessenger.replace('{communityId}', community.id).replace('{telegramUserId}', account);

describe('the option serviceNames', () => {
  plainIt.for([
    [{ apiKeyPrefix: 'acme' }, /"serviceNames\.apiKeyPrefix" .*such as acme_/],
    [{ apiKeyPrefix: 'oac_' }, /"serviceNames\.apiKeyPrefix" .*OAuth client/],
    [{ headerPrefix: 'X Acme-' }, /"serviceNames\.headerPrefix" .*such as X-Acme-/],
    [{ messenger: 'Telegram' }, /"serviceNames\.messenger" .*such as telegram/],
    [{ mesenger: 'telegram' }, /"serviceNames" has the unknown key "mesenger".*messenger/],
    ['telegram', /"serviceNames" /],
  ] as const)('rejects %j and names the part', async ([serviceNames, message]) => {
    const options = { database: 'sqlite::memory:', mailer, port: 0 };
    await expect(startServer({ ...options, serviceNames: serviceNames as object })).rejects.toThrow(message);
    await expect(
      migrateDatabase('sqlite::memory:', { serviceNames: serviceNames as object }),
    ).rejects.toThrow(message);
  });
});

describe('the API under other names', () => {
  it('has the paths and the field of the names, and not those of the spec', async ({ acme }) => {
    const check = await callWithKey(acme, { path: acmeCheckPath(), key: KEY });
    expect([check.status, check.body]).toMatchObject([200, { data: { isActive: true } }]);
    for (const path of [checkPath(), '/membership/join-messenger-community-external/order-1']) {
      expect((await callWithKey(acme, { path, key: KEY })).status).toBe(404);
    }
    const unpaid = await callWithKey(acme, { path: PATHS.inviteLink.replace('{externalId}', 'x'), key: KEY });
    expect(unpaid.body).toMatchObject({ errorCode: 'not_found' });

    const order = { communityId: community.id, externalOrderId: 'order-1' };
    const provision = (json: object) =>
      callWithKey(acme, { path: PATHS.provisionExternal, key: KEY, json: { ...order, ...json } });
    expect((await provision({ messengerUserId: 4711 })).body).toMatchObject({
      success: false,
      message: expect.stringContaining('email or telegramUserId is required'),
    });
    const granted = await provision({ telegramUserId: 4711 });
    endpointsOf(ACME).provisionExternal.success.body.strict.parse(granted.body);
    expect((await callWithKey(acme, { path: acmeCheckPath('4711'), key: KEY })).body).toMatchObject({
      data: { isActive: true },
    });
  });

  it('accepts API keys of its prefix only, and names it in the rejection', async ({ acme }) => {
    const { key } = await acme.server.operator.createApiKey({
      ownerId: users.dana.id,
      name: 'Door',
      permissions: ['MEMBERSHIP_READ'],
    });
    expect(key).toMatch(/^acme_[A-Za-z0-9_-]{43}$/);
    expect((await callWithKey(acme, { path: acmeCheckPath(), key })).status).toBe(200);
    for (const other of [sandboxScenario.apiKey, key.replace('acme_', 'svc_'), null]) {
      const { status, body } = await callWithKey(acme, { path: acmeCheckPath(), key: other });
      expect([status, body]).toMatchObject([401, { message: expect.stringMatching(/\bacme_/) }]);
    }
    await expect(
      acme.server.operator.createApiKey({
        ownerId: users.dana.id,
        name: 'Old',
        permissions: ['MEMBERSHIP_READ'],
        key: `svc_${'a'.repeat(43)}`,
      }),
    ).rejects.toThrow(/acme_ and 43 characters/);
  });

  it('signs webhooks under its header names, which the receiver of the sandbox reads', async ({
    acme,
    onTestFinished,
  }) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { operator } = acme.server;
    const { secret } = await operator.createWebhook({
      ownerId: users.dana.id,
      communityId: community.id,
      url: receiver.url,
    });
    const json = { communityId: community.id, externalOrderId: 'order-1', email: 'new@example.com' };
    await callWithKey(acme, { path: PATHS.provisionExternal, key: KEY, json });
    await acme.server.runBackgroundWork();
    const [request] = receiver.received;
    if (request === undefined) throw new Error('No delivery arrived.');
    expect(request.headers[HEADERS.signature.toLowerCase()]).toBe(hmacOf(request, secret));
    expect(request.headers[HEADERS.eventType.toLowerCase()]).toBe('membership.created');
    expect(Object.keys(request.headers).filter((name) => name.startsWith('x-svc-'))).toEqual([]);
    const arrived = acme.server.receiver?.list() ?? [];
    expect(arrived.length).toBeGreaterThan(0);
    expect(arrived.filter(({ answered }) => answered !== 204)).toEqual([]);
  });

  it('never logs a key, not even a part of one, through a logger that was opened before', async ({
    onTestFinished,
  }) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => lines.push(line) > 0 };
    const logger = await openJsonLogger({ destination });
    const service = await startService({ serviceNames: ACME, logger });
    onTestFinished(() => service.server.close());
    const part = KEY.slice(0, 20);
    await callWithKey(service, { path: `/${part}`, key: KEY });
    await callWithKey(service, { path: `/${KEY}`, key: part });
    expect(lines.join()).toContain('/acme_[hidden]');
    expect(lines.join()).not.toContain(part);
  });
});

/** The spec's stand-ins, in any letter case. `messengerUserId` is also a field of the sandbox's own simulated messenger. */
const STAND_INS = /svc_|x-svc-|(?:check|join)-messenger|messengerUserId/gi;

/** Collects the stand-ins in a page, with the text around them. */
function standInsIn(path: string, html: string): string[] {
  const found = path.startsWith('/sandbox') ? html.replaceAll('name="messengerUserId"', '') : html;
  return [...found.matchAll(STAND_INS)].map(
    ({ index }) => `${path}: …${found.slice(Math.max(0, index - 40), index + 40)}…`,
  );
}

/** Follows every link to a page of the service. Returns the pages by path. */
async function crawl(browser: Browser, starts: readonly string[]): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const response = await browser.get(path);
    const html = response.status === 200 ? await response.text() : '';
    pages.set(path, html);
    for (const [, href = ''] of html.matchAll(/(?:href|action)="(\/[^"#]*)"/g)) {
      if (/^\/(?:developer|seller|account|reference|sandbox|communities|products|openapi)/.test(href)) {
        waiting.push(href.replaceAll('&amp;', '&'));
      }
    }
  }
  return pages;
}

describe('the pages under other names', () => {
  it('show the names of the service and no stand-in', async ({ acme }) => {
    const dana = await signedIn(acme, 'dana@example.com');
    const json = { communityId: community.id, externalOrderId: 'order-1', email: 'new@example.com' };
    await callWithKey(acme, { path: PATHS.provisionExternal, key: KEY, json });
    await acme.server.runBackgroundWork();

    const newKey = { path: '/developer/api-keys/new', action: '/developer/api-keys' };
    const newWebhook = { path: '/developer/webhooks/new', action: '/developer/webhooks' };
    const created = {
      key: await fillIn(dana, newKey, { name: 'Door', permissions: 'MEMBERSHIP_READ' }),
      webhook: await fillIn(dana, newWebhook, {
        subject: `product:${products.brewGuide.id}`,
        url: 'http://127.0.0.1:9/webhooks',
      }),
    };
    const secretPages = { key: await created.key.text(), webhook: await created.webhook.text() };
    expect(textOf(parsePage(secretPages.key), 'main')).toContain(
      '/membership/check-telegram/COMMUNITY_ID/TELEGRAM_USER_ID',
    );
    expect(textOf(parsePage(secretPages.key), '.copy-secret .copy-value')).toMatch(/^acme_/);
    expect(secretPages.webhook).toContain('X-Acme-Signature');

    const pages = await crawl(dana, [
      ...['/developer', '/seller', '/account', '/reference', '/openapi.json', '/sandbox'],
      `/products/${products.brewGuide.id}`,
    ]);
    for (const path of [
      '/developer/api-keys',
      `/developer/clients/${confidentialClient.clientId}`,
      '/sandbox/webhooks',
      `/communities/${community.id}`,
    ]) {
      expect(pages.get(path), path).toBeTruthy();
    }
    expect(
      [...pages.keys()].filter((path) => path.startsWith('/developer/webhooks/deliveries/')),
    ).not.toEqual([]);
    expect([...pages.keys()].filter((path) => path.startsWith('/seller/')).length).toBeGreaterThan(5);
    const all = [...pages, ['key', secretPages.key], ['webhook', secretPages.webhook]] as const;
    expect(all.flatMap(([path, html]) => standInsIn(path, html))).toEqual([]);
    expect(pages.get('/developer/api-keys')).toContain('acme_…');
    expect(pages.get(`/developer/clients/${confidentialClient.clientId}`)).toContain(
      "serviceNames: { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' },",
    );
  });

  it('describe the same API in the OpenAPI document', async ({ acme }) => {
    const document = await (await acme.request('/openapi.json')).json();
    const endpoints = Object.values(endpointsOf(ACME));
    expect(Object.keys(document.paths).sort()).toEqual(endpoints.map(({ path }) => path).sort());
    const check = document.paths[PATHS.checkMessenger].get;
    expect(check.parameters.map(({ name }: { name: string }) => name)).toContain('telegramUserId');
    const { ProvisionExternalRequest } = document.components.schemas;
    expect(Object.keys(ProvisionExternalRequest.properties)).toContain('telegramUserId');
    expect(document.components.securitySchemes.apiKey.bearerFormat).toBe('acme_…');
    for (const { post } of Object.values<{ post: { parameters: { name: string }[] } }>(document.webhooks)) {
      expect(post.parameters.map(({ name }) => name).sort()).toEqual(Object.values(HEADERS).sort());
    }
    expect(document.servers[0].url).toBe(acme.baseUrl);
  });
});

describe('the names of a database', () => {
  const baseUrl = 'https://members.example';

  plainIt('are those of its first server; other names are rejected until it is renamed', async () => {
    const database = await databaseUnderTest();
    const serve = async (serviceNames?: object) => {
      const server = await startServer({
        database,
        mailer,
        port: 0,
        logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
        ...(serviceNames && { serviceNames }),
      });
      await server.close();
    };
    await serve(ACME);
    await serve(ACME);
    await expect(serve()).rejects.toThrow(
      /"serviceNames" is apiKeyPrefix "svc_".*database has apiKeyPrefix "acme_".*latchkey migrate --replace-service-names/,
    );
    await migrateDatabase(database);
    await expect(serve()).rejects.toThrow(/"serviceNames"/);
    await expect(migrateDatabase(database, { serviceNames: {} })).rejects.toThrow(/"serviceNames"/);
    await migrateDatabase(database, { serviceNames: {}, replaceServiceNames: true });
    await serve();
    await expect(serve(ACME)).rejects.toThrow(/"serviceNames"/);
  });

  plainIt('are the names of an operator without a server, which rejects others', async () => {
    const database = await databaseUnderTest();
    await migrateDatabase(database, { serviceNames: ACME });
    const { operator, close } = await openOperator({ database, baseUrl });
    const { id: ownerId } = await operator.createUser({ email: 'new@example.com' });
    const { key } = await operator.createApiKey({ ownerId, name: 'k', permissions: ['MEMBERSHIP_READ'] });
    await close();
    expect(key).toMatch(/^acme_/);
    await expect(openOperator({ database, baseUrl, serviceNames: {} })).rejects.toThrow(/"serviceNames"/);
  });

  plainIt(
    'can be replaced in a sandbox, whose old keys keep their prefix in the list',
    async ({ onTestFinished }) => {
      const database = await databaseUnderTest();
      const before = await startService({ database });
      await before.server.close();
      const service = await startService({ database, serviceNames: ACME });
      onTestFinished(() => service.server.close());
      expect(service.log.join()).toContain('The service has new names');
      const old = await callWithKey(service, { path: acmeCheckPath(), key: sandboxScenario.apiKey });
      expect(old.status).toBe(401);
      expect((await callWithKey(service, { path: acmeCheckPath(), key: KEY })).status).toBe(200);
      const dana = await signedIn(service, 'dana@example.com');
      const $ = parsePage(await (await dana.get('/developer/api-keys')).text());
      const shown = $('tbody th code')
        .toArray()
        .map((code) => $(code).text());
      expect(shown.sort()).toEqual(['acme_…box0', 'svc_…box0']);
    },
  );
});
