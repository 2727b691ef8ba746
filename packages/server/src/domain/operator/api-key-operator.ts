import { randomUUID } from 'node:crypto';
import type { Permission } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import { generateApiKey } from '../../platform/secrets.js';
import { apiKeySchema, apiKeyTextFieldOf } from '../api-keys/api-key.js';
import { insertApiKey, revokeApiKey } from '../api-keys/api-keys.js';
import { grantProvisioning, mayProvision, withdrawProvisioning } from '../api-keys/provisioning-grants.js';
import { alreadyExists, invalidInput, notFound } from './operator-error.js';
import { parseInput } from './parse-input.js';
import { requireUser } from './require-entity.js';

/** API key to create. */
export interface CreateApiKey {
  ownerId: string;
  name: string;
  /** `MEMBERSHIP_PROVISION` requires a call of {@link ApiKeyOperator.grantProvisioning} first. */
  permissions: readonly Permission[];
  /**
   * The service's prefix of API keys and 43 characters of base64url.
   *
   * @default a new key
   */
  key?: string;
}

/** Operator calls for API keys. */
export interface ApiKeyOperator {
  /** Allows a vetted partner to create keys with MEMBERSHIP_PROVISION (spec, "API keys", 2). */
  grantProvisioning(userId: string): Promise<void>;
  /**
   * Withdraws that permission at once: the user's keys can no longer provision, and keep their other permissions. A new
   * grant restores it. Does nothing if the user has no grant.
   */
  withdrawProvisioning(userId: string): Promise<void>;
  /** Creates an API key. The key's text can't be read again, because only its hash is stored. */
  createApiKey(key: CreateApiKey): Promise<{ id: string; key: string }>;
  /** Revokes an API key with immediate effect. */
  revokeApiKey(key: { id: string; ownerId: string }): Promise<void>;
}

export function createApiKeyOperator({
  db,
  clock,
  serviceNames,
}: Needs<'db' | 'clock' | 'serviceNames'>): ApiKeyOperator {
  const { apiKeyPrefix: prefix } = serviceNames;
  const createApiKeySchema = apiKeySchema.extend({ key: apiKeyTextFieldOf(serviceNames).optional() });
  return {
    async grantProvisioning(userId) {
      await requireUser(db, userId);
      await grantProvisioning(db, userId, clock.now());
    },

    async withdrawProvisioning(userId) {
      await requireUser(db, userId);
      await withdrawProvisioning(db, userId);
    },

    async createApiKey({ ownerId, ...input }) {
      const { name, permissions, key: chosen } = parseInput(createApiKeySchema, input);
      await requireUser(db, ownerId, 'ownerId');
      if (permissions.includes('MEMBERSHIP_PROVISION') && !(await mayProvision(db, ownerId))) {
        throw invalidInput(
          'permissions: MEMBERSHIP_PROVISION is for vetted partners. Grant provisioning to the owner first.',
          {
            permissions:
              'MEMBERSHIP_PROVISION is for vetted partners. Grant provisioning to the owner first.',
          },
        );
      }
      const key = generateApiKey(prefix, chosen);
      const id = randomUUID();
      const stored = { id, ownerId, name, permissions, prefix, ending: key.text.slice(-4), hash: key.hash };
      if (!(await insertApiKey(db, stored, clock.now()))) {
        throw alreadyExists('Another API key has this text. Use a different one.');
      }
      return { id, key: key.text };
    },

    async revokeApiKey(key) {
      if (!(await revokeApiKey(db, key, clock.now()))) throw notFound('API key', key.id);
    },
  };
}
