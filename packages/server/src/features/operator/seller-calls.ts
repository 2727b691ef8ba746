import * as z from 'zod';
import type { Needs } from '../../app/services.js';
import type { Database } from '../../platform/database/open-database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { accentField, logoUrlField } from '../brand/brand.js';
import { insertCommunity } from '../communities/communities.js';
import { communitySchema } from '../communities/community.js';
import type { CommunityActor } from '../communities/community-access.js';
import { isActiveOwner, type RoleHolder } from '../communities/role-change.js';
import { assignRole, findOwners } from '../communities/roles.js';
import { insertDropSlot } from '../drops/drop.queries.js';
import { dropSchema } from '../drops/drop.resource.js';
import { inviteHolderAsOwner } from '../invitations/send-invitation.js';
import { writeDecision } from '../memberships/administer-membership.js';
import { decideWindow, grantedMembership, newMembership } from '../memberships/membership-change.js';
import { type AccessWindow, membershipGrantSchema } from '../memberships/membership-grant.js';
import { readMembership } from '../memberships/membership-periods.js';
import { findMembership, saveMembership } from '../memberships/memberships.js';
import { insertPricingPlan } from '../plans/plan.queries.js';
import { planResource } from '../plans/plan.resource.js';
import { insertProduct } from '../products/product.queries.js';
import { productResource } from '../products/product.resource.js';
import {
  alreadyExists,
  conflict,
  newIdField,
  parseInput,
  requireCommunity,
  requireProduct,
  requireUser,
} from './operator-checks.js';

const createCommunitySchema = communitySchema.extend({
  /** @default a new UUID */
  id: newIdField,
  /** User who becomes its OWNER. */
  ownerId: z.string(),
  /** `https:` address, `http:` address on a loopback host, or an image as `data:` URL. */
  logoUrl: logoUrlField.optional(),
  /** Colour of its pages: `#rrggbb`. */
  accent: accentField.optional(),
});

/** Community to create. */
export type CreateCommunity = z.input<typeof createCommunitySchema>;

/** Role to assign. An inactive role gives no access. Roles are active by default. */
export interface AssignRole extends Omit<RoleHolder, 'isActive'>, Partial<Pick<RoleHolder, 'isActive'>> {
  communityId: string;
}

/** Operator calls for communities. */
export function communityCalls({ db, clock }: Needs<'db' | 'clock'>) {
  return {
    async createCommunity(input: CreateCommunity) {
      const community = parseInput(createCommunitySchema, input);
      const { id, ownerId } = community;
      await requireUser(db, ownerId, 'ownerId');
      if (await insertCommunity(db, community, clock.now())) return { id };
      throw alreadyExists(`Another community has the id ${id}. Use a different one.`);
    },

    /**
     * Assigns a role to a user, or changes the user's role. Nobody becomes OWNER next to other owners without accepting it: the user
     * becomes an ADMIN, and is invited to be OWNER in the name of one of them. Only a community without an active owner gets one at
     * once, so ask the person before.
     *
     * @throws OperatorError `conflict` if the user can't be invited.
     */
    async assignRole({ communityId, userId, role, isActive = true }: AssignRole) {
      await requireCommunity(db, communityId);
      await requireUser(db, userId);
      await inTransaction(db, async (transaction) => {
        const assigned = { communityId, userId, role, isActive };
        const owners = await findOwners(transaction, communityId, userId);
        const [owner] = owners;
        if (!isActiveOwner(assigned) || owner === undefined || owners.includes(userId))
          return await assignRole(transaction, assigned);
        await assignRole(transaction, { ...assigned, role: 'ADMIN' });
        await inviteAsOwner(transaction, { communityId, userId: owner }, { userId, now: clock.now() });
      });
    },
  };
}

/**
 * Invites the holder of a role to become an owner, in the name of an owner. An invitation that is open already is enough.
 *
 * @throws OperatorError `conflict` if the user can't be invited.
 */
export async function inviteAsOwner(
  db: Database,
  actor: CommunityActor,
  invited: { userId: string; now: number },
): Promise<void> {
  const kind = (await inviteHolderAsOwner(db, actor, invited))?.kind;
  if (kind === 'invited' || kind === 'already' || kind === 'already-invited') return;
  const reason =
    kind === 'no-address'
      ? 'The user has no e-mail address at which to accept it.'
      : kind === 'declined'
        ? 'The user declined it less than 90 days ago.'
        : 'The user or the community has the maximum number of invitations.';
  throw conflict(
    `Nobody becomes an OWNER without accepting it, and the user can’t be invited. ${reason}`,
    'role',
  );
}

const createProductSchema = productResource.create.safeExtend({ id: newIdField, ownerId: z.string() });
const createPricingPlanSchema = planResource.create.safeExtend({ id: newIdField, communityId: z.string() });
const createDropSlotSchema = dropSchema.safeExtend({ id: newIdField, communityId: z.string() });

/** Product to create, for its seller. Its id is a new UUID by default. Without a price it is not for sale. */
export type CreateProduct = z.input<typeof createProductSchema>;

/** Pricing plan to create. Its id is a new UUID by default. */
export type CreatePricingPlan = z.input<typeof createPricingPlanSchema>;

/** Drop slot to create. Its id is a new UUID by default. */
export type CreateDropSlot = z.input<typeof createDropSlotSchema>;

/** Operator calls for products, pricing plans and drops. */
export function catalogueCalls({ db, clock }: Needs<'db' | 'clock'>) {
  return {
    async createProduct(input: CreateProduct) {
      const product = parseInput(createProductSchema, input);
      const { id, ownerId, slug } = product;
      await requireUser(db, ownerId, 'ownerId');
      if (await insertProduct(db, product, clock.now())) return { id };
      throw alreadyExists(
        `Another product has the id ${id}, or another product of the seller has the slug "${slug}". Use different ones.`,
        { slug: 'Another product of the seller has this slug, or another product has the id.' },
      );
    },

    async createPricingPlan(input: CreatePricingPlan) {
      const plan = parseInput(createPricingPlanSchema, input);
      const { id, communityId } = plan;
      await requireCommunity(db, communityId);
      if (await insertPricingPlan(db, { ...plan, archivedAt: null }, clock.now())) return { id };
      throw alreadyExists(`Another pricing plan has the id ${id}. Use a different one.`);
    },

    async createDropSlot(input: CreateDropSlot) {
      const slot = parseInput(createDropSlotSchema, input);
      const { id, communityId } = slot;
      await requireCommunity(db, communityId);
      if (await insertDropSlot(db, slot, clock.now())) return { id };
      throw alreadyExists(`Another drop slot has the id ${id}. Use a different one.`);
    },
  };
}

const grantSchema = membershipGrantSchema.safeExtend({ id: newIdField });

/**
 * Membership to grant. It is for a community, for a product, or of a type that names neither. It begins now and is for life, unless
 * `validFrom` and `validUntil` say otherwise.
 */
export interface GrantMembership
  extends Omit<z.input<typeof grantSchema>, keyof AccessWindow>,
    Partial<AccessWindow> {
  userId: string;
}

/** Operator calls for memberships. */
export function membershipCalls({ db, clock }: Needs<'db' | 'clock'>) {
  return {
    /**
     * Grants a membership. An existing membership of the same community or product gets the new period, and keeps its id. A grant that
     * changes nothing records no event.
     */
    async grantMembership({ userId, ...input }: GrantMembership) {
      const { validFrom = clock.now(), validUntil = null } = input;
      const grant = parseInput(grantSchema, { ...input, validFrom, validUntil });
      const { communityId, productId } = grant;
      await requireUser(db, userId);
      if (communityId !== undefined) await requireCommunity(db, communityId);
      if (productId !== undefined) await requireProduct(db, productId);
      const now = clock.now();
      return await inTransaction(db, async (transaction) => {
        // Memberships that name neither a community nor a product can be granted any number of times.
        const current =
          communityId !== undefined
            ? await findMembership(transaction, userId, { communityId })
            : productId !== undefined
              ? await findMembership(transaction, userId, { productId })
              : undefined;
        const window = { validFrom, validUntil };
        if (current === undefined) {
          const first = newMembership({ ...grant, userId });
          const { row, timeline } = grantedMembership(first, { window, source: 'grant', now });
          const periods = { before: [], after: timeline };
          await saveMembership(transaction, row, { isNew: true, now, periods });
          return { id: row.id };
        }
        const membership = await readMembership(transaction, current, now);
        const decision = decideWindow(membership, window, now);
        await writeDecision(transaction, { current: membership, decision }, now);
        return { id: current.id };
      });
    },
  };
}
