import { randomUUID } from 'node:crypto';
import { insertCommunity } from '../communities/communities.js';
import { type CommunityRole, communitySchema, messengerBotNameField } from '../communities/community.js';
import { assignRole } from '../communities/roles.js';
import { idField } from '../fields/identifiers.js';
import { storeBotName } from '../messenger/messenger-bots.js';
import { alreadyExists } from './operator-error.js';
import type { OperatorNeeds } from './operator-needs.js';
import { parseInput } from './parse-input.js';
import { requireCommunity, requireUser } from './require-entity.js';

/** Community to create. */
export interface CreateCommunity {
  /** @default a new UUID */
  id?: string;
  name: string;
  /** User who becomes its OWNER. */
  ownerId: string;
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
  /** Assigns a role to a user, or changes the user's role. */
  assignRole(assignment: AssignRole): Promise<void>;
  /** Sets the name of the messenger bot that creates a community's invite links; null removes the bot. */
  setMessengerBot(communityId: string, name: string | null): Promise<void>;
}

const createCommunitySchema = communitySchema.extend({ id: idField });
const setMessengerBotSchema = communitySchema.extend({ name: messengerBotNameField.nullable() });

export function createCommunityOperator({
  db,
  clock,
}: Pick<OperatorNeeds, 'db' | 'clock'>): CommunityOperator {
  return {
    async createCommunity({ id = randomUUID(), ownerId, name }) {
      const community = parseInput(createCommunitySchema, { id, name });
      await requireUser(db, ownerId, 'ownerId');
      if (!(await insertCommunity(db, { ...community, ownerId }, clock.now()))) {
        throw alreadyExists(`Another community has the id ${community.id}. Use a different one.`);
      }
      return { id: community.id };
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
