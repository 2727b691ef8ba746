import { sandboxScenario } from '@latchkey/sandbox';
import type { World } from './world.js';

const { apiKey, community, plans, users } = sandboxScenario;

/**
 * Opens a checkout for Ben and the monthly plan, as a shop's backend does (`order-7`). Returns its address.
 */
export async function openCheckout({ service }: World, changes: Record<string, string>): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/api/checkout/buy-plan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ pricingPlanId: plans.monthly.id, communityId: community.id, externalId: 'order-7' },
      ...{ email: users.ben.email, ...changes },
    }),
  });
  return ((await answer.json()) as { data: { checkoutUrl: string } }).data.checkoutUrl;
}

/** Returns the invite link to the community's messenger chat, for the buyer of the paid `order-7`. */
export async function inviteLinkOfBuyer({ service }: World): Promise<string> {
  const answer = await fetch(`${service.baseUrl}/membership/join-messenger-community-external/order-7`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return ((await answer.json()) as { data: { link: string } }).data.link;
}
