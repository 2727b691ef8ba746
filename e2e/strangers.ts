import { sandboxScenario } from '@latchkey/sandbox';
import type { World } from './world.js';

const { users } = sandboxScenario;

/** Addresses of users who are members of communities, but of none of the shop's. */
export const STRANGERS = [users.eve.email, users.ben.email] as const;

/** Gives Ben a community of his own, in which he is a member. Eve is a member of another seller's community already. */
export async function prepareStrangers({ service: { operator } }: World): Promise<void> {
  const ownerId = users.ben.id;
  const { id: communityId } = await operator.createCommunity({ name: 'Ben and nobody else', ownerId });
  await operator.grantMembership({ userId: ownerId, productType: 'community', communityId });
}
