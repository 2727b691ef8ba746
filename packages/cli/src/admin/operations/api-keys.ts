import { PERMISSIONS } from '@latchkey/contract/constants';
import { apiKeySchema } from '@latchkey/server/schemas';
import * as z from 'zod';
import { adminOperation } from './admin-operation.js';
import { idOf, ownerId, userId } from './ids.js';
import { name } from './names.js';

const newApiKey = z.object({
  ownerId,
  name,
  permissions: apiKeySchema.shape.permissions.meta({
    flag: 'permission',
    placeholder: 'name',
    description: `Permission of the key: ${PERMISSIONS.join(', ')}. Permissions cannot be changed later.`,
  }),
});

export const createApiKey = adminOperation({
  name: 'create-api-key',
  summary: 'Creates an API key.',
  values: newApiKey,
  example: '--owner-id 5eed0000-0000-4000-8000-00000000000d --name Funnel --permission MEMBERSHIP_READ',
  run: async (operator, key) => ({
    message: `Created the API key ${key.name}.`,
    facts: await operator.createApiKey(key),
    secrets: ['key'],
  }),
});

export const revokeApiKey = adminOperation({
  name: 'revoke-api-key',
  summary: 'Revokes an API key immediately.',
  values: z.object({ id: idOf('Id of the key, not the key itself.'), ownerId }),
  example: '--id 5eed0000-0000-4000-8000-0000000000aa --owner-id 5eed0000-0000-4000-8000-00000000000d',
  run: async (operator, key) => {
    await operator.revokeApiKey(key);
    return { message: `Revoked the API key ${key.id}.` };
  },
});

export const withdrawProvisioning = adminOperation({
  name: 'withdraw-provisioning',
  summary: 'Withdraws the permission to provision. The keys of the user can no longer provision.',
  values: z.object({ userId }),
  example: '--user-id 5eed0000-0000-4000-8000-00000000000d',
  run: async (operator, { userId: id }) => {
    await operator.withdrawProvisioning(id);
    return { message: `The keys of the user ${id} can no longer provision. Other permissions stay.` };
  },
});

export const grantProvisioning = adminOperation({
  name: 'grant-provisioning',
  summary: 'Allows a vetted partner to create keys with MEMBERSHIP_PROVISION.',
  values: z.object({ userId }),
  example: '--user-id 5eed0000-0000-4000-8000-00000000000d',
  run: async (operator, { userId: id }) => {
    await operator.grantProvisioning(id);
    return { message: `The user ${id} can now create keys with MEMBERSHIP_PROVISION.` };
  },
});
