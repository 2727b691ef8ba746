import { sandboxScenario } from '@latchkey/sandbox';
import { type Operator, OperatorError, type RegisterClient } from '@latchkey/server';

/**
 * Clients of the programs in examples/, so that they run beside the demo without a registration. The secret
 * is part of the examples' code and works only with a sandbox on this machine.
 */
const SCRIPT_TAG_EXAMPLE = { clientId: `oac_${'5c'.repeat(12)}`, origin: 'http://localhost:4403' };
const EXPRESS_EXAMPLE = {
  clientId: `oac_${'e5'.repeat(12)}`,
  clientSecret: `ocs_${'e5'.repeat(24)}`,
  origin: 'http://localhost:4404',
};

/** Registers both clients, unless an earlier start registered them in the same database. */
export async function registerExampleClients(operator: Operator): Promise<void> {
  const common = {
    scopes: ['memberships.read'],
    ownerId: sandboxScenario.users.dana.id,
    hostedCallback: true,
  };
  await registerOnce(operator, {
    ...common,
    clientId: SCRIPT_TAG_EXAMPLE.clientId,
    type: 'public',
    name: 'Script-tag example',
    redirectUris: [],
    widgetOrigins: [SCRIPT_TAG_EXAMPLE.origin],
  });
  await registerOnce(operator, {
    ...common,
    clientId: EXPRESS_EXAMPLE.clientId,
    clientSecret: EXPRESS_EXAMPLE.clientSecret,
    type: 'confidential',
    name: 'Express example',
    redirectUris: [`${EXPRESS_EXAMPLE.origin}/auth/callback`],
    widgetOrigins: [EXPRESS_EXAMPLE.origin],
  });
}

async function registerOnce(operator: Operator, client: RegisterClient): Promise<void> {
  try {
    await operator.registerClient(client);
  } catch (error) {
    if (!(error instanceof OperatorError && error.code === 'already_exists')) throw error;
  }
}

const { users, community, products } = sandboxScenario;

/**
 * Webhooks by which the shop learns of its members: one for its community and one for each product. The secrets are public:
 * they sign in a sandbox only.
 */
export const SHOP_WEBHOOKS = [
  {
    id: '5eed0000-0000-4000-8000-0000000000f8',
    secret: '5eed00f8'.repeat(8),
    subject: { communityId: community.id },
  },
  {
    id: '5eed0000-0000-4000-8000-0000000000f9',
    secret: '5eed00f9'.repeat(8),
    subject: { productId: products.brewGuide.id },
  },
  {
    id: '5eed0000-0000-4000-8000-0000000000fa',
    secret: '5eed00fa'.repeat(8),
    subject: { productId: products.roastingCourse.id },
  },
] as const;

/** Registers the webhooks, or changes their address if an earlier start registered them in the same database. */
export async function registerShopWebhooks(operator: Operator, url: string): Promise<void> {
  const ownerId = users.dana.id;
  for (const { subject, ...webhook } of SHOP_WEBHOOKS) {
    try {
      await operator.createWebhook({ ...webhook, ...subject, ownerId, url });
    } catch (error) {
      if (!(error instanceof OperatorError && error.code === 'already_exists')) throw error;
      await operator.change('webhooks', webhook.id, { url });
    }
  }
}
