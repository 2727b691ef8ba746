import { describe, expect } from 'vitest';
import { failureOf } from './failure-of.js';
import { it, sandboxScenario } from './service.js';

const { community, memberships, users } = sandboxScenario;

describe('checkMessenger', () => {
  it('distinguishes a member from a non-member', async ({ service }) => {
    const client = service.client();
    const { messengerUserId } = users.ada;
    expect(await client.checkMessenger({ communityId: community.id, messengerUserId })).toEqual({
      isActive: true,
      membershipId: memberships.adaCommunity.id,
    });
    expect(await client.checkMessenger({ communityId: community.id, messengerUserId: 999 })).toEqual({
      isActive: false,
      membershipId: null,
    });
  });

  it('rejects a key without the permission and names the required one', {
    tags: ['general.branch-on-status'],
  }, async ({ service }) => {
    const { key } = await service.server.operator.createApiKey({
      ownerId: users.dana.id,
      name: 'Weak',
      permissions: ['CHECKOUT_WRITE'],
    });
    const request = { communityId: community.id, messengerUserId: 1001 };
    const error = await failureOf(service.client({ apiKey: key }).checkMessenger(request));
    expect(error).toMatchObject({ code: 'rejected', status: 403 });
    expect(error.message).toContain(
      'It requires a key with MEMBERSHIP_READ, whose owner is OWNER or ADMIN of the community.',
    );
  });

  it('sends each parameter as one path segment', async ({ service }) => {
    const request = { communityId: '../../oauth?x=1#y', messengerUserId: 1001 };
    const error = await failureOf(service.client().checkMessenger(request));
    expect(error).toMatchObject({ code: 'rejected', status: 400 });
    expect(error.message).toContain('communityId must be a UUID');
  });

  it.for([{ isActive: 'yes', membershipId: 'm' }, { membershipId: 'm' }, { isActive: 1 }, [], null])(
    'rejects malformed data instead of returning a membership: %o',
    async (data, { service }) => {
      const client = service.client({ fetch: async () => Response.json({ success: true, data }) });
      const error = await failureOf(
        client.checkMessenger({ communityId: community.id, messengerUserId: 1001 }),
      );
      expect(error).toMatchObject({ code: 'unreadable_answer', status: 200, attempts: 1 });
      expect(error.message).toMatch(/data(\.\w+)?.* is missing or malformed/);
    },
  );
});
