import { sandboxScenario } from '@latchkey/sandbox';
import { type Operator, OperatorError } from '@latchkey/server';

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
