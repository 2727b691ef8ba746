import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { changeCommunity, setBot } from '../src/features/communities/communities.js';
import type { CommunityActor } from '../src/features/communities/community-access.js';
import { assignRole, changeRole } from '../src/features/communities/roles.js';
import { changeDrop, createDrop, endDrop } from '../src/features/drops/drop.queries.js';
import { inviteAdministrator, inviteMember } from '../src/features/invitations/send-invitation.js';
import { changeMembership } from '../src/features/memberships/administer-membership.js';
import { changePlan, createPlan } from '../src/features/plans/plan.queries.js';
import { planResource } from '../src/features/plans/plan.resource.js';
import { changeProduct, deleteProduct } from '../src/features/products/product.queries.js';
import { productResource } from '../src/features/products/product.resource.js';
import type { Database } from '../src/platform/database/open-database.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community, plans, dropSlot, memberships, products } = sandboxScenario;
const now = START;
const plan = planResource.create.parse({ name: 'P', priceMinor: 1 });
const drop = { name: 'D', slots: null, startsAt: START, endsAt: null };
const product = productResource.create.parse({ name: 'P', slug: 'p' });
const window = { validFrom: START, validUntil: null };

/** Every change of the seller area, as its page runs it after the role check. */
const CHANGES: Record<string, (db: Database, actor: CommunityActor) => Promise<unknown>> = {
  'renaming a community': (db, actor) => changeCommunity(db, actor, { name: 'Taken' }),
  'naming its bot': (db, actor) => setBot(db, actor, { name: 'taken_bot', now }),
  'changing a role': (db, actor) => changeRole(db, actor, { kind: 'remove', userId: users.dana.id }),
  'creating a plan': (db, actor) => createPlan(db, actor, { plan, now }),
  'changing a plan': (db, actor) =>
    changePlan(db, actor, { planId: plans.monthly.id, change: { priceMinor: 0 } }),
  'creating a drop': (db, actor) => createDrop(db, actor, { drop, now }),
  'changing a drop': (db, actor) => changeDrop(db, actor, { dropId: dropSlot.id, drop }),
  'ending a drop': (db, actor) => endDrop(db, actor, { dropId: dropSlot.id, now }),
  'inviting a member': (db, actor) => inviteMember(db, actor, { email: 'grace@example.com', window, now }),
  'inviting an administrator': (db, actor) =>
    inviteAdministrator(db, actor, { email: 'grace@example.com', role: 'ADMIN', now }),
  'ending a membership': (db, actor) =>
    changeMembership(db, actor, {
      membershipId: memberships.adaCommunity.id,
      change: { kind: 'end-now' },
      now,
    }),
  'changing a product': (db, { userId }) =>
    changeProduct(db, { productId: products.roastingCourse.id, userId }, product),
  'deleting a product': (db, { userId }) =>
    deleteProduct(db, { productId: products.roastingCourse.id, userId }),
};

async function rowsOnSale(db: Database) {
  const tables = ['communities', 'community_roles', 'messenger_bots', 'pricing_plans', 'drop_slots'] as const;
  const more = ['memberships', 'products', 'users', 'webhook_events', 'invitations'] as const;
  const read = [...tables, ...more].map((table) => db.selectFrom(table).selectAll().execute());
  return JSON.stringify(await Promise.all(read));
}

describe("role that is removed between the page's check and the change", () => {
  it.for(Object.entries(CHANGES))('prevents %s', async ([, change], { service, db }) => {
    await service.server.operator.assignRole({
      communityId: community.id,
      userId: users.ben.id,
      role: 'OWNER',
      isActive: false,
    });
    const before = await rowsOnSale(db);
    const changed = change(db, { communityId: community.id, userId: users.ben.id });
    await expect(changed).rejects.toMatchObject({ status: 404 });
    expect(await rowsOnSale(db)).toBe(before);
  });

  it.for(Object.entries(CHANGES))('decides alone: its holder succeeds in %s', async ([, change], { db }) => {
    await assignRole(db, { communityId: community.id, userId: users.ada.id, role: 'OWNER', isActive: true });
    const before = await rowsOnSale(db);
    await change(db, { communityId: community.id, userId: users.dana.id });
    expect(await rowsOnSale(db)).not.toBe(before);
  });
});
