import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { fetchAsHost } from '../../../scripts/fetch-as-host.mjs';
import { createApp } from '../src/app/app.js';
import { chosenServices, createServices } from '../src/app/create-services.js';
import { startSession } from '../src/features/sessions/sessions.js';
import type { Schema } from '../src/migrations/schema.js';
import type { KyselyPlugin } from '../src/platform/database/kysely.js';
import type { Database } from '../src/platform/database/open-database.js';
import { createReadiness } from '../src/platform/health/readiness.js';
import { inlinePayments } from './inline-payments.js';
import { parsePage } from './pages/page-document.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community, plans, dropSlot, products, publicClient } = sandboxScenario;

/** Rows of each kind in the database. A list without a limit shows all of them. */
const ROWS = 300;
/** Maximum number of rows that one query of a page may return. Lists have 51, forms offer 100 choices. */
const ROWS_MAX_PER_QUERY = 110;
/** Maximum size of a page in bytes. */
const PAGE_MAX_BYTES = 150_000;

const DAY = 24 * 3600_000;
const each = <Row>(row: (index: number) => Row): Row[] =>
  Array.from({ length: ROWS }, (_, index) => row(index));
const ids = each(() => randomUUID());
const idOf = (index: number) => ids[index] ?? '';

/** Inserts rows in parts, because engines limit the parameters of a statement. */
async function insert<Table extends keyof Schema>(db: Database, table: Table, rows: readonly object[]) {
  for (let start = 0; start < rows.length; start += 100) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + 100) as never)
      .execute();
  }
}

/** Fills every list of Dana, who owns the sandbox's community and its products. */
async function fillLists(db: Database): Promise<{ webhookId: string; deliveryId: string }> {
  const owner_id = users.dana.id;
  const [created_at, community_id] = [START, community.id];
  await insert(
    db,
    'users',
    each((index) => ({ id: idOf(index), email: `${index}@example.com`, created_at })),
  );
  await insert(
    db,
    'communities',
    each((index) => ({ id: idOf(index), name: `Club ${index}`, created_at })),
  );
  await insert(db, 'community_roles', [
    ...each((index) => ({ community_id: idOf(index), user_id: owner_id, role: 'OWNER', is_active: 1 })),
    ...each((index) => ({ community_id, user_id: idOf(index), role: 'OWNER', is_active: 1 })),
  ]);
  const membership = { product_type: 'community', product_id: null, valid_from: START };
  await insert(db, 'memberships', [
    ...each((index) => ({ ...membership, id: randomUUID(), user_id: owner_id, community_id: idOf(index) })),
    ...each((index) => ({ ...membership, id: randomUUID(), user_id: idOf(index), community_id })),
    ...each((index) => ({
      ...membership,
      id: randomUUID(),
      user_id: idOf(index),
      community_id: null,
      product_id: products.brewGuide.id,
      product_type: 'digital_product',
    })),
  ]);
  const invitation = {
    kind: 'membership',
    valid_from: START,
    created_at,
    expires_at: START + DAY,
    invited_by: owner_id,
  };
  await insert(db, 'invitations', [
    ...each((index) => ({
      ...invitation,
      id: randomUUID(),
      community_id: idOf(index),
      email: users.dana.email,
    })),
    ...each((index) => ({ ...invitation, id: randomUUID(), community_id, email: `${index}@example.com` })),
    ...each((index) => ({
      ...invitation,
      kind: 'role',
      role: 'ADMIN',
      valid_from: null,
      id: randomUUID(),
      community_id,
      email: `${index}@example.com`,
    })),
  ]);
  const plan = { community_id, price_minor: 1, currency: 'EUR', renews: 0, provider: 'card', created_at };
  await insert(db, 'pricing_plans', [
    ...each((index) => ({ ...plan, id: randomUUID(), name: `Plan ${index}` })),
    ...each((index) => ({
      ...plan,
      id: randomUUID(),
      name: `Archived ${index}`,
      archived_at: START + index,
    })),
  ]);
  const named = (index: number) => ({ name: `Number ${index}`, created_at });
  await insert(
    db,
    'products',
    each((index) => ({ ...named(index), id: idOf(index), owner_id, slug: `p${index}` })),
  );
  await insert(
    db,
    'drop_slots',
    each((index) => ({ ...named(index), id: idOf(index), community_id, starts_at: START + index })),
  );
  const signup = { drop_slot_id: dropSlot.id, created_at };
  await insert(
    db,
    'drop_signups',
    each((index) => ({ ...signup, id: randomUUID(), email: `${index}@example.com` })),
  );
  const payment = { status: 'succeeded', amount_minor: 1, currency: 'EUR', created_at };
  await insert(db, 'payments', [
    ...each((index) => ({ ...payment, id: randomUUID(), user_id: idOf(index), community_id })),
    ...each((index) => ({
      ...payment,
      id: randomUUID(),
      user_id: idOf(index),
      product_id: products.brewGuide.id,
    })),
  ]);
  await fillDeveloperLists(db, owner_id);
  return await fillWebhooks(db, owner_id);
}

async function fillDeveloperLists(db: Database, owner_id: string): Promise<void> {
  const created_at = START;
  const key = { owner_id, name: 'Key', key_ending: 'abcd', permissions: '[]', created_at };
  await insert(db, 'api_keys', [
    ...each(() => ({ ...key, id: randomUUID(), key_hash: randomUUID() })),
    ...each(() => ({ ...key, id: randomUUID(), key_hash: randomUUID(), revoked_at: START })),
  ]);
  const client = {
    owner_id,
    type: 'public',
    name: 'App',
    redirect_uris: '[]',
    widget_origins: '[]',
    scopes: '[]',
  };
  const clientId = (index: number) => `oac_${String(index).padStart(24, '0')}`;
  await insert(
    db,
    'oauth_clients',
    each((index) => ({ ...client, client_id: clientId(index), created_at })),
  );
  const shown = { redirect_uri: 'https://app.example/', client_name: 'App', look_hash: '', is_verified: 0 };
  const consent = {
    ...{ user_id: owner_id, scope: 'memberships.read', granted_at: START, place_hash: '' },
    ...shown,
  };
  await insert(
    db,
    'consents',
    each((index) => ({ ...consent, client_id: clientId(index) })),
  );
  const session = { user_id: owner_id, created_at, expires_at: START + DAY };
  await insert(
    db,
    'user_sessions',
    each(() => ({ ...session, id_hash: randomUUID() })),
  );
}

async function fillWebhooks(db: Database, owner_id: string) {
  const created_at = START;
  const webhook = {
    owner_id,
    community_id: community.id,
    url: 'https://hook.example/',
    secret: 'a'.repeat(64),
  };
  await insert(
    db,
    'webhooks',
    each((index) => ({ ...webhook, id: idOf(index), created_at: START + index })),
  );
  const event = { type: 'membership.created', community_id: community.id, body: '{}', created_at };
  await insert(
    db,
    'webhook_events',
    each((index) => ({ ...event, id: idOf(index) })),
  );
  const [webhookId, deliveryId] = [idOf(0), idOf(0)];
  const delivery = { webhook_id: webhookId, status: 'delivered', next_attempt_at: START, created_at };
  await insert(
    db,
    'webhook_deliveries',
    each((index) => ({ ...delivery, id: idOf(index), event_id: idOf(index) })),
  );
  const attempt = { delivery_id: deliveryId, attempted_at: START, duration_ms: 1, status_code: 500 };
  await insert(
    db,
    'webhook_attempts',
    each(() => ({ ...attempt, id: randomUUID() })),
  );
  return { webhookId, deliveryId };
}

const payments = inlinePayments({ charge: async () => ({ kind: 'declined', reason: 'card_declined' }) });

/** App on the service's database that records the largest result of a query. */
async function startCountingApp(service: ServiceUnderTest, db: Database) {
  let largest = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      largest = Math.max(largest, result.rows.length);
      return result;
    },
  };
  const log = () => {};
  const services = createServices({
    ...chosenServices({ mailer: { send: async () => {} }, payments, trustProxy: 'loopback' }),
    baseUrl: service.baseUrl,
    clock: service.clock,
    logger: { info: log, warn: log, error: log },
    db: db.withPlugin(counting),
    schemaWatch: { fits: async () => true },
    readiness: createReadiness({ ping: async () => {}, schemaFits: async () => true }),
    metrics: undefined,
  });
  const server = createServer(createApp(services)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const start = { userId: users.dana.id, browser: null, network: null, earlier: [] };
  const [session] = await startSession(db, start, START);
  return {
    async get(path: string) {
      largest = 0;
      const headers = {
        accept: 'text/html',
        // The test parses pages between its requests: a kept connection can reach its idle timeout before the next one.
        connection: 'close',
        cookie: `latchkey_service_session_${new URL(service.baseUrl).port}=${session}`,
      };
      const response = await fetchAsHost(`http://127.0.0.1:${port}`, service.baseUrl, path, { headers });
      const html = await response.text();
      return { status: response.status, html, rows: largest };
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

/** Path without its ids and its query. Pages with one template have the same queries. */
function templateOf(path: string): string {
  const [pathname = ''] = path.split('?');
  return pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/oac_[0-9a-f]{24}/g, ':client');
}

describe('list on a page', () => {
  it('has a limit in SQL: every page that links lead to, with a database full of rows', async ({
    service,
    db,
  }) => {
    const { webhookId, deliveryId } = await fillLists(db);
    const app = await startCountingApp(service, db);
    const base = `/seller/communities/${community.id}`;
    const waiting = [
      '/account',
      '/developer',
      '/seller',
      ...['', '/members', '/plans', '/drops', '/sales', '/roles'].map((part) => base + part),
      `${base}/drops/${dropSlot.id}`,
      `${base}/plans/${plans.monthly.id}`,
      ...['', '/buyers', '/sales'].map((part) => `/seller/products/${products.brewGuide.id}${part}`),
      `/communities/${community.id}`,
      `/developer/webhooks/${webhookId}`,
      `/developer/deliveries/${deliveryId}`,
      `/developer/clients/${publicClient.clientId}`,
    ];
    const visited = new Set<string>();
    const excessive: string[] = [];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const template = templateOf(path);
      if (visited.has(template)) continue;
      visited.add(template);
      const { status, html, rows } = await app.get(path);
      if (status !== 200) expect([path, status]).toEqual([path, expect.toBeOneOf([302, 404])]);
      if (rows > ROWS_MAX_PER_QUERY || html.length > PAGE_MAX_BYTES) {
        excessive.push(`${template}: ${rows} rows in a query, ${html.length} bytes`);
      }
      const $ = parsePage(html);
      const links = $('a[href^="/"]')
        .toArray()
        .map((link) => $(link).attr('href') ?? '');
      waiting.push(...links.filter((link) => !/\.(csv|json)$|^\/(reference|openapi|sign)/.test(link)));
    }
    await app.close();
    expect(excessive).toEqual([]);
    expect([...visited].sort()).toEqual(
      expect.arrayContaining([
        '/account',
        '/account/sessions',
        '/communities/:id',
        '/developer',
        '/developer/api-keys',
        '/developer/clients',
        '/developer/deliveries/:id',
        '/developer/webhooks',
        '/developer/webhooks/:id',
        '/developer/webhooks/new',
        '/seller',
        '/seller/communities/:id/drops',
        '/seller/communities/:id/drops/:id',
        '/seller/communities/:id/members',
        '/seller/communities/:id/plans',
        '/seller/communities/:id/roles',
        '/seller/communities/:id/sales',
        '/seller/products/:id/buyers',
        '/seller/products/:id/sales',
      ]),
    );
  }, 60_000);

  it('shows all rows on its pages, each of them once', async ({ service, db }) => {
    await fillLists(db);
    const app = await startCountingApp(service, db);
    for (const list of LISTS) expect([list, await readAll(app, list)]).toEqual([list, ALL_ONCE]);
    await app.close();
  }, 60_000);
});

type CountingApp = Awaited<ReturnType<typeof startCountingApp>>;

/** List with its page, the query parameter of its next page, and the selector of its rows. */
interface PagedList {
  path: string;
  param: string;
  rows: string;
}

const inSection = (path: string, section: string, param = 'after'): PagedList => ({
  path,
  param,
  rows: `section[aria-labelledby="${section}"] .row, section#${section} tbody tr`,
});
const inTable = (path: string, label: string, param = 'after'): PagedList => ({
  path,
  param,
  rows: `table:has(caption:contains("${label}")) tbody tr`,
});
const COMMUNITY_PAGE = `/seller/communities/${community.id}`;

const LISTS: readonly PagedList[] = [
  { path: '/account', param: 'after', rows: 'tr:has(a[href$="/leave"])' },
  inSection('/account', 'roles', 'roles'),
  inSection('/account', 'apps', 'apps'),
  inTable('/seller', 'Communities', 'communities'),
  inTable('/seller', 'Products', 'products'),
  inSection('/developer/clients', 'clients'),
  inSection('/developer/webhooks', 'webhooks'),
  inSection('/developer/api-keys', 'keys'),
  { path: `/communities/${community.id}`, param: 'after', rows: '.plan-card' },
  inTable(`${COMMUNITY_PAGE}/plans`, 'Plans for sale'),
  inTable(`${COMMUNITY_PAGE}/plans`, 'Archived plans', 'archived'),
  inTable(`${COMMUNITY_PAGE}/roles`, 'Roles'),
  inTable(`${COMMUNITY_PAGE}/members`, 'Members'),
  inTable(`${COMMUNITY_PAGE}/members`, 'Invitations', 'invitations'),
  inTable(`${COMMUNITY_PAGE}/drops`, 'Drops'),
  inTable(`${COMMUNITY_PAGE}/sales`, 'Payments'),
];

const ALL_ONCE = { isComplete: true, repeats: [] };

/** Follows the pages of a list to the end. */
async function readAll(app: CountingApp, { path, param, rows }: PagedList) {
  const seen: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { html } = await app.get(next);
    const $ = parsePage(html);
    seen.push(
      ...$(rows)
        .toArray()
        .map((row) => identityOf($, row)),
    );
    next = $(`nav[aria-label^="Pages"] a[href*="?${param}="]`).attr('href');
  }
  return {
    isComplete: seen.length >= ROWS,
    repeats: seen.filter((row, index) => seen.indexOf(row) !== index),
  };
}

/** Link or hidden field of a row that names its object, or else its text. */
function identityOf(
  $: ReturnType<typeof parsePage>,
  row: Parameters<ReturnType<typeof parsePage>>[0],
): string {
  const field = $(row).find('input[name="plan"], input[name="invitation"], input[name="clientId"]').first();
  return $(row).find('a').attr('href') ?? field.attr('value') ?? $(row).text();
}
