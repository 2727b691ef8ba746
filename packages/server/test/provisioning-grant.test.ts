import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey } from './api-key-requests.js';
import { postProvision } from './provision-requests.js';
import { it } from './service-under-test.js';

const { users, community } = sandboxScenario;

describe('the grant to provision', () => {
  it('ends with immediate effect when the operator withdraws it', { tags: ['provision.private'] }, async ({
    service,
  }) => {
    const { operator } = service.server;
    const email = 'ben@example.com';
    expect((await postProvision(service, { email })).status).toBe(200);
    await operator.change('users', users.dana.id, { mayProvision: false });
    expect((await postProvision(service, { email, externalOrderId: 'order-2' })).status).toBe(403);
    await expect(
      operator.createApiKey({
        ownerId: users.dana.id,
        name: 'Another',
        permissions: ['MEMBERSHIP_PROVISION'],
      }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('leaves the other permissions of a key, and can be given again', async ({ service }) => {
    const { operator } = service.server;
    await operator.change('users', users.dana.id, { mayProvision: false });
    await operator.change('users', users.dana.id, { mayProvision: false });
    const check = await callWithKey(service, {
      path: `/membership/check-messenger/${community.id}/7`,
      method: 'GET',
    });
    expect(check.status).not.toBe(403);
    await operator.change('users', users.dana.id, { mayProvision: true });
    expect((await postProvision(service, { email: 'ben@example.com' })).status).toBe(200);
  });

  it('can only be withdrawn from a user who exists', async ({ service }) => {
    await expect(
      service.server.operator.change('users', '5eed0000-0000-4000-8000-0000000000ff', {
        mayProvision: false,
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
