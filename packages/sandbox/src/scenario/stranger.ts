import { DAY_MS, OAUTH_SCOPES, PERMISSIONS } from '@latchkey/contract/constants';
import { sandboxScenario } from './sandbox-scenario.js';
import { type Scenario, type ScenarioServices, unlessExists } from './scenario.js';

/** The other seller's records. The ids are constant. */
const STRANGER = {
  /** A community with the name of Dana's, but another id. */
  impostor: { id: '5eed0000-0000-4000-8000-0000000000c8', name: sandboxScenario.community.name },
  product: {
    id: '5eed0000-0000-4000-8000-0000000000b9',
    name: 'The Brew Guide',
    slug: 'another-brew-guide',
    type: 'ebook',
    priceMinor: 1_900,
  },
  plan: {
    id: '5eed0000-0000-4000-8000-0000000000d9',
    name: 'Monthly',
    priceMinor: 900,
    periodDays: 30,
    renews: true,
  },
  users: {
    sam: { id: '5eed0000-0000-4000-8000-000000000010', email: 'sam@example.com', name: 'Sam Stranger' },
    tess: { id: '5eed0000-0000-4000-8000-000000000011', email: 'tess@example.com', name: 'Tess Twin' },
    udo: { id: '5eed0000-0000-4000-8000-000000000012', email: 'udo@example.com', name: 'Udo Administrator' },
  },
  clientId: 'oac_57a46e5757a46e5757a46e57',
} as const;

/** Another seller with users, a community, a product, a client and a key that must not open anything of Dana's. */
export const stranger: Scenario = {
  title: 'Another seller',
  summary:
    'Finn sells a community and a product with the same names as Dana’s: no gate of yours may open for them.',
  suggestions: [
    'Sign in as Sam or Tess on your site: every gate must stay closed, for they are members of Finn’s only.',
    'Gate by community id, not by name or kind of product: Tess’s community has the name of yours.',
    'Call your community with Finn’s key (“stranger” five times, then 000): the service answers 403.',
  ],
  notes: {
    [STRANGER.users.sam.email]: 'Lifetime member of another seller’s club, and owns their product',
    [STRANGER.users.tess.email]: 'Member of another seller’s club with the name of yours',
    [STRANGER.users.udo.email]: 'Administrator of another seller’s club, and no member',
  },
  async write(services) {
    await writeShop(services);
    await writePeople(services);
  },
};

/** Returns Finn's API key: the prefix, and the same 43 characters in every sandbox. */
function strangerKeyOf(prefix: string): string {
  return `${prefix}${'stranger'.repeat(5)}000`;
}

async function writeShop({ operator, serviceNames }: ScenarioServices): Promise<void> {
  const { finn } = sandboxScenario.users;
  const { impostor, product, plan, clientId } = STRANGER;
  await unlessExists(operator.createCommunity({ ...impostor, ownerId: finn.id }));
  await unlessExists(operator.createProduct({ ...product, ownerId: finn.id }));
  await unlessExists(operator.createPricingPlan({ ...plan, communityId: impostor.id }));
  await operator.change('users', finn.id, { mayProvision: true });
  const key = { name: 'Finn', permissions: PERMISSIONS, key: strangerKeyOf(serviceNames.apiKeyPrefix) };
  await unlessExists(operator.createApiKey({ ...key, ownerId: finn.id }));
  await unlessExists(
    operator.registerClient({
      clientId,
      ownerId: finn.id,
      type: 'public',
      name: 'Tide & Tackle',
      redirectUris: ['http://localhost:4499/callback'],
      widgetOrigins: ['http://localhost:4499'],
      scopes: OAUTH_SCOPES,
    }),
  );
}

async function writePeople({ operator, clock }: ScenarioServices): Promise<void> {
  const { impostor, product, users } = STRANGER;
  for (const user of Object.values(users)) await unlessExists(operator.createUser(user));
  const validFrom = clock.now() - 30 * DAY_MS;
  for (const [userId, communityId] of [
    [users.sam.id, sandboxScenario.otherCommunity.id],
    [users.tess.id, impostor.id],
  ] as const) {
    await operator.grantMembership({ userId, communityId, productType: 'community', validFrom });
  }
  await operator.grantMembership({
    userId: users.sam.id,
    productId: product.id,
    productType: 'digital_product',
    validFrom,
  });
  await operator.assignRole({ communityId: impostor.id, userId: users.udo.id, role: 'ADMIN' });
}
