import { sandboxScenario } from '@latchkey/sandbox';
import type { Router } from 'express';
import { describe, expect, test } from 'vitest';
import { accountRoutes } from '../src/features/account/account.routes.js';
import { developerRoutes } from '../src/features/developer/developer.routes.js';
import { readTables } from '../src/features/operator/table-contents.js';
import { sellerRoutes } from '../src/features/seller/seller.routes.js';
import { allow, confidentialRequest, signedIn } from './authorization-flow.js';
import type { FormFields } from './browser.js';
import { payFor } from './checkout-world.js';
import { type Seller, sellerOf } from './seller-area.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community, otherCommunity, plans, dropSlot, memberships, products, webhooks } =
  sandboxScenario;

/** Method and path of a route, as the router has it: `POST /seller/communities/:communityId/name`. */
type RouteName = string;

/** Every route of the account, developer and seller areas. The list comes from the routers, so no new one is missed. */
const ROUTES = [accountRoutes, developerRoutes, sellerRoutes].flatMap((routes) => routesIn(routes(needs())));

const WITH_ID = ROUTES.filter((route) => route.includes('/:'));

/** Forms that name a record in a field, and not in their path. */
const ID_IN_FIELD: readonly RouteName[] = [
  'POST /account/apps/revoke',
  'POST /account/invitations/accept',
  'POST /account/invitations/decline',
  'POST /account/sessions/sign-out',
  'POST /developer/webhooks',
];

/** Forms that name no record: they create one, or change the account of the session. */
const WITHOUT_ID: readonly RouteName[] = [
  'POST /account/delete',
  'POST /account/email',
  'POST /account/email/confirm',
  'POST /account/export',
  'POST /account/profile',
  'POST /account/sessions/end',
  'POST /account/two-step/confirm',
  'POST /account/two-step/recovery-codes',
  'POST /account/two-step/set-up',
  'POST /account/two-step/turn-off',
  'POST /developer/api-keys',
  'POST /developer/clients',
  'POST /seller/communities',
  'POST /seller/products',
];

/** Routes of a community that its owners have and its admins don't. */
const OWNERS_ONLY: readonly RouteName[] = [
  'GET /seller/communities/:communityId/close',
  'POST /seller/communities/:communityId/close',
  'GET /seller/communities/:communityId/roles/new',
  'POST /seller/communities/:communityId/roles',
  'POST /seller/communities/:communityId/roles/change',
  'POST /seller/communities/:communityId/invitations/withdraw',
];

/** Records of Dana, Ada and Ben that a stranger names. */
interface Victims {
  /** Values of the parameters in paths. `id` differs between the areas. */
  params: Readonly<Record<string, string>>;
  ids: Readonly<Record<'apiKey' | 'webhook' | 'delivery' | 'membership', string>>;
  /** Valid values for the fields of every form, with ids of the victims. */
  fields: FormFields;
}

function needs(): never {
  // The routes are listed, not called.
  return { serviceNames: {}, site: {} } as never;
}

function routesIn(router: Router): RouteName[] {
  return router.stack.flatMap(({ route, handle }) => {
    if (route === undefined) return 'stack' in handle ? routesIn(handle as unknown as Router) : [];
    const methods = route.stack.map(({ method }) => method).filter((method) => method !== undefined);
    return [...new Set(methods)].map((method) => `${method.toUpperCase()} ${route.path}`);
  });
}

async function victimsIn(service: ServiceUnderTest): Promise<Victims> {
  const dana = await signedIn(service, users.dana.email);
  const hrefs = async (path: string, pattern: RegExp) =>
    pattern.exec(await (await dana.get(path)).text())?.[1] ?? '';
  const club = await sellerOf(service);
  await club.submit(`/seller/communities/${community.id}/roles`, { email: 'zoe@example.com', role: 'ADMIN' });
  const invitation = await hrefs(
    `/seller/communities/${community.id}/roles`,
    /name="invitation" value="([^"]+)"/,
  );
  // Ends a membership, so that the webhook has a delivery.
  const member = `/seller/communities/${community.id}/members/${memberships.adaCommunity.id}`;
  await club.submit(`${member}/end`, { endsAt: '2030-01-01' });
  const session = await hrefs('/account/sessions', /name="session" value="([^"]+)"/);
  await payFor(service);
  const paymentId = await hrefs(`/seller/communities/${community.id}/sales`, /sales\/([0-9a-f-]{36})/);
  const ids = {
    apiKey: await hrefs('/developer/api-keys', /api-keys\/([0-9a-f-]{36})\/revoke/),
    webhook: webhooks.community.id,
    delivery: await hrefs(
      `/developer/webhooks/${webhooks.community.id}`,
      /webhooks\/deliveries\/([0-9a-f-]{36})/,
    ),
    membership: memberships.adaCommunity.id,
  };
  for (const id of [invitation, session, paymentId, ...Object.values(ids)])
    expect(id).toMatch(/^[0-9a-f-]{32,36}$/);
  return {
    ids,
    params: {
      communityId: community.id,
      planId: plans.monthly.id,
      dropId: dropSlot.id,
      membershipId: memberships.adaCommunity.id,
      productId: products.brewGuide.id,
      paymentId,
      clientId: sandboxScenario.confidentialClient.clientId,
    },
    fields: {
      ...{ name: 'Taken', slug: 'taken', type: '', price: '1', currency: 'EUR', provider: 'card' },
      ...{
        email: 'finn@example.com',
        role: 'OWNER',
        userId: users.dana.id,
        change: 'remove',
        archive: 'yes',
      },
      ...{ startsAt: '2026-07-01', endsAt: '2031-01-01', botName: 'taken_bot', accent: '', logoUrl: '' },
      ...{ url: 'http://localhost:4999/taken', subject: `community:${community.id}`, rotateSecret: 'yes' },
      ...{ redirectUris: 'https://evil.example/', widgetOrigins: '', scopes: 'memberships.read' },
      ...{ confirmation: 'Ember & Oak', clientId: sandboxScenario.confidentialClient.clientId },
      ...{
        amount: '1.00',
        invitation,
        session,
        section: 'roles',
        submission: '5eed0000-0000-4000-8000-00000000dead',
      },
    },
  };
}

/** Returns the path of a route with the victims' ids. `in` replaces ids, such as that of the community. */
function pathOf(route: RouteName, { params, ids }: Victims, replaced: Record<string, string> = {}): string {
  const id = route.includes('/api-keys/')
    ? ids.apiKey
    : route.includes('/deliveries/')
      ? ids.delivery
      : route.includes('/webhooks/')
        ? ids.webhook
        : ids.membership;
  const values: Record<string, string> = { ...params, id, ...replaced };
  const [, path = ''] = route.split(' ');
  return path.replace(
    /:(\w+)/g,
    (_, name: string) => values[name] ?? expect.fail(`${route}: no value for ${name}`),
  );
}

async function send(user: Seller, route: RouteName, path: string, fields: FormFields): Promise<Response> {
  return route.startsWith('GET ')
    ? await user.get(path)
    : await user.post(path, fields as Record<string, string>);
}

/** Everything except marks of sessions and of the submissions of forms. */
async function records(db: Parameters<typeof readTables>[0]) {
  const {
    user_sessions: _,
    known_browsers: _known,
    form_submissions: _forms,
    ...rest
  } = await readTables(db);
  return rest;
}

describe('the list of routes', () => {
  test('holds every area, and each form with an id in a field or without an id is classified', () => {
    expect(WITH_ID.length).toBeGreaterThan(50);
    const posts = ROUTES.filter((route) => route.startsWith('POST ') && !route.includes('/:'));
    expect(posts.toSorted()).toEqual([...ID_IN_FIELD, ...WITHOUT_ID].toSorted());
    expect(ROUTES).toEqual(expect.arrayContaining([...OWNERS_ONLY]));
  });
});

describe('every route of the account, developer and seller areas', () => {
  it('is 404 for a stranger who has a community and names the records of others', async ({ service, db }) => {
    const victims = await victimsIn(service);
    const finn = await sellerOf(service, users.finn.email);
    const before = await records(db);
    const statuses: [string, number][] = [];
    for (const route of WITH_ID) {
      const response = await send(finn, route, pathOf(route, victims), victims.fields);
      statuses.push([route, response.status]);
      expect(await response.text(), route).not.toContain('Ember');
    }
    expect(statuses.filter(([, status]) => status !== 404)).toEqual([]);
    expect(await records(db)).toEqual(before);
  });

  it('is 404 for records of others below the community of the stranger', async ({ service, db }) => {
    const victims = await victimsIn(service);
    const finn = await sellerOf(service, users.finn.email);
    const own = { communityId: otherCommunity.id };
    expect((await finn.get(`/seller/communities/${otherCommunity.id}`)).status).toBe(200);
    const nested = WITH_ID.filter((route) => /:communityId\/.*:/.test(route));
    expect(nested.length).toBeGreaterThan(8);
    const before = await records(db);
    for (const route of nested) {
      const response = await send(finn, route, pathOf(route, victims, own), victims.fields);
      expect([route, response.status]).toEqual([route, 404]);
    }
    const withdraw = `/seller/communities/${otherCommunity.id}/invitations/withdraw`;
    expect((await finn.post(withdraw, victims.fields as Record<string, string>)).status).toBe(404);
    expect(await records(db)).toEqual(before);
  });

  it('changes nothing of others when a field of its form names their record', async ({ service, db }) => {
    const victims = await victimsIn(service);
    await allow(await signedIn(service, users.dana.email), confidentialRequest());
    const finn = await sellerOf(service, users.finn.email);
    const [before, sessions] = [await records(db), (await readTables(db)).user_sessions?.length];
    for (const route of ID_IN_FIELD) await send(finn, route, pathOf(route, victims), victims.fields);
    expect(await records(db)).toEqual(before);
    expect((await readTables(db)).user_sessions?.length).toBe(sessions);
  });

  it('is 404 for a former or inactive admin', async ({ service, db }) => {
    const { operator } = service.server;
    const victims = await victimsIn(service);
    const role = { communityId: community.id, userId: users.ben.id, role: 'OWNER' } as const;
    await operator.assignRole(role);
    const ben = await sellerOf(service, users.ben.email);
    const ofCommunity = WITH_ID.filter((route) => route.includes('/seller/communities/:communityId'));
    expect((await ben.get(`/seller/communities/${community.id}`)).status).toBe(200);
    const refuses = async () => {
      const before = await records(db);
      for (const route of ofCommunity) {
        const response = await send(ben, route, pathOf(route, victims), victims.fields);
        expect([route, response.status]).toEqual([route, 404]);
      }
      expect((await ben.post('/developer/webhooks', victims.fields as Record<string, string>)).status).toBe(
        400,
      );
      expect(await records(db)).toEqual(before);
    };
    await operator.assignRole({ ...role, isActive: false });
    await refuses();
    const dana = await sellerOf(service);
    const removal = { userId: users.ben.id, change: 'remove' };
    await dana.submit(`/seller/communities/${community.id}/roles/change`, removal);
    await refuses();
  });

  it('is 403 for an admin where only owners may act', async ({ service, db }) => {
    const victims = await victimsIn(service);
    await service.server.operator.assignRole({
      communityId: community.id,
      userId: users.ben.id,
      role: 'ADMIN',
    });
    const ben = await sellerOf(service, users.ben.email);
    const before = await records(db);
    for (const route of OWNERS_ONLY) {
      const response = await send(ben, route, pathOf(route, victims), victims.fields);
      expect([route, response.status]).toEqual([route, 403]);
    }
    for (const change of ['owner', 'admin', 'deactivate', 'reactivate', 'remove']) {
      for (const userId of [users.ben.id, users.dana.id]) {
        const path = `/seller/communities/${community.id}/roles/change`;
        expect((await ben.post(path, { userId, change })).status).toBe(403);
      }
    }
    expect((await ben.post('/developer/webhooks', victims.fields as Record<string, string>)).status).toBe(
      400,
    );
    expect(await records(db)).toEqual(before);
  });
});
