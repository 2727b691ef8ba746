import { randomUUID } from 'node:crypto';
import { PERMISSIONS, type Permission } from '@latchkey/contract/constants';
import { generateApiKey, isApiKey } from '../../platform/secrets.js';
import { grantProvisioning, insertApiKey, mayProvision, revokeApiKey } from '../api-keys/api-keys.js';
import { communityExists } from '../catalogue/catalogue.js';
import { isPeriodDays, PERIOD_MAX_DAYS } from '../catalogue/pricing-plan-rules.js';
import { insertPricingPlan } from '../catalogue/pricing-plans.js';
import { assignRole, type CommunityRole, storeBotName } from '../communities/communities.js';
import { isSlotCount, isWindow, SLOTS_MAX } from '../drops/drop-slot-rules.js';
import { insertDropSlot } from '../drops/drop-slots.js';
import { findUser } from '../users/users.js';
import {
  createWebhookRegistration,
  type RegisterWebhook,
  type SaveWebhook,
} from '../webhooks/webhook-registration.js';
import { invalidInput, notFound, OperatorError } from './operator-error.js';
import { checkBotName, checkId, checkInstant, checkName, checkPrice } from './operator-input.js';
import type { OperatorNeeds } from './operator-needs.js';

/** A pricing plan to create. */
export interface CreatePricingPlan {
  /** Default: a new UUID. */
  id?: string;
  communityId: string;
  name: string;
  /** In the currency's minor unit: cents. */
  priceMinor: number;
  /** ISO 4217. Default `EUR`. */
  currency?: string;
  /** Days of access for one payment. Default null: lifetime. */
  periodDays?: number | null;
  /** Whether the payment provider's subscription renews it; needs `periodDays`. Default false. */
  renews?: boolean;
  /** Whose payment page its checkouts open. Default `card`. */
  provider?: 'card' | 'crypto';
}

/** A drop slot to create. */
export interface CreateDropSlot {
  /** Default: a new UUID. */
  id?: string;
  communityId: string;
  name: string;
  /** Default null: unlimited. */
  slots?: number | null;
  /** Milliseconds since the epoch. */
  startsAt: number;
  /** Milliseconds since the epoch; the first instant at which it is over. Default null: no end. */
  endsAt?: number | null;
}

/** An API key to create. */
export interface CreateApiKey {
  ownerId: string;
  name: string;
  /** `MEMBERSHIP_PROVISION` needs {@link ServiceOperator.grantProvisioning} first. */
  permissions: readonly Permission[];
  /** `svc_` and 43 characters of base64url. Default: a new one. */
  key?: string;
}

/** What an operator does beyond sign-in: API keys, roles, plans, drops, the messenger's bot, webhooks. */
export interface ServiceOperator {
  /** Gives a user a role in a community, or changes the one they have. `isActive` defaults to true. */
  assignRole(assignment: {
    communityId: string;
    userId: string;
    role: CommunityRole;
    isActive?: boolean;
  }): Promise<void>;
  createPricingPlan(plan: CreatePricingPlan): Promise<{ id: string }>;
  createDropSlot(slot: CreateDropSlot): Promise<{ id: string }>;
  /** Names the messenger bot of a community, which mints its invite links; null takes it away. */
  setMessengerBot(communityId: string, name: string | null): Promise<void>;
  /** Lets a vetted partner choose MEMBERSHIP_PROVISION for new keys (spec, "API keys", 2). */
  grantProvisioning(userId: string): Promise<void>;
  /** Creates an API key. Its text is told this once, and kept as a hash only. */
  createApiKey(key: CreateApiKey): Promise<{ id: string; key: string }>;
  /** Ends an API key at once. */
  revokeApiKey(key: { id: string; ownerId: string }): Promise<void>;
  /** Registers a webhook for a community or a product of its owner; the secret signs its deliveries. */
  createWebhook(webhook: RegisterWebhook): Promise<{ id: string; secret: string }>;
  /** Changes a webhook, and tells its secret again; what waited for it goes out. */
  saveWebhook(webhook: { id: string; ownerId: string }, changes: SaveWebhook): Promise<{ secret: string }>;
}

export function createServiceOperator(needs: OperatorNeeds): ServiceOperator {
  const { clock, db } = needs;
  const webhooks = createWebhookRegistration(needs);
  const requireUser = async (id: string) => {
    if ((await findUser(db, id)) === undefined) throw notFound('user', id);
  };
  const requireCommunity = async (id: string) => {
    if (!(await communityExists(db, id))) throw notFound('community', id);
  };
  return {
    async assignRole({ communityId, userId, role, isActive = true }) {
      await requireCommunity(communityId);
      await requireUser(userId);
      await assignRole(db, { communityId, userId, role, isActive });
    },

    async createPricingPlan({ id: chosenId = randomUUID(), communityId, ...plan }) {
      const { currency = 'EUR', periodDays = null, renews = false, provider = 'card' } = plan;
      const id = checkId('id', chosenId);
      const name = checkName('name', plan.name);
      const { priceMinor } = checkPrice({ priceMinor: plan.priceMinor, currency });
      if (periodDays !== null && !isPeriodDays(periodDays)) {
        throw invalidInput(
          `periodDays is ${periodDays}; give whole days from 1 to ${PERIOD_MAX_DAYS}, or null.`,
        );
      }
      if (renews && periodDays === null) throw invalidInput('renews needs periodDays: lifetime has no end.');
      await requireCommunity(communityId);
      const created = await insertPricingPlan(
        db,
        {
          id,
          communityId,
          name,
          priceMinor,
          currency,
          periodDays,
          renews,
          provider,
          archivedAt: null,
        },
        clock.now(),
      );
      if (!created) throw new OperatorError('already_exists', `A pricing plan has the id ${id}.`);
      return { id };
    },

    async createDropSlot({ id: chosenId = randomUUID(), communityId, slots = null, endsAt = null, ...slot }) {
      const id = checkId('id', chosenId);
      const name = checkName('name', slot.name);
      if (slots !== null && !isSlotCount(slots)) {
        throw invalidInput(
          `slots is ${slots}; give a whole number from 0 to ${SLOTS_MAX}, or null for unlimited.`,
        );
      }
      const startsAt = checkInstant('startsAt', slot.startsAt);
      if (endsAt !== null) checkInstant('endsAt', endsAt);
      if (!isWindow(startsAt, endsAt)) {
        throw invalidInput('endsAt must be later than startsAt.');
      }
      await requireCommunity(communityId);
      const created = await insertDropSlot(
        db,
        { id, communityId, name, slots, startsAt, endsAt },
        clock.now(),
      );
      if (!created) throw new OperatorError('already_exists', `A drop slot has the id ${id}.`);
      return { id };
    },

    async setMessengerBot(communityId, name) {
      await requireCommunity(communityId);
      await storeBotName(db, communityId, name === null ? null : checkBotName(name), clock.now());
    },

    async grantProvisioning(userId) {
      await requireUser(userId);
      await grantProvisioning(db, userId, clock.now());
    },

    async createApiKey({ ownerId, permissions, key: chosen, ...rest }) {
      const name = checkName('name', rest.name);
      const unknown = permissions.find((permission) => !PERMISSIONS.includes(permission));
      if (unknown !== undefined) throw invalidInput(`permissions holds "${unknown}", which is none.`);
      if (permissions.length === 0) throw invalidInput('permissions is empty: the key would open nothing.');
      if (chosen !== undefined && !isApiKey(chosen)) {
        throw invalidInput('key must be svc_ and 43 characters of base64url.');
      }
      await requireUser(ownerId);
      if (permissions.includes('MEMBERSHIP_PROVISION') && !(await mayProvision(db, ownerId))) {
        throw invalidInput(
          'MEMBERSHIP_PROVISION is for vetted partners: grant provisioning to the owner first.',
        );
      }
      const key = generateApiKey(chosen);
      const id = randomUUID();
      const inserted = await insertApiKey(
        db,
        {
          id,
          ownerId,
          name,
          ending: key.text.slice(-4),
          permissions: PERMISSIONS.filter((permission) => permissions.includes(permission)),
          hash: key.hash,
        },
        clock.now(),
      );
      if (!inserted) throw new OperatorError('already_exists', 'There is a key with this text.');
      return { id, key: key.text };
    },

    async revokeApiKey(key) {
      if (!(await revokeApiKey(db, key, clock.now()))) throw notFound('API key', key.id);
    },

    async createWebhook({ id = randomUUID(), ...webhook }) {
      return await webhooks.register({ ...webhook, id: checkId('id', id) });
    },

    saveWebhook: (webhook, changes) => webhooks.save(webhook, changes),
  };
}
