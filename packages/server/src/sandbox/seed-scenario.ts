import { OAUTH_SCOPES, PERMISSIONS } from '@latchkey/contract/constants';
import type { RunningServer } from '../app/start-server.js';
import type { Operator } from '../domain/operator/operator.js';
import { OperatorError } from '../domain/operator/operator-error.js';
import { RECEIVER_PATH } from './sandbox-receiver.js';

const DAY_MS = 24 * 3600_000;

/** The ids of everything that {@link seedSandbox} creates: fixed, so that documents, demos and tests can name them. */
export const sandboxScenario = {
  users: {
    /** Lifetime membership of the community, and a product for 30 days. */
    ada: {
      id: '5eed0000-0000-4000-8000-00000000000a',
      email: 'ada@example.com',
      name: 'Ada Member',
      messengerUserId: 1001,
    },
    /** No membership. */
    ben: {
      id: '5eed0000-0000-4000-8000-00000000000b',
      email: 'ben@example.com',
      name: 'Ben Visitor',
      messengerUserId: 1002,
    },
    /** Membership of the community that ended a week ago. */
    cleo: { id: '5eed0000-0000-4000-8000-00000000000c', email: 'cleo@example.com', name: 'Cleo Lapsed' },
    /** Owner of the community, seller of both products, owner of both clients. */
    dana: { id: '5eed0000-0000-4000-8000-00000000000d', email: 'dana@example.com', name: 'Dana Owner' },
  },
  community: { id: '5eed0000-0000-4000-8000-0000000000c0', name: 'Ember & Oak Coffee Club' },
  products: {
    brewGuide: {
      id: '5eed0000-0000-4000-8000-0000000000b1',
      name: 'The Brew Guide',
      slug: 'the-brew-guide',
      type: 'ebook',
      priceMinor: 1_900,
    },
    roastingCourse: {
      id: '5eed0000-0000-4000-8000-0000000000b2',
      name: 'Roasting at Home',
      slug: 'roasting-at-home',
      type: 'course',
      priceMinor: 7_900,
    },
  },
  memberships: {
    adaCommunity: { id: '5eed0000-0000-4000-8000-0000000000a1' },
    adaProduct: { id: '5eed0000-0000-4000-8000-0000000000a2' },
    cleoCommunity: { id: '5eed0000-0000-4000-8000-0000000000a3' },
  },
  plans: {
    /** Paid by card, renewed by the payment provider's subscription. */
    monthly: {
      id: '5eed0000-0000-4000-8000-0000000000d1',
      name: 'Monthly',
      priceMinor: 900,
      periodDays: 30,
      renews: true,
    },
    /** Paid once, in crypto. */
    lifetime: {
      id: '5eed0000-0000-4000-8000-0000000000d2',
      name: 'For life',
      priceMinor: 19_900,
      provider: 'crypto',
    },
  },
  /** Opens in a week, with room for a hundred. */
  dropSlot: { id: '5eed0000-0000-4000-8000-0000000000e1', name: 'Spring harvest', slots: 100 },
  /** Dana's, with every permission. Known to everybody: it opens a sandbox only. */
  apiKey: `svc_${'sandbox'.repeat(6)}0`,
  messengerBot: 'ember_and_oak_bot',
  /** Dana's, at the sandbox's own receiver. The secrets are known to everybody: they sign in a sandbox only. */
  webhooks: {
    community: { id: '5eed0000-0000-4000-8000-0000000000f1', secret: '5eed00f1'.repeat(8) },
    brewGuide: { id: '5eed0000-0000-4000-8000-0000000000f2', secret: '5eed00f2'.repeat(8) },
    roastingCourse: { id: '5eed0000-0000-4000-8000-0000000000f3', secret: '5eed00f3'.repeat(8) },
  },
  publicClient: { clientId: 'oac_a1b2c3d4e5f60718293a4b5c', name: 'Ember & Oak' },
  confidentialClient: {
    clientId: 'oac_c0ffee00c0ffee00c0ffee00',
    /** Known to everybody: it opens a sandbox only. */
    clientSecret: `ocs_${'c0ffee00'.repeat(6)}`,
    name: 'Ember & Oak',
  },
} as const;

const DESCRIPTION = 'Small-batch coffee, roasted on Tuesdays. Members sit at the Roaster’s Table.';

const NOTES = {
  [sandboxScenario.users.ada.email]: 'Member of the coffee club for life',
  [sandboxScenario.users.ben.email]: 'No membership',
  [sandboxScenario.users.cleo.email]: 'Membership ended a week ago',
  [sandboxScenario.users.dana.email]: 'Owns the club, sells two products',
};

/** The origins of the shops that the sandbox's clients belong to. */
export interface SandboxShops {
  /** The shop that is static files and a script tag. */
  scriptTagShop: string;
  /** The shop with an Express backend. */
  backendShop: string;
}

/**
 * Fills a sandbox with people, a community, memberships, products and two clients. Seeding again creates nothing twice;
 * the clients get the new origins.
 *
 * @throws Error when the server does not run in sandbox mode.
 */
export async function seedSandbox(server: RunningServer, shops: SandboxShops): Promise<void> {
  const { operator, sandbox } = server;
  if (sandbox === undefined) throw new Error('Only a server started with sandbox: true can be seeded.');
  await seedPeople(operator);
  await seedCatalogue(operator);
  await seedWebhooks(operator, `${server.baseUrl}${RECEIVER_PATH}`);
  await seedMemberships(operator, server.clock.now());
  await seedSelling(operator, server.clock.now());
  await seedClients(operator, shops);
  sandbox.guide.notes = NOTES;
  sandbox.guide.apiKey = sandboxScenario.apiKey;
  sandbox.guide.shops = [
    { label: 'The shop with nothing but a script tag', url: shops.scriptTagShop },
    { label: 'The shop with an Express backend', url: shops.backendShop },
  ];
  const { community, products } = sandboxScenario;
  sandbox.guide.forSale = [
    { label: community.name, url: `/communities/${community.id}` },
    ...Object.values(products).map(({ id, name }) => ({ label: name, url: `/products/${id}` })),
  ];
}

async function seedPeople(operator: Operator): Promise<void> {
  for (const user of Object.values(sandboxScenario.users)) await unlessThere(operator.createUser(user));
}

async function seedCatalogue(operator: Operator): Promise<void> {
  const { users, community, products } = sandboxScenario;
  await unlessThere(operator.createCommunity({ ...community, ownerId: users.dana.id }));
  for (const product of Object.values(products)) {
    await unlessThere(operator.createProduct({ ...product, ownerId: users.dana.id }));
  }
}

async function seedSelling(operator: Operator, now: number): Promise<void> {
  const { users, community, plans, dropSlot, apiKey, messengerBot } = sandboxScenario;
  const communityId = community.id;
  for (const plan of Object.values(plans)) {
    await unlessThere(operator.createPricingPlan({ ...plan, communityId }));
  }
  await unlessThere(
    operator.createDropSlot({ ...dropSlot, communityId, startsAt: wholeMinute(now + 7 * DAY_MS) }),
  );
  await operator.setMessengerBot(communityId, messengerBot);
  await operator.grantProvisioning(users.dana.id);
  await unlessThere(
    operator.createApiKey({
      ownerId: users.dana.id,
      name: 'Sandbox',
      permissions: PERMISSIONS,
      key: apiKey,
    }),
  );
}

async function seedMemberships(operator: Operator, now: number): Promise<void> {
  const { users, community, products, memberships } = sandboxScenario;
  await operator.grantMembership({
    ...memberships.adaCommunity,
    userId: users.ada.id,
    productType: 'community',
    communityId: community.id,
    validFrom: now - 90 * DAY_MS,
  });
  await operator.grantMembership({
    ...memberships.adaProduct,
    userId: users.ada.id,
    productType: 'digital_product',
    productId: products.brewGuide.id,
    validFrom: now - DAY_MS,
    validUntil: now + 30 * DAY_MS,
  });
  await operator.grantMembership({
    ...memberships.cleoCommunity,
    userId: users.cleo.id,
    productType: 'community',
    communityId: community.id,
    validFrom: now - 37 * DAY_MS,
    validUntil: now - 7 * DAY_MS,
  });
}

async function seedWebhooks(operator: Operator, url: string): Promise<void> {
  const { users, community, products, webhooks } = sandboxScenario;
  const ownerId = users.dana.id;
  for (const [subject, webhook] of [
    [{ communityId: community.id }, webhooks.community],
    [{ productId: products.brewGuide.id }, webhooks.brewGuide],
    [{ productId: products.roastingCourse.id }, webhooks.roastingCourse],
  ] as const) {
    await unlessThere(operator.createWebhook({ ...webhook, ...subject, ownerId, url }));
  }
}

async function seedClients(operator: Operator, { scriptTagShop, backendShop }: SandboxShops): Promise<void> {
  const { users, publicClient, confidentialClient } = sandboxScenario;
  const common = {
    description: DESCRIPTION,
    scopes: OAUTH_SCOPES,
    hostedCallback: true,
    ownerId: users.dana.id,
  };
  const publicSettings = { redirectUris: [], widgetOrigins: [scriptTagShop, backendShop] };
  await unlessThere(
    operator.registerClient({ ...publicClient, ...common, ...publicSettings, type: 'public' }),
  );
  await operator.updateClient(publicClient.clientId, publicSettings);

  const confidentialSettings = {
    redirectUris: [`${backendShop}/auth/callback`],
    widgetOrigins: [backendShop],
  };
  await unlessThere(
    operator.registerClient({
      ...confidentialClient,
      ...common,
      ...confidentialSettings,
      type: 'confidential',
    }),
  );
  await operator.updateClient(confidentialClient.clientId, confidentialSettings);
}

/** The start of the minute that an instant lies in: what a field for a time can show. */
function wholeMinute(ms: number): number {
  return ms - (ms % 60_000);
}

/** Lets it pass that something is there already. */
async function unlessThere(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'already_exists')) throw error;
  }
}
