import { envelopeFailureSchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { METHODS, payFor } from './checkout-world.js';
import { allowInserts, refuseInserts } from './database/refuse-inserts.js';
import { conflictOf, postProvision, provision } from './provision-requests.js';
import { it, START } from './service-under-test.js';
import { itWithDatabase, membershipEventsOf } from './service-with-database.js';

const { users, community, plans } = sandboxScenario;
const DAY = 24 * 3600_000;
const UNKNOWN_ID = '5eed0000-0000-4000-8000-00000000ffff';
const BEN = { email: users.ben.email };
const at = (ms: number) => new Date(ms).toISOString();

describe('membership that a subscription renews', () => {
  it('cannot be provisioned if it was bought, unless it was bought for life', {
    tags: ['provision.subscription-managed'],
  }, async ({ service }) => {
    await payFor(service, { email: users.ben.email, pricingPlanId: plans.monthly.id });
    expect(await conflictOf(service, BEN)).toMatchObject({ errorCode: 'conflict' });
    const email = 'lifelong@shop.example';
    await payFor(
      service,
      { email, pricingPlanId: plans.lifetime.id, externalId: 'order-8' },
      METHODS.transfer,
    );
    expect(await provision(service, { email })).toMatchObject({ status: 'extended', validUntil: null });
  });

  itWithDatabase(
    'gets 409, whatever is sent, until the subscription is cancelled',
    { tags: ['provision.subscription-managed', 'api-key.status-conflict'] },
    async ({ service, db }) => {
      const { membershipId } = await provision(service, { ...BEN, validUntil: at(START + 30 * DAY) });
      const row = db.updateTable('memberships').where('id', '=', membershipId);
      await row.set({ subscription_id: 'subscription' }).execute();
      const before = await db.selectFrom('memberships').selectAll().orderBy('id').execute();
      for (const onOverlap of ['extend', 'replace', 'error']) {
        for (const externalOrderId of ['order-1', 'order-2']) {
          const refused = await conflictOf(service, { ...BEN, onOverlap, externalOrderId });
          expect(refused.errorCode).toBe('conflict');
        }
      }
      expect(await db.selectFrom('memberships').selectAll().orderBy('id').execute()).toEqual(before);

      await row.set({ subscription_cancelled_at: START }).execute();
      expect(await provision(service, { ...BEN, externalOrderId: '2' })).toMatchObject({
        status: 'extended',
      });
      expect(await provision(service, { ...BEN, externalOrderId: '2' })).toMatchObject({
        status: 'idempotent_return',
      });
    },
  );

  itWithDatabase('is replaced once it has expired, and loses its subscription', async ({ service, db }) => {
    const { membershipId } = await provision(service, { ...BEN, validUntil: at(START + DAY) });
    const row = db.updateTable('memberships').where('id', '=', membershipId);
    await row.set({ subscription_id: 'subscription', lapse_announced_at: START + DAY }).execute();
    service.clock.advance(DAY);
    expect(await provision(service, { ...BEN, externalOrderId: '2' })).toMatchObject({ status: 'replaced' });
    const columns = ['subscription_id', 'lapse_announced_at'] as const;
    const stored = db.selectFrom('memberships').select(columns).where('id', '=', membershipId);
    expect(await stored.executeTakeFirst()).toEqual({ subscription_id: null, lapse_announced_at: null });
    const retry = { ...BEN, externalOrderId: '2' };
    expect(await provision(service, retry)).toMatchObject({ status: 'idempotent_return' });
  });
});

describe('buyer', () => {
  it('is found by either identifier', { tags: ['provision.send-both-identifiers'] }, async ({ service }) => {
    expect(await provision(service, { email: 'ADA@example.com\n' })).toMatchObject({ userId: users.ada.id });
    const byMessenger = { messengerUserId: users.ben.messengerUserId };
    expect(await provision(service, byMessenger)).toMatchObject({ userId: users.ben.id, status: 'created' });
  });

  itWithDatabase(
    'with the identifiers of two users is the one with the email address, and no identifier moves',
    async ({ service, db }) => {
      const people = () => db.selectFrom('users').selectAll().orderBy('id').execute();
      const before = await people();
      const both = { email: users.ada.email, messengerUserId: users.ben.messengerUserId };
      expect(await provision(service, both)).toMatchObject({ userId: users.ada.id });
      expect(await people()).toEqual(before);
    },
  );

  it('gets an unused identifier, and keeps the existing ones', async ({ service }) => {
    const order = (identifiers: { email?: string; messengerUserId?: number }) =>
      provision(service, identifiers);
    const cleo = await order({ email: users.cleo.email, messengerUserId: 88_001 });
    expect(await order({ messengerUserId: 88_001 })).toMatchObject({ userId: cleo.userId });
    const nameless = await order({ messengerUserId: 88_002 });
    expect(await order({ email: 'late@shop.example', messengerUserId: 88_002 })).toEqual({
      ...nameless,
      status: 'idempotent_return',
    });
    expect(await order({ email: 'late@shop.example' })).toMatchObject({ userId: nameless.userId });

    const moved = await order({ email: users.cleo.email, messengerUserId: 88_003 });
    expect(moved.userId).toBe(cleo.userId);
    expect((await order({ messengerUserId: 88_003 })).userId).not.toBe(cleo.userId);
    const renamed = await order({ email: 'renamed@shop.example', messengerUserId: 88_001 });
    expect(renamed.userId).toBe(cleo.userId);
    expect((await order({ email: 'renamed@shop.example' })).userId).not.toBe(cleo.userId);
  });

  itWithDatabase(
    'of a rejected provisioning is not created and gets no identifier',
    async ({ service, db }) => {
      const people = () => db.selectFrom('users').selectAll().orderBy('id').execute();
      const before = await people();
      await conflictOf(service, { email: users.ada.email, onOverlap: 'error', messengerUserId: 88_001 });
      await postProvision(service, { email: 'nobody@shop.example', validUntil: '2020-01-01' });
      await postProvision(service, {
        email: users.cleo.email,
        messengerUserId: 88_002,
        pricingPlanId: UNKNOWN_ID,
      });
      expect(await people()).toEqual(before);
    },
  );
});

describe('event of a provisioning', () => {
  itWithDatabase(
    'is stored once for each change, and not for a repeat or a rejection',
    async ({ service, db }) => {
      const made = await provision(service, { ...BEN, validUntil: at(START + DAY) });
      await provision(service, BEN);
      await conflictOf(service, { ...BEN, externalOrderId: '2', onOverlap: 'error' });
      service.clock.advance(1);
      await provision(service, { ...BEN, externalOrderId: '2', pricingPlanId: plans.monthly.id });
      service.clock.advance(1);
      const past = { validFrom: at(START - DAY), validUntil: at(START - 1), onOverlap: 'replace' } as const;
      await provision(service, { ...BEN, externalOrderId: '3', ...past });
      const membership = { id: made.membershipId, productType: 'community', validFrom: at(START) };
      const common = {
        communityId: community.id,
        productId: null,
        user: { sub: users.ben.id, email: BEN.email },
      };
      expect((await membershipEventsOf(db, users.ben.id)).map(({ type, data }) => ({ type, data }))).toEqual([
        {
          type: 'membership.created',
          data: {
            ...common,
            pricingPlanId: null,
            externalOrderId: 'order-1',
            membership: { ...membership, isActive: true, validUntil: at(START + DAY) },
          },
        },
        {
          type: 'membership.updated',
          data: {
            ...common,
            pricingPlanId: plans.monthly.id,
            externalOrderId: '2',
            membership: { ...membership, isActive: true, validUntil: null },
          },
        },
        {
          type: 'membership.updated',
          data: {
            ...common,
            pricingPlanId: null,
            externalOrderId: '3',
            membership: {
              ...membership,
              isActive: false,
              validFrom: past.validFrom,
              validUntil: past.validUntil,
            },
          },
        },
      ]);
    },
  );
});

describe('provisioning whose write fails', () => {
  itWithDatabase(
    'gets 500 and is rolled back, without a user or a membership, and can be sent again',
    { tags: ['api-key.status-server-failure', 'retry.provision-idempotent'] },
    async ({ service, db }) => {
      const body = { email: 'unlucky@shop.example' };
      const people = db.selectFrom('community_emails').select('user_id').where('email', '=', body.email);
      await refuseInserts(db, 'webhook_events');
      const answer = await postProvision(service, body);
      expect(answer.status).toBe(500);
      envelopeFailureSchemas(['internal_server_error']).strict.parse(answer.body);
      expect(await people.execute()).toEqual([]);
      await allowInserts(db, 'webhook_events');
      expect(await provision(service, body)).toMatchObject({ status: 'created' });
      expect(await people.execute()).toHaveLength(1);
    },
  );
});
