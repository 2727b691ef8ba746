import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { startCharge } from '../src/features/charges/charges.js';
import { deletedUserIdOf } from '../src/features/users/users.js';
import { callBuyPlan } from './checkout-world.js';
import { answerInvitation, COMMUNITY, createAccount, errorsIn, sellerOf } from './seller-area.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, community, dropSlot } = sandboxScenario;
const DAY = 24 * 3600_000;

describe('deletion of an account', () => {
  it('is rejected while another buyer is charged for a checkout that was opened again for the user', async ({
    service,
    db,
  }) => {
    await callBuyPlan(service, { email: users.ada.email, externalId: 'order-7' });
    const { id: reservationId } = await db
      .selectFrom('checkout_reservations')
      .select('id')
      .executeTakeFirstOrThrow();
    const charge = { order_id: 'order-9', reservation_id: reservationId, user_id: users.ada.id };
    await startCharge(db, charge, START);
    await callBuyPlan(service, { email: users.ben.email, externalId: 'order-7' });
    await expect(service.server.operator.deleteUser({ id: users.ben.id })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('A charge is running'),
    });
    expect(await db.selectFrom('charges').select('order_id').execute()).toEqual([{ order_id: 'order-9' }]);
    await db.deleteFrom('charges').execute();
    expect(await service.server.operator.deleteUser({ id: users.ben.id })).toEqual({ id: users.ben.id });
  });

  it('announces the expiry of a membership that was not announced, with the id and address of the user', async ({
    service,
    db,
  }) => {
    const email = 'kim@example.com';
    const { id } = await service.server.operator.createUser({ email });
    await service.server.operator.grantMembership({
      ...{ userId: id, productType: 'community', communityId: community.id },
      ...{ validFrom: START, validUntil: START + DAY },
    });
    service.clock.advance(2 * DAY);
    await service.server.operator.deleteUser({ id });
    await service.server.runBackgroundWork();
    expect((await membershipEventsOf(db, id)).at(-1)).toMatchObject({
      type: 'membership.updated',
      data: { user: { sub: id, email }, membership: { isActive: false } },
    });
    expect(await membershipEventsOf(db, deletedUserIdOf(id))).toEqual([]);
  });

  it('keeps the block of an address that declined an invitation of the user', async ({ service, db }) => {
    const { operator } = service.server;
    const { id } = await operator.createUser({ email: 'kim@example.com' });
    await operator.assignRole({ communityId: community.id, userId: id, role: 'ADMIN' });
    const kim = await sellerOf(service, 'kim@example.com');
    const dates = { validFrom: '', validUntil: '' };
    for (const name of ['grace', 'hugo'])
      await kim.submit(`${COMMUNITY}/members`, { email: `${name}@example.com`, ...dates });
    await createAccount(service, 'grace@example.com');
    await answerInvitation(service, { email: 'grace@example.com', answer: 'decline' });
    await operator.deleteUser({ id });
    const dana = await sellerOf(service);
    const page = await dana.refused(`${COMMUNITY}/members`, { email: 'grace@example.com', ...dates });
    expect(errorsIn(page)).toEqual([expect.stringContaining('This address declined your invitation.')]);
    // The open invitation of the deleted user has ended.
    expect(await db.selectFrom('invitations').select(['email', 'invited_by']).execute()).toEqual([
      { email: 'grace@example.com', invited_by: deletedUserIdOf(id) },
    ]);
  });

  it('frees the slots of the signups that it deletes', async ({ service, db }) => {
    const { id } = await service.server.operator.createDropSlot({
      ...{ communityId: community.id, name: 'Small drop', slots: 1 },
      ...{ startsAt: START - DAY, endsAt: null },
    });
    await db.updateTable('drop_slots').set({ slots_used: 1 }).where('id', '=', id).execute();
    await db
      .insertInto('drop_signups')
      .values({
        id: 'signup',
        drop_slot_id: id,
        email: users.ben.email,
        phone_number: null,
        created_at: START,
      })
      .execute();
    const before = await usedSlots(dropSlot.id);
    await service.server.operator.deleteUser({ id: users.ben.id });
    expect([await usedSlots(id), await usedSlots(dropSlot.id)]).toEqual([0, before]);

    async function usedSlots(drop: string): Promise<number | undefined> {
      const row = db.selectFrom('drop_slots').select('slots_used').where('id', '=', drop);
      return (await row.executeTakeFirst())?.slots_used;
    }
  });

  it('leaves a row that is no user: the operator can give it nothing', async ({ service, db }) => {
    const { operator } = service.server;
    await operator.deleteUser({ id: users.ben.id });
    const row = deletedUserIdOf(users.ben.id);
    const calls = [
      () => operator.grantMembership({ userId: row, productType: 'community', communityId: community.id }),
      () => operator.assignRole({ communityId: community.id, userId: row, role: 'OWNER' }),
      () => operator.createCommunity({ name: 'Tea Club', ownerId: row }),
      () => operator.createProduct({ ownerId: row, name: 'Guide', slug: 'guide' }),
      () => operator.createApiKey({ ownerId: row, name: 'Bot', permissions: ['MEMBERSHIP_READ'] }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'not_found' });
    const memberships = db.selectFrom('memberships').select('id').where('user_id', '=', row);
    expect(await memberships.execute()).toEqual([]);
  });
});
