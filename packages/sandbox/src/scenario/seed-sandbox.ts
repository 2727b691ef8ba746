import { DAY_MS, OAUTH_SCOPES, PERMISSIONS } from '@latchkey/contract/constants';
import { type Operator, OperatorError, type RunningServer } from '@latchkey/server';
import { RECEIVER_PATH } from '../receiver/built-in-receiver.js';
import type { SandboxGuide, SandboxShops } from './sandbox-guide.js';
import { sandboxApiKeyOf, sandboxScenario } from './sandbox-scenario.js';
import { unlessExists } from './scenario.js';

/** Logo of the sample shop: the icon of the demo's pages. A data URL, so it needs no running shop. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path fill="#d9481a" d="M24 3c6 8.5 14 13 14 21.5 0 4-2.5 6.5-6 6.5H16c-3.5 0-6-2.5-6-6.5C10 16 18 11.5 24 3Z"/><path fill="#ffb25c" d="M24 15c3 4.5 7 7 7 11 0 3-2 5-4 5h-6c-2 0-4-2-4-5 0-4 4-6.5 7-11Z"/><path fill="#a67c4b" d="M7 32c0-1 1-2 2-2h30c1 0 2 1 2 2 0 7-7 11-17 11S7 39 7 32Z"/></svg>`;

const EMBER_AND_OAK = {
  logoUrl: `data:image/svg+xml,${encodeURIComponent(LOGO)}`,
  accent: '#b8380f',
} as const;

const TIDE_AND_TACKLE = { accent: '#1d5f8a' } as const;

const DESCRIPTION = 'Small-batch coffee, roasted on Tuesdays. Members sit at the Roaster’s Table.';

/** In place of an empty note, pages show what the person is currently a member of. */
const NOTES = {
  [sandboxScenario.users.ada.email]: '',
  [sandboxScenario.users.ben.email]: '',
  [sandboxScenario.users.cleo.email]: '',
  [sandboxScenario.users.dana.email]: 'Owns the club, sells two products',
  [sandboxScenario.users.eve.email]: '',
  [sandboxScenario.users.finn.email]: 'Owns another club',
};

export const DEFAULT_SHOPS: SandboxShops = {
  scriptTagShop: 'http://localhost:4401',
  backendShop: 'http://localhost:4402',
};

interface SeededSandbox extends Pick<RunningServer, 'baseUrl' | 'clock' | 'operator' | 'serviceNames'> {
  readonly guide: SandboxGuide;
}

/**
 * Writes the sample data: users, a community, memberships, products and two clients. Seeding again gives the clients
 * the new origins; it duplicates nothing and restores no deleted account.
 *
 * @throws Error if the server isn't a sandbox.
 */
export async function seedSandbox(sandbox: SeededSandbox, shops: SandboxShops): Promise<void> {
  const { baseUrl, clock, guide, operator, serviceNames } = sandbox;
  // Callers without types may pass a production server.
  if (guide === undefined) throw new Error('seedSandbox: the server must be one that startSandbox started.');
  await seedPeople(operator);
  await seedCatalogue(operator);
  await seedWebhooks(operator, `${baseUrl}${RECEIVER_PATH}`);
  await seedMemberships(operator, clock.now());
  const apiKey = sandboxApiKeyOf(serviceNames);
  await seedSelling(operator, { apiKey, now: clock.now() });
  await seedClients(operator, { ...shops, sampleSite: new URL(baseUrl).origin });
  guide.origins = shops;
  guide.notes = NOTES;
  guide.apiKey = apiKey;
  guide.shops = [
    { label: 'The shop with nothing but a script tag', url: shops.scriptTagShop },
    { label: 'The shop with an Express backend', url: shops.backendShop },
  ];
  const { community, products } = sandboxScenario;
  guide.forSale = [
    { label: community.name, url: `/communities/${community.id}` },
    ...Object.values(products).map(({ id, name }) => ({ label: name, url: `/products/${id}` })),
  ];
}

async function seedPeople(operator: Operator): Promise<void> {
  for (const user of Object.values(sandboxScenario.users)) await unlessExists(operator.createUser(user));
}

async function seedCatalogue(operator: Operator): Promise<void> {
  const { users, community, otherCommunity, products } = sandboxScenario;
  await unlessExists(operator.createCommunity({ ...community, ...EMBER_AND_OAK, ownerId: users.dana.id }));
  await unlessChanged(
    unlessExists(operator.createCommunity({ ...otherCommunity, ...TIDE_AND_TACKLE, ownerId: users.finn.id })),
  );
  for (const product of Object.values(products)) {
    await unlessExists(operator.createProduct({ ...product, ownerId: users.dana.id }));
  }
}

async function seedSelling(
  operator: Operator,
  { apiKey, now }: { apiKey: string; now: number },
): Promise<void> {
  const { users, community, plans, dropSlot, messengerBot } = sandboxScenario;
  const communityId = community.id;
  for (const plan of Object.values(plans)) {
    await unlessExists(operator.createPricingPlan({ ...plan, communityId }));
  }
  await unlessExists(
    operator.createDropSlot({ ...dropSlot, communityId, startsAt: wholeMinute(now + 7 * DAY_MS) }),
  );
  await operator.change('communities', communityId, { messengerBot });
  await operator.change('users', users.dana.id, { mayProvision: true });
  await unlessExists(
    operator.createApiKey({
      ownerId: users.dana.id,
      name: 'Sandbox',
      permissions: PERMISSIONS,
      key: apiKey,
    }),
  );
}

async function seedMemberships(operator: Operator, now: number): Promise<void> {
  const { users, community, otherCommunity, products, memberships } = sandboxScenario;
  const inCommunity = { productType: 'community', communityId: community.id } as const;
  const periods = [
    { ...memberships.adaCommunity, ...inCommunity, userId: users.ada.id, validFrom: now - 90 * DAY_MS },
    {
      ...memberships.adaProduct,
      userId: users.ada.id,
      productType: 'digital_product',
      productId: products.brewGuide.id,
      validFrom: now - DAY_MS,
      validUntil: now + 30 * DAY_MS,
    },
    {
      ...memberships.cleoCommunity,
      ...inCommunity,
      userId: users.cleo.id,
      validFrom: now - 37 * DAY_MS,
      validUntil: now - 7 * DAY_MS,
    },
    {
      ...memberships.eveElsewhere,
      userId: users.eve.id,
      productType: 'community',
      communityId: otherCommunity.id,
      validFrom: now - 60 * DAY_MS,
    },
  ] as const;
  for (const membership of periods) {
    // A grant would extend one that exists, and send an event: after a restart, what became of it stays.
    if (!(await exists(operator, membership.id))) await unlessChanged(operator.grantMembership(membership));
  }
}

async function seedWebhooks(operator: Operator, url: string): Promise<void> {
  const { users, community, products, webhooks } = sandboxScenario;
  const ownerId = users.dana.id;
  for (const [subject, webhook] of [
    [{ communityId: community.id }, webhooks.community],
    [{ productId: products.brewGuide.id }, webhooks.brewGuide],
    [{ productId: products.roastingCourse.id }, webhooks.roastingCourse],
  ] as const) {
    await unlessExists(operator.createWebhook({ ...webhook, ...subject, ownerId, url }));
  }
}

/** @param sites the shops, and the origin of the sandbox's sample site. */
async function seedClients(
  operator: Operator,
  { scriptTagShop, backendShop, otherSites = [], sampleSite }: SandboxShops & { readonly sampleSite: string },
): Promise<void> {
  const { users, publicClient, confidentialClient } = sandboxScenario;
  const common = {
    ...EMBER_AND_OAK,
    description: DESCRIPTION,
    scopes: OAUTH_SCOPES,
    hostedCallback: true,
    ownerId: users.dana.id,
  };
  const publicSettings = {
    redirectUris: [],
    widgetOrigins: [...new Set([scriptTagShop, backendShop, ...otherSites, sampleSite])],
  };
  await unlessExists(
    operator.registerClient({ ...publicClient, ...common, ...publicSettings, type: 'public' }),
  );
  await operator.change('clients', publicClient.clientId, publicSettings);

  const sites = [...new Set([backendShop, ...otherSites])];
  const confidentialSettings = {
    redirectUris: sites.map((site) => `${site}/auth/callback`),
    widgetOrigins: sites,
  };
  await unlessExists(
    operator.registerClient({
      ...confidentialClient,
      ...common,
      ...confidentialSettings,
      type: 'confidential',
    }),
  );
  await operator.change('clients', confidentialClient.clientId, confidentialSettings);
  for (const { clientId } of [publicClient, confidentialClient])
    await operator.change('clients', clientId, { verified: true });
}

/** Rounds down to the minute, which is the precision of a time field. */
function wholeMinute(ms: number): number {
  return ms - (ms % 60_000);
}

async function exists(operator: Operator, membershipId: string): Promise<boolean> {
  const { records } = await operator.list('memberships', { text: membershipId });
  return records.length > 0;
}

/** Ignores an error that one of the scenario's users is gone or has subscribed: visitors of a sandbox can do both. */
async function unlessChanged(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof OperatorError && ['not_found', 'conflict'].includes(error.code))) throw error;
  }
}
