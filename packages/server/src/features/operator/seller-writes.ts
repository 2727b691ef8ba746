import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { phrase, t } from '../../platform/language/language.js';
import {
  changeCommunity,
  findCommunity,
  insertCommunity,
  storeBotName,
  storeBrand,
} from '../communities/communities.js';
import type { CommunityActor } from '../communities/community-access.js';
import { isActiveOwner, type RoleChange } from '../communities/role-change.js';
import { assignRole, changeRole, findOwners } from '../communities/roles.js';
import { endMemberships, storeClosing } from '../community-closing/close-community.js';
import { changeDrop, endDrop, insertDropSlot } from '../drops/drop.queries.js';
import { dropResource } from '../drops/drop.resource.js';
import { type Resource, recordOf } from '../fields/define-resource.js';
import { inviteHolderAsOwner } from '../invitations/send-invitation.js';
import { changePlan, insertPricingPlan, type PlanChange } from '../plans/plan.queries.js';
import { changeProduct, deleteProduct, handOverProduct, insertProduct } from '../products/product.queries.js';
import { productResource } from '../products/product.resource.js';
import {
  alreadyExists,
  conflict,
  created,
  parseInput,
  requireCommunity,
  requireUser,
} from './operator-checks.js';
import type { Created, RecordWrites, WriteContext } from './record-kinds.js';
import { type Row, requireRow } from './records.js';

const LAST_OWNER = phrase(
  'A community needs an active owner, and this is the only one. Make another user OWNER first.',
);

export const SELLER_WRITES: RecordWrites<'communities' | 'plans' | 'roles' | 'drops' | 'products'> = {
  communities: {
    async create({ id = randomUUID(), ...community }, { db, clock }) {
      await requireUser(db, community.ownerId, 'ownerId');
      return created(await insertCommunity(db, { id, ...community }, clock.now()), 'community', id);
    },
    async change(id, { name, messengerBot, ...brand }, { db, clock }) {
      await requireRow(db, 'communities', id);
      await requireOpen(db, id);
      if (name !== undefined) await changeCommunity(db, await actingOwner(db, id), { name });
      const look = defined(brand);
      if (Object.keys(look).length > 0) await storeBrand(db, id, look);
      if (messengerBot !== undefined) await storeBotName(db, id, messengerBot, clock.now());
    },
    async end(id, { db, clock }) {
      await requireRow(db, 'communities', id);
      await requireOpen(db, id);
      const now = clock.now();
      await storeClosing(db, id, now);
      // In the call's transaction, as far as it may reach. The worker ends the rest.
      await endMemberships(db, id, { now, batches: 1 });
    },
  },
  plans: {
    async create({ id = randomUUID(), ...plan }, { db, clock }) {
      await requireCommunity(db, plan.communityId);
      return created(
        await insertPricingPlan(db, { id, ...plan, archivedAt: null }, clock.now()),
        'pricing plan',
        id,
      );
    },
    async change(id, { archived, ...changes }, context) {
      const archivedAt = archived === undefined ? {} : { archivedAt: archived ? context.clock.now() : null };
      await changePlanOf(id, { ...defined(changes), ...archivedAt }, context);
    },
    end: (id, context) => changePlanOf(id, { archivedAt: context.clock.now() }, context),
  },
  roles: {
    async create(assignment, { db, clock }) {
      const { communityId, userId } = assignment;
      const id = `${communityId}~${userId}`;
      const own = await db
        .selectFrom('community_roles')
        .select('role')
        .where('community_id', '=', communityId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (own !== undefined) {
        throw conflict('The user already has a role in the community. Change that role.', 'userId');
      }
      await assign(db, assignment, clock.now());
      return { id };
    },
    async change(id, { role, isActive }, context) {
      const userId = await holderOf(id, context);
      const setActive = { kind: 'set-active', userId, isActive: isActive === true } as const;
      // An inactive role is no obligation, so nobody has to accept it.
      if (isActive === false) await changeRoleOf(id, setActive, context);
      if (role !== undefined) await changeRoleOf(id, { kind: 'set-role', userId, role }, context);
      if (isActive === true) await changeRoleOf(id, setActive, context);
    },
    end: async (id, context) =>
      changeRoleOf(id, { kind: 'remove', userId: await holderOf(id, context) }, context),
  },
  drops: {
    async create({ id = randomUUID(), ...drop }, { db, clock }) {
      await requireCommunity(db, drop.communityId);
      return created(await insertDropSlot(db, { id, ...drop }, clock.now()), 'drop slot', id);
    },
    async change(id, changes, { db }) {
      const row = await requireRow(db, 'drops', id);
      const drop = settingsAfter(dropResource, row, changes);
      const actor = await actingOwner(db, String(row.community_id));
      const result = await changeDrop(db, actor, { dropId: id, drop });
      if (result.kind === 'too-few-slots') {
        throw conflict(
          t('{count} slots are already taken. Enter at least {count}.', { count: result.slotsUsed }),
          'slots',
        );
      }
    },
    async end(id, { db, clock }) {
      const row = await requireRow(db, 'drops', id);
      await endDrop(db, await actingOwner(db, String(row.community_id)), { dropId: id, now: clock.now() });
    },
  },
  products: {
    async create({ id = randomUUID(), ...product }, { db, clock }) {
      await requireUser(db, product.ownerId, 'ownerId');
      if (await insertProduct(db, { id, ...product }, clock.now())) return { id };
      throw alreadyExists(
        `Another product has the id ${id}, or another product of the seller has the slug "${product.slug}". Use different ones.`,
        { slug: 'Another product of the seller has this slug, or another product has the id.' },
      );
    },
    async change(id, { ownerId, ...changes }, { db }) {
      const row = await requireRow(db, 'products', id);
      const product = settingsAfter(productResource, row, changes);
      const result = await changeProduct(db, { productId: id, userId: String(row.owner_id) }, product);
      if (result === 'slug-taken') {
        throw conflict(phrase('Another product of the seller has this slug. Enter a different one.'), 'slug');
      }
      if (ownerId !== undefined) await handOver(db, { productId: id, newOwnerId: ownerId });
    },
    async end(id, { db }) {
      const { owner_id } = await requireRow(db, 'products', id);
      const result = await deleteProduct(db, { productId: id, userId: String(owner_id) });
      if (result === 'in-use') {
        throw conflict(
          phrase(
            'The product has members or payments, so the service keeps it. Remove its price to end its sale.',
          ),
        );
      }
    },
  },
};

async function handOver(db: Database, product: { readonly productId: string; readonly newOwnerId: string }) {
  await requireUser(db, product.newOwnerId, 'ownerId');
  if ((await handOverProduct(db, product)) === 'slug-taken') {
    const message = phrase('Another product of the new seller has the same slug.');
    throw alreadyExists(`${message} Change one of the two slugs first.`, { productId: message });
  }
}

async function changePlanOf(planId: string, change: PlanChange, { db }: WriteContext): Promise<void> {
  const plan = await requireRow(db, 'plans', planId);
  const isArchived = plan.archived_at !== null;
  // Archiving a plan again keeps the time of the first archiving.
  const kept =
    isArchived && typeof change.archivedAt === 'number' ? { archivedAt: Number(plan.archived_at) } : {};
  const actor = await actingOwner(db, String(plan.community_id));
  await changePlan(db, actor, { planId, change: { ...change, ...kept } });
}

async function holderOf(id: string, { db }: WriteContext): Promise<string> {
  return String((await requireRow(db, 'roles', id)).user_id);
}

/** `assignRole` of the operator says how. */
export async function assign(db: Database, assigned: Created<'roles'>, now: number): Promise<void> {
  const { communityId, userId } = assigned;
  await requireCommunity(db, communityId);
  await requireUser(db, userId);
  const owners = await findOwners(db, communityId, userId);
  const [owner] = owners;
  if (!isActiveOwner(assigned) && owner === userId) throw conflict(LAST_OWNER);
  if (!isActiveOwner(assigned) || owner === undefined || owners.includes(userId))
    return await assignRole(db, assigned);
  await assignRole(db, { ...assigned, role: 'ADMIN' });
  await inviteAsOwner(db, { communityId, userId: owner }, { userId, now });
}

/** Invites on an owner's behalf, unless an invitation is open. @throws OperatorError `conflict` if that can't be. */
async function inviteAsOwner(db: Database, actor: CommunityActor, invited: { userId: string; now: number }) {
  const { kind } = await inviteHolderAsOwner(db, actor, invited);
  if (kind === 'invited' || kind === 'already' || kind === 'already-invited') return;
  const reason =
    kind === 'no-address'
      ? phrase('The user has no e-mail address at which to accept it.')
      : kind === 'declined'
        ? phrase('The user declined it less than 90 days ago.')
        : phrase('The user or the community has the maximum number of invitations.');
  throw conflict(
    t('Nobody becomes an OWNER without accepting it, and the user can’t be invited. {reason}', {
      reason: t(reason),
    }),
    'role',
  );
}

async function changeRoleOf(id: string, requested: RoleChange, { db, clock }: WriteContext): Promise<void> {
  const { userId } = requested;
  const actor = await actingOwner(db, id.split('~')[0] ?? '', userId);
  const decision = await changeRole(db, actor, requested);
  if (decision.kind === 'changed') return;
  if (decision.kind === 'needs-acceptance')
    return await inviteAsOwner(db, actor, { userId, now: clock.now() });
  throw conflict(
    decision.kind === 'last-owner' ? LAST_OWNER : phrase('The role changed meanwhile. Load it again.'),
  );
}

async function requireOpen(db: Database, communityId: string): Promise<void> {
  if ((await findCommunity(db, communityId)) === undefined)
    throw conflict(phrase('The community is closed, so nothing in it changes any more.'));
}

/** The owner on whose behalf the operator acts, preferably not `besides`. @throws OperatorError `conflict` if none. */
export async function actingOwner(db: Database, communityId: string, besides?: string) {
  await requireOpen(db, communityId);
  const [userId] = await findOwners(db, communityId, besides);
  if (userId !== undefined) return { communityId, userId };
  throw conflict(phrase('The community has no active owner, who alone could change this.'));
}

function settingsAfter<Values extends object>(
  resource: Pick<Resource, 'fields'> & { readonly create: z.ZodType<Values> },
  row: Row,
  changes: object,
): Values {
  return parseInput(resource.create as z.ZodType<Values>, {
    ...recordOf(resource, row),
    ...defined(changes),
  });
}

function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
