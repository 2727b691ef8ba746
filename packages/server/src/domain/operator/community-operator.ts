import { randomUUID } from 'node:crypto';
import type { Needs } from '../../app/services.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { accentField, brandSchema, logoUrlField } from '../brand/brand.js';
import { communityBrand, storeCommunityBrand } from '../brand/brands.js';
import { insertCommunity } from '../communities/communities.js';
import { type CommunityRole, communitySchema, messengerBotNameField } from '../communities/community.js';
import { assignRole } from '../communities/roles.js';
import { idField } from '../fields/identifiers.js';
import { storeBotName } from '../messenger/messenger-bots.js';
import { alreadyExists, notFound } from './operator-error.js';
import { parseInput } from './parse-input.js';
import { requireCommunity, requireUser } from './require-entity.js';

/** Community to create. */
export interface CreateCommunity {
  /** @default a new UUID */
  id?: string;
  name: string;
  /** User who becomes its OWNER. */
  ownerId: string;
  /** `https:` address, `http:` address on a loopback host, or an image as `data:` URL. */
  logoUrl?: string | undefined;
  /** Colour of its pages and mails: `#rrggbb`. */
  accent?: string | undefined;
}

/** Logo and accent colour of a community. Null removes one; omitted ones stay unchanged. */
export interface SetCommunityBrand {
  logoUrl?: string | null | undefined;
  accent?: string | null | undefined;
}

/** Role to assign. */
export interface AssignRole {
  communityId: string;
  userId: string;
  role: CommunityRole;
  /**
   * An inactive role gives no access.
   *
   * @default true
   */
  isActive?: boolean;
}

/** Operator calls for communities. */
export interface CommunityOperator {
  createCommunity(community: CreateCommunity): Promise<{ id: string }>;
  /** Sets or removes the logo and the accent colour of a community. */
  setCommunityBrand(communityId: string, brand: SetCommunityBrand): Promise<void>;
  /** Assigns a role to a user, or changes the user's role. */
  assignRole(assignment: AssignRole): Promise<void>;
  /** Sets the name of the messenger bot that creates a community's invite links; null removes the bot. */
  setMessengerBot(communityId: string, name: string | null): Promise<void>;
}

const createCommunitySchema = communitySchema.extend({
  id: idField,
  logoUrl: logoUrlField.optional(),
  accent: accentField.optional(),
});
const setBrandSchema = brandSchema.partial();
const setMessengerBotSchema = communitySchema.extend({ name: messengerBotNameField.nullable() });

export function createCommunityOperator({ db, clock }: Needs<'db' | 'clock'>): CommunityOperator {
  return {
    async createCommunity({ id = randomUUID(), ownerId, name, logoUrl, accent }) {
      const community = parseInput(createCommunitySchema, { id, name, logoUrl, accent });
      await requireUser(db, ownerId, 'ownerId');
      if (!(await insertCommunity(db, { ...community, ownerId }, clock.now()))) {
        throw alreadyExists(`Another community has the id ${community.id}. Use a different one.`);
      }
      return { id: community.id };
    },

    async setCommunityBrand(communityId, changes) {
      const { logoUrl, accent } = parseInput(setBrandSchema, changes);
      await inTransaction(db, async (transaction) => {
        const current = await communityBrand(transaction, communityId);
        if (current === undefined) throw notFound('community', communityId);
        await storeCommunityBrand(transaction, communityId, {
          logoUrl: logoUrl === undefined ? current.logoUrl : logoUrl,
          accent: accent === undefined ? current.accent : accent,
        });
      });
    },

    async assignRole({ communityId, userId, role, isActive = true }) {
      await requireCommunity(db, communityId);
      await requireUser(db, userId);
      await assignRole(db, { communityId, userId, role, isActive });
    },

    async setMessengerBot(communityId, name) {
      await requireCommunity(db, communityId);
      const bot = parseInput(setMessengerBotSchema, { name });
      await storeBotName(db, communityId, bot.name, clock.now());
    },
  };
}
