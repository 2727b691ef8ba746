import { ENDPOINTS, envelopeFailureSchemas, rejectionSchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callResource, publicTokens } from './authorization-flow.js';
import { conflictOf, postProvision, provision } from './provision-requests.js';
import { it, START } from './service-under-test.js';
import { itWithDatabase, membershipEventsOf } from './service-with-database.js';

const { users, plans } = sandboxScenario;
const DAY = 24 * 3600_000;
const UNKNOWN_ID = '5eed0000-0000-4000-8000-00000000ffff';
const BEN = { email: users.ben.email };
const at = (ms: number) => new Date(ms).toISOString();

describe('first order', () => {
  it('creates a lifetime membership that starts at the call, and returns 200', {
    tags: [
      'provision.success-ok',
      'provision.created',
      'provision.result-membership-id',
      'provision.result-user-id',
      'provision.result-valid-from',
      'provision.result-valid-until',
      'provision.result-status',
      'provision.valid-until-omitted',
      'provision.valid-from-default',
    ],
  }, async ({ service }) => {
    service.clock.advance(1234);
    expect(await provision(service, BEN)).toEqual({
      membershipId: expect.any(String),
      userId: users.ben.id,
      validFrom: at(START + 1234),
      validUntil: null,
      status: 'created',
    });
  });

  it('ignores the sent start and stores the end', {
    tags: ['provision.created-ignores-valid-from', 'general.timestamp-format'],
  }, async ({ service }) => {
    const window = { validFrom: at(START + 5 * DAY), validUntil: '2026-07-12T16:05+02:00' };
    expect(await provision(service, { ...BEN, ...window })).toMatchObject({
      validFrom: at(START),
      validUntil: at(START + 30 * DAY),
      status: 'created',
    });
  });

  it('creates an unmatched user, who can sign in and gets the same ids', {
    tags: ['provision.creates-user', 'provision.result-user-id', 'provision.result-membership-id'],
  }, async ({ service }) => {
    const made = await provision(service, { email: ' New.Buyer@Shop.Example ' });
    const { access_token } = await publicTokens(service, { email: 'new.buyer@shop.example' });
    expect(await (await callResource(service, access_token)).json()).toEqual({
      sub: made.userId,
      email: 'new.buyer@shop.example',
    });
    const list = await (await callResource(service, access_token, '/oauth/memberships')).json();
    expect(ENDPOINTS.memberships.success.body.strict.parse(list).memberships).toMatchObject([
      { id: made.membershipId, productType: 'community', validFrom: made.validFrom, validUntil: null },
    ]);
  });

  itWithDatabase(
    'gets the plan of the request, and a plan of another community is 404 and creates no user',
    { tags: ['provision.pricing-plan-id', 'api-key.status-not-found'] },
    async ({ service, db }) => {
      const { operator } = service.server;
      const other = await operator.createCommunity({ name: 'Tea', ownerId: users.dana.id });
      const foreign = await operator.createPricingPlan({ communityId: other.id, name: 'Tea', priceMinor: 1 });
      const email = 'planned@shop.example';
      for (const pricingPlanId of [UNKNOWN_ID, foreign.id]) {
        const answer = await postProvision(service, { email, pricingPlanId });
        expect(answer.status).toBe(404);
        envelopeFailureSchemas(['not_found']).strict.parse(answer.body);
      }
      const holders = db.selectFrom('community_emails').select('id').where('email', '=', email);
      expect(await holders.execute()).toEqual([]);
      const { membershipId } = await provision(service, {
        email,
        pricingPlanId: plans.monthly.id.toUpperCase(),
      });
      const row = db.selectFrom('memberships').select('pricing_plan_id').where('id', '=', membershipId);
      expect(await row.executeTakeFirst()).toEqual({ pricing_plan_id: plans.monthly.id });
    },
  );
});

describe('further order', () => {
  it('extends an active membership to the later end, without adding the periods', {
    tags: [
      'provision.status-reports-state-before',
      'provision.extend-keeps-later-end',
      'provision.extend-not-added',
      'provision.extend-open-ended',
      'provision.on-overlap-default',
    ],
  }, async ({ service }) => {
    const order = (externalOrderId: string, validUntil?: number) =>
      provision(service, {
        ...BEN,
        externalOrderId,
        ...(validUntil !== undefined && { validUntil: at(validUntil) }),
      });
    const { membershipId } = await order('1', START + 30 * DAY);
    service.clock.advance(DAY);
    const kept = { membershipId, validFrom: at(START), status: 'extended' };
    expect(await order('2', START + 10 * DAY)).toMatchObject({ ...kept, validUntil: at(START + 30 * DAY) });
    expect(await order('3', START + 60 * DAY)).toMatchObject({ ...kept, validUntil: at(START + 60 * DAY) });
    expect(await order('4')).toMatchObject({ ...kept, validUntil: null });
    expect(await order('5', START + 60 * DAY)).toMatchObject({ ...kept, validUntil: null });
  });

  it('with onOverlap replace applies its own window and returns extended', {
    tags: ['provision.replace-active', 'provision.on-overlap-values'],
  }, async ({ service }) => {
    const { membershipId } = await provision(service, BEN);
    const window = { validFrom: at(START + DAY), validUntil: at(START + 2 * DAY) };
    const body = { ...BEN, externalOrderId: '2', onOverlap: 'replace', ...window } as const;
    expect(await provision(service, body)).toMatchObject({ membershipId, status: 'extended', ...window });
  });

  itWithDatabase(
    'with onOverlap error gets 409 and leaves the membership unchanged',
    { tags: ['provision.overlap-error', 'api-key.status-conflict', 'provision.on-overlap-values'] },
    async ({ service, db }) => {
      const first = await provision(service, BEN);
      const before = await db.selectFrom('memberships').selectAll().orderBy('id').execute();
      const refused = {
        ...BEN,
        externalOrderId: '2',
        onOverlap: 'error',
        validUntil: at(START + DAY),
      } as const;
      expect(await conflictOf(service, refused)).toMatchObject({ errorCode: 'already_exists' });
      expect(await db.selectFrom('memberships').selectAll().orderBy('id').execute()).toEqual(before);
      expect(await provision(service, BEN)).toEqual({ ...first, status: 'idempotent_return' });
    },
  );

  it.for(['extend', 'replace', 'error'] as const)(
    'replaces an expired membership with onOverlap %s',
    { tags: ['provision.lapsed-replaced'] },
    async (onOverlap, { service }) => {
      const cleo = { email: users.cleo.email, onOverlap };
      const window = { validFrom: at(START - DAY), validUntil: at(START + DAY) };
      expect(await provision(service, { ...cleo, ...window })).toEqual({
        membershipId: sandboxScenario.memberships.cleoCommunity.id,
        userId: users.cleo.id,
        status: 'replaced',
        ...window,
      });
      service.clock.advance(DAY);
      const again = { ...cleo, externalOrderId: '2' };
      expect(await provision(service, again)).toMatchObject({
        status: 'replaced',
        validFrom: at(START + DAY),
        validUntil: null,
      });
    },
  );

  it('treats a future window as active, although it grants no access yet', async ({ service }) => {
    await provision(service, BEN);
    const later = { validFrom: at(START + 10 * DAY), onOverlap: 'replace' } as const;
    const { membershipId } = await provision(service, { ...BEN, externalOrderId: '2', ...later });
    const { access_token } = await publicTokens(service, { email: users.ben.email });
    const list = await (await callResource(service, access_token, '/oauth/memberships')).json();
    expect(list).toEqual({ memberships: [] });
    expect(await conflictOf(service, { ...BEN, externalOrderId: '3', onOverlap: 'error' })).toMatchObject({
      errorCode: 'already_exists',
    });
    expect(await provision(service, { ...BEN, externalOrderId: '4' })).toMatchObject({
      membershipId,
      status: 'extended',
      validFrom: later.validFrom,
    });
  });

  itWithDatabase(
    'whose window ends before it starts gets 400 and changes nothing',
    async ({ service, db }) => {
      const before = await db.selectFrom('memberships').selectAll().orderBy('id').execute();
      for (const body of [
        { ...BEN, validUntil: at(START) },
        { ...BEN, validUntil: '2020-01-01', validFrom: '2019-01-01' },
        { email: users.cleo.email, validFrom: at(START + DAY), validUntil: at(START + DAY) },
        { email: users.ada.email, onOverlap: 'replace', validUntil: at(START - 1) },
      ]) {
        const answer = await postProvision(service, body);
        expect(answer.status, answer.text).toBe(400);
        expect(rejectionSchemas.strict.parse(answer.body).message).toContain('validUntil');
      }
      expect(await db.selectFrom('memberships').selectAll().orderBy('id').execute()).toEqual(before);
    },
  );
});

describe('repeated order', () => {
  itWithDatabase(
    'returns the same five fields and changes nothing, also after the membership has expired',
    { tags: ['provision.idempotent-return', 'provision.repeat-same-fields', 'retry.provision-idempotent'] },
    async ({ service, db }) => {
      const body = { ...BEN, validUntil: at(START + 30 * DAY) };
      const first = await provision(service, body);
      const rows = () => db.selectFrom('memberships').selectAll().orderBy('id').execute();
      const before = await rows();
      const repeats = [
        {},
        { onOverlap: 'error' },
        { onOverlap: 'replace', validUntil: at(START + 90 * DAY) },
      ] as const;
      for (const days of [0, 1, 29, 30, 400]) {
        service.clock.set(START + days * DAY);
        for (const changes of repeats) {
          const repeat = await provision(service, { ...body, ...changes });
          expect(repeat).toEqual({ ...first, status: 'idempotent_return' });
        }
      }
      expect(await rows()).toEqual(before);
      expect(await membershipEventsOf(db, users.ben.id)).toHaveLength(1);
    },
  );

  it('provisions again after a newer one', { tags: ['provision.latest-order-id-only'] }, async ({
    service,
  }) => {
    const order = (externalOrderId: string) => provision(service, { ...BEN, externalOrderId });
    const statuses = [];
    for (const id of ['1', '2', '2', '1', '1']) statuses.push((await order(id)).status);
    expect(statuses).toEqual(['created', 'extended', 'idempotent_return', 'extended', 'idempotent_return']);
  });

  it('provisions again for another buyer', { tags: ['provision.same-order-other-buyer'] }, async ({
    service,
  }) => {
    const first = await provision(service, BEN);
    const others = [{ email: 'other@shop.example' }, { messengerUserId: 77_001 }];
    for (const other of others) {
      const made = await provision(service, other);
      expect(made.status).toBe('created');
      expect(made.userId).not.toBe(first.userId);
    }
  });

  it('is a repeat with the other identifier of the same user', async ({ service }) => {
    const first = await provision(service, BEN);
    const repeat = { ...first, status: 'idempotent_return' };
    expect(await provision(service, { messengerUserId: users.ben.messengerUserId })).toEqual(repeat);
    expect(await provision(service, { email: ' BEN@example.com' })).toEqual(repeat);
  });

  it('is matched exactly, and is another order in another community', async ({ service }) => {
    const { id } = await service.server.operator.createCommunity({ name: 'Tea', ownerId: users.dana.id });
    await provision(service, { ...BEN, externalOrderId: 'Order 1' });
    for (const externalOrderId of ['order 1', 'Order 1 ', 'Ｏrder 1']) {
      expect(await provision(service, { ...BEN, externalOrderId })).toMatchObject({ status: 'extended' });
    }
    const elsewhere = { ...BEN, externalOrderId: 'Order 1', communityId: id };
    expect(await provision(service, elsewhere)).toMatchObject({ status: 'created' });
  });
});
