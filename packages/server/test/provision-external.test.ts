import { ENDPOINTS, envelopeFailureSchemas, rejectionSchemas } from '@latchkey/contract';
import { PERMISSIONS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey, keyWith } from './api-key-requests.js';
import { callResource, publicTokens } from './authorization-flow.js';
import { METHODS, payFor } from './checkout-world.js';
import { allowInserts, refuseInserts } from './database/refuse-inserts.js';
import { fuzzEndpoint } from './malformed-requests.js';
import { PROVISION_PATH, postProvision, provision } from './provision-requests.js';
import { it, type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase, membershipEventsOf } from './service-with-database.js';

const { users, community, plans } = sandboxScenario;
const DAY = 24 * 3600_000;
const UNKNOWN_ID = '5eed0000-0000-4000-8000-00000000ffff';
const BEN = { email: users.ben.email };

const at = (ms: number) => new Date(ms).toISOString();

/** The 409 response, parsed with the strict schema. */
async function conflictOf(service: ServiceUnderTest, body: Parameters<typeof postProvision>[1]) {
  const answer = await postProvision(service, body);
  expect(answer.status, answer.text).toBe(409);
  return envelopeFailureSchemas(['already_exists', 'conflict']).strict.parse(answer.body);
}

describe('first order', () => {
  it('creates a lifetime membership that starts at the call, and returns 200 [provision.success-ok] [provision.created] [provision.result-membership-id] [provision.result-user-id] [provision.result-valid-from] [provision.result-valid-until] [provision.result-status] [provision.valid-until-omitted] [provision.valid-from-default]', async ({
    service,
  }) => {
    service.clock.advance(1234);
    expect(await provision(service, BEN)).toEqual({
      membershipId: expect.any(String),
      userId: users.ben.id,
      validFrom: at(START + 1234),
      validUntil: null,
      status: 'created',
    });
  });

  it('ignores the sent start and stores the end [provision.created-ignores-valid-from] [general.timestamp-format]', async ({
    service,
  }) => {
    const window = { validFrom: at(START + 5 * DAY), validUntil: '2026-07-12T16:05+02:00' };
    expect(await provision(service, { ...BEN, ...window })).toMatchObject({
      validFrom: at(START),
      validUntil: at(START + 30 * DAY),
      status: 'created',
    });
  });

  it('creates an unmatched user, who can sign in and gets the same ids [provision.creates-user] [provision.result-user-id] [provision.result-membership-id]', async ({
    service,
  }) => {
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
    'gets the plan of the request, and a plan of another community is 404 and creates no user [provision.pricing-plan-id] [api-key.status-not-found]',
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
      const holders = db.selectFrom('users').select('id').where('email', '=', email);
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
  it('extends an active membership to the later end, without adding the periods [provision.status-reports-state-before] [provision.extend-keeps-later-end] [provision.extend-not-added] [provision.extend-open-ended] [provision.on-overlap-default]', async ({
    service,
  }) => {
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

  it('with onOverlap replace applies its own window and returns extended [provision.replace-active] [provision.on-overlap-values]', async ({
    service,
  }) => {
    const { membershipId } = await provision(service, BEN);
    const window = { validFrom: at(START + DAY), validUntil: at(START + 2 * DAY) };
    const body = { ...BEN, externalOrderId: '2', onOverlap: 'replace', ...window } as const;
    expect(await provision(service, body)).toMatchObject({ membershipId, status: 'extended', ...window });
  });

  itWithDatabase(
    'with onOverlap error gets 409 and leaves the membership unchanged [provision.overlap-error] [api-key.status-conflict] [provision.on-overlap-values]',
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
    'replaces an expired membership with onOverlap %s [provision.lapsed-replaced]',
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
    'returns the same five fields and changes nothing, also after the membership has expired [provision.idempotent-return] [provision.repeat-same-fields] [retry.provision-idempotent]',
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

  it('provisions again after a newer one [provision.latest-order-id-only]', async ({ service }) => {
    const order = (externalOrderId: string) => provision(service, { ...BEN, externalOrderId });
    const statuses = [];
    for (const id of ['1', '2', '2', '1', '1']) statuses.push((await order(id)).status);
    expect(statuses).toEqual(['created', 'extended', 'idempotent_return', 'extended', 'idempotent_return']);
  });

  it('provisions again for another buyer [provision.same-order-other-buyer]', async ({ service }) => {
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

describe('membership that a subscription renews', () => {
  it('cannot be provisioned if it was bought, unless it was bought for life [provision.subscription-managed]', async ({
    service,
  }) => {
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
    'gets 409, whatever is sent, until the subscription is cancelled [provision.subscription-managed] [api-key.status-conflict]',
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
  it('is found by either identifier [provision.send-both-identifiers]', async ({ service }) => {
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
      await provision(service, { ...BEN, externalOrderId: '2' });
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
            externalOrderId: 'order-1',
            membership: { ...membership, isActive: true, validUntil: at(START + DAY) },
          },
        },
        {
          type: 'membership.updated',
          data: {
            ...common,
            externalOrderId: '2',
            membership: { ...membership, isActive: true, validUntil: null },
          },
        },
        {
          type: 'membership.updated',
          data: {
            ...common,
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
    'gets 500 and is rolled back, without a user or a membership, and can be sent again [api-key.status-server-failure] [retry.provision-idempotent]',
    async ({ service, db }) => {
      const body = { email: 'unlucky@shop.example' };
      const people = db.selectFrom('users').select('id').where('email', '=', body.email);
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

describe('API key', () => {
  it('needs both permissions [api-key.provision-permission] [provision.private]', async ({ service }) => {
    const others = PERMISSIONS.filter((permission) => permission !== 'MEMBERSHIP_PROVISION');
    for (const permissions of [others, ['MEMBERSHIP_PROVISION'] as const]) {
      const answer = await postProvision(service, BEN, await keyWith(service, permissions));
      expect(answer.status).toBe(403);
      rejectionSchemas.strict.parse(answer.body);
    }
    const both = await keyWith(service, ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION']);
    expect((await postProvision(service, BEN, both)).status).toBe(200);
  });

  it('needs a role in the community of the body [api-key.role-checked] [api-key.provision-permission]', async ({
    service,
  }) => {
    const { id } = await service.server.operator.createCommunity({ name: 'Tea', ownerId: users.ben.id });
    expect((await postProvision(service, { ...BEN, communityId: id })).status).toBe(403);
    expect((await postProvision(service, { ...BEN, communityId: UNKNOWN_ID })).status).toBe(404);
  });
});

describe('field', () => {
  it.for([
    ['communityId', undefined, 'communityId is missing.', '[provision.community-id]'],
    ['communityId', 'main', 'communityId must be a UUID.', '[provision.malformed-uuid]'],
    ['communityId', 1, 'communityId must be a string.', '[provision.community-id]'],
    ['externalOrderId', undefined, 'externalOrderId is missing.', '[provision.external-order-id]'],
    ['externalOrderId', '', 'externalOrderId must not be empty.', ''],
    ['externalOrderId', 1, 'externalOrderId must be a string.', ''],
    ['externalOrderId', 'x'.repeat(256), 'externalOrderId must have at most 255 characters.', ''],
    ['externalOrderId', 'a\u0000b', 'externalOrderId must be text without NUL.', ''],
    ['externalOrderId', 'a\ud800', 'externalOrderId must be text without NUL.', ''],
    ['email', undefined, 'email or messengerUserId is required.', '[provision.email-or-messenger]'],
    ['email', 'ben', 'email must be an email address.', '[provision.email-format]'],
    ['email', null, 'email must be a string.', ''],
    ['messengerUserId', 0, 'messengerUserId must be at least 1.', '[provision.messenger-user-id-min]'],
    ['messengerUserId', 1.5, 'messengerUserId must be an integer.', '[provision.messenger-user-id-min]'],
    ['messengerUserId', '1002', 'messengerUserId must be an integer.', ''],
    ['messengerUserId', 2 ** 53, 'messengerUserId must be an integer.', ''],
    ['pricingPlanId', 'gold', 'pricingPlanId must be a UUID.', '[provision.malformed-uuid]'],
    [
      'validFrom',
      'tomorrow',
      'validFrom must be an ISO-8601 date or date-time.',
      '[provision.malformed-timestamp]',
    ],
    ['validUntil', '2026-02-30', 'validUntil must be an ISO-8601 date or date-time.', ''],
    ['validUntil', 1_800_000_000_000, 'validUntil must be a string.', ''],
    ['validUntil', null, 'validUntil must be a string.', '[provision.valid-until-omitted]'],
    [
      'onOverlap',
      'merge',
      'onOverlap must be one of extend, replace, error.',
      '[provision.malformed-on-overlap]',
    ],
    ['onOverlap', null, 'onOverlap must be one of extend, replace, error.', ''],
  ] as const)('%s that is %j gets 400: %s', async ([name, value, message], { service }) => {
    const answer = await postProvision(service, { ...BEN, [name]: value });
    expect(answer.status).toBe(400);
    expect(rejectionSchemas.strict.parse(answer.body)).toMatchObject({ message, path: PROVISION_PATH });
  });

  it('that is missing or malformed gets 400, and each is named once [provision.community-id] [provision.external-order-id] [provision.email-or-messenger] [provision.email-format] [provision.messenger-user-id-min] [provision.malformed-uuid] [provision.malformed-timestamp] [provision.malformed-on-overlap] [api-key.status-validation]', async ({
    service,
  }) => {
    const json = {
      communityId: 'secret',
      email: 'secret',
      messengerUserId: -4711,
      validFrom: 'secret',
      onOverlap: 'secret',
    };
    const answer = await callWithKey(service, { path: PROVISION_PATH, json });
    expect(answer.status).toBe(400);
    const { message } = rejectionSchemas.strict.parse(answer.body);
    for (const name of [...Object.keys(json), 'externalOrderId']) expect(message).toContain(name);
    expect(answer.text).not.toMatch(/secret|4711/);
  });

  it('that is unknown is ignored, also when JavaScript knows its name', async ({ service }) => {
    const text = `{"communityId":"${community.id}","externalOrderId":"1","email":"ben@example.com","__proto__":{"onOverlap":"x"},"constructor":1,"more":[{}]}`;
    const answer = await callWithKey(service, { path: PROVISION_PATH, bytes: Buffer.from(text) });
    expect(answer.status, answer.text).toBe(200);
  });
});

describe('any request', () => {
  it('gets a response in the shape of its status, never a 5xx [api-key.envelope] [rejection.before-endpoint]', async ({
    service,
  }) => {
    const valid = {
      communityId: community.id,
      externalOrderId: 'order-1',
      email: 'fuzz@shop.example',
      messengerUserId: 99_001,
      pricingPlanId: plans.lifetime.id,
      validFrom: '2026-06-12',
      validUntil: '2027-06-12T00:00:00Z',
      onOverlap: 'replace',
    };
    const statuses = await fuzzEndpoint(service, { endpoint: 'provisionExternal', valid, runs: 1500 });
    expect(statuses.get(400)).toBeGreaterThan(700);
    expect(statuses.get(200)).toBeGreaterThan(10);
    expect(await provision(service, BEN)).toMatchObject({ status: 'created' });
  }, 120_000);
});
