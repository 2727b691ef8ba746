import { type Fields, mainCommunity, provision } from '../calls/api-key-calls.js';
import * as shared from '../calls/shared-observations.js';
import { type Answer, dataOf, hasKey, requireSuccess, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, field, invalid, type Observe, once, type Session } from '../session/session.js';
import { subscriber } from './checkout-checks.js';

const STATUSES = ['created', 'extended', 'replaced', 'idempotent_return'];
const RESULT_FIELDS = ['membershipId', 'userId', 'validFrom', 'validUntil', 'status'];

/** Sends another order for a buyer with 30 days of access. */
async function nextOrder(session: Session, name: string, changes: Fields) {
  const buyer = await shared.windowBuyer(session, name);
  requireSuccess(buyer.answer);
  const answer = await provision(session, { ...buyer.buyer, ...changes });
  return { ...buyer, answer, changes };
}

function expectPeriod(answer: Answer, { validFrom, validUntil }: Fields): void {
  expect.near(dataOf(answer, 'validFrom'), Date.parse(String(validFrom)), 'validFrom');
  expect.near(dataOf(answer, 'validUntil'), Date.parse(String(validUntil)), 'validUntil');
}

/** Compares fields of two results. Another rule is about missing fields. */
function expectSame(found: Answer, before: Answer): void {
  for (const field of ['membershipId', 'userId', 'validFrom', 'validUntil']) {
    if (!hasKey(requireSuccess(found), 'data', field)) continue;
    expect.equal(dataOf(found, field), dataOf(before, field), field);
  }
}

function expectExtended(answer: Answer): void {
  expect.equal(dataOf(answer, 'status'), 'extended', 'status');
}

const shorter = once(async (session) =>
  nextOrder(session, 'shorter', { validUntil: await shared.inDays(session, 10) }),
);
const replacing = once(async (session) =>
  nextOrder(session, 'replacing', {
    validFrom: await shared.inDays(session, -2),
    validUntil: await shared.inDays(session, 5),
    onOverlap: 'replace',
  }),
);

function valid(changes: (session: Session) => Fields, expected: string): Observe {
  return async (session) => expect.accepted(await provision(session, changes(session)), expected);
}

const createdField = (name: string, rule: (found: unknown, name: string) => void): Observe =>
  field(async (session) => (await shared.created(session)).answer, ['data', name], rule);

export const provisionChecks = checksOf('write', {
  'provision.success-ok': check(shared.created, ({ answer }) => expect.status(requireSuccess(answer), 200)),
  'provision.result-membership-id': createdField('membershipId', expect.uuid),
  'provision.result-user-id': createdField('userId', expect.uuid),
  'provision.result-valid-from': createdField('validFrom', expect.timestamp),
  'provision.result-valid-until': check(shared.created, ({ answer, validUntil }) => {
    const found = dataOf(answer, 'validUntil');
    expect.timestamp(found, 'validUntil');
    expect.equal(Date.parse(String(found)), Date.parse(validUntil), 'the instant of `validUntil`');
  }),
  'provision.result-status': createdField('status', (found, name) => expect.oneOf(found, STATUSES, name)),
  'provision.created': createdField('status', (found, name) => expect.equal(found, 'created', name)),
  'provision.created-ignores-valid-from': check(shared.created, ({ answer, requestedAt }) =>
    expect.near(dataOf(answer, 'validFrom'), requestedAt, 'validFrom'),
  ),
  async 'provision.creates-user'(session) {
    const { answer, buyer } = await shared.created(session);
    requireSuccess(answer);
    await shared.expectAccount(session, buyer.email, 'the buyer');
  },
  async 'provision.status-reports-state-before'(session) {
    const email = session.newEmail();
    const answer = await provision(session, { email, onOverlap: 'replace' });
    expect.equal(dataOf(answer, 'status'), 'created', 'status of onOverlap=replace without a membership');
    const { answer: replaced } = await replacing(session);
    expect.that(
      dataOf(replaced, 'status') !== 'replaced',
      'a status other than replaced for an active one',
      'replaced',
    );
  },
  'provision.extend-keeps-later-end': check(shorter, ({ answer, validUntil }) => {
    expectExtended(answer);
    expect.near(dataOf(answer, 'validUntil'), Date.parse(validUntil), 'validUntil');
  }),
  async 'provision.extend-not-added'(session) {
    const validUntil = await shared.inDays(session, 60);
    const { answer } = await nextOrder(session, 'longer', { validUntil });
    expectExtended(answer);
    expect.near(dataOf(answer, 'validUntil'), Date.parse(validUntil), 'validUntil');
  },
  async 'provision.extend-open-ended'(session) {
    const { answer } = await nextOrder(session, 'open-ended', {});
    expectExtended(answer);
    expect.equal(dataOf(answer, 'validUntil'), null, 'validUntil');
  },
  'provision.replace-active': check(replacing, ({ answer, changes }) => {
    expectExtended(answer);
    expectPeriod(answer, changes);
  }),
  'provision.overlap-error': check(shared.overlapError, ({ before, answer, checked, after }) => {
    expect.that(answer.status === 409, '409', answer.status);
    expect.equal(dataOf(after, 'status'), 'idempotent_return', 'status of the untouched membership');
    expectSame(after, before);
    const isActive = valueAt(checked, 'data', 'isActive');
    expect.that(isActive !== false, 'isActive of the untouched membership', isActive);
  }),
  async 'provision.lapsed-replaced'(session) {
    for (const onOverlap of ['extend', 'replace', 'error']) {
      const { buyer, answer: expired } = await shared.expiredBuyer(session, onOverlap);
      requireSuccess(expired);
      const period = {
        validFrom: await shared.inDays(session, -2),
        validUntil: await shared.inDays(session, 7),
      };
      const answer = await provision(session, { ...buyer, ...period, onOverlap });
      expect.accepted(answer, `success with onOverlap=${onOverlap}`);
      expect.equal(dataOf(answer, 'status'), 'replaced', `status with onOverlap=${onOverlap}`);
      expectPeriod(answer, period);
    }
  },
  async 'provision.idempotent-return'(session) {
    const first = requireSuccess((await shared.created(session)).answer);
    for (const answer of await shared.repeated(session)) {
      expect.accepted(answer, 'success of a repeat');
      expect.equal(dataOf(answer, 'status'), 'idempotent_return', 'status');
      expectSame(answer, first);
    }
  },
  async 'provision.repeat-same-fields'(session) {
    requireSuccess((await shared.created(session)).answer);
    const [repeat] = await shared.repeated(session);
    const missing = RESULT_FIELDS.filter((field) => !hasKey(requireSuccess(repeat), 'data', field));
    expect.that(missing.length === 0, 'the same five fields', `without ${missing.join(', ')}`);
  },
  async 'retry.provision-idempotent'(session) {
    const { answer, buyer } = await shared.created(session);
    requireSuccess(answer);
    (await shared.repeated(session)).forEach(requireSuccess);
    const memberships = await shared.membershipsOf(session, buyer.email);
    expect.that(memberships.length === 1, 'one membership after a retry', memberships.length);
  },
  async 'provision.latest-order-id-only'(session) {
    const { buyer, order, answer } = await nextOrder(session, 'older order', {
      validUntil: await shared.inDays(session, 40),
    });
    requireSuccess(answer);
    const again = await provision(session, {
      ...buyer,
      externalOrderId: order,
      validUntil: await shared.inDays(session, 50),
    });
    expect.that(
      dataOf(again, 'status') !== 'idempotent_return',
      'a new provisioning of an older order',
      'idempotent_return',
    );
  },
  async 'provision.same-order-other-buyer'(session) {
    const { order, answer } = await shared.created(session);
    requireSuccess(answer);
    const other = await provision(session, { externalOrderId: order });
    expect.equal(dataOf(other, 'status'), 'created', 'status of the same order for another buyer');
  },
  async 'provision.subscription-managed'(session) {
    const { email } = await subscriber(session);
    const answer = await provision(session, { email });
    expect.that(answer.status === 409, '409 for a membership of a subscription', answer.status);
  },
  'provision.community-id': invalid(shared.invalidProvision, { communityId: undefined }, { communityId: 7 }),
  'provision.external-order-id': invalid(
    shared.invalidProvision,
    { externalOrderId: undefined },
    { externalOrderId: 7 },
  ),
  'provision.email-or-messenger': [
    ...invalid(shared.invalidProvision, { email: undefined }),
    valid(
      (session) => ({ email: undefined, [session.messengerField]: session.newMessengerUserId() }),
      'success with a messenger account only',
    ),
  ],
  'provision.email-format': invalid(shared.invalidProvision, { email: 'not-an-address' }, { email: 7 }),
  'provision.messenger-user-id-min': invalid(
    (session, { account }) => shared.invalidProvision(session, { [session.messengerField]: account }),
    ...[0, -5, 1.5, '12'].map((account) => ({ account })),
  ),
  'provision.pricing-plan-id': [
    ...invalid(shared.invalidProvision, { pricingPlanId: 7 }),
    valid(
      (session) => ({ pricingPlanId: mainCommunity(session).planId }),
      'success with a plan of the community',
    ),
  ],
  async 'provision.valid-from-default'(session) {
    const { answer } = await shared.expiredBuyer(session, 'valid-from');
    requireSuccess(answer);
    const { buyer } = await shared.expiredBuyer(session, 'valid-from');
    const renewed = await provision(session, { ...buyer, validUntil: await shared.inDays(session, 7) });
    expect.near(dataOf(renewed, 'validFrom'), await shared.nowAtService(session), 'validFrom');
  },
  'provision.valid-until-omitted': field(provision, ['data', 'validUntil'], (found, name) =>
    expect.equal(found, null, name),
  ),
  'provision.on-overlap-values': ['extend', 'replace', 'error'].map((onOverlap) =>
    valid(() => ({ onOverlap }), `success with onOverlap=${onOverlap}`),
  ),
  async 'provision.on-overlap-default'(session) {
    const { answer } = await shorter(session);
    const { validUntil } = await shared.windowBuyer(session, 'shorter');
    expect.accepted(answer, 'success without onOverlap');
    const end = Date.parse(String(dataOf(answer, 'validUntil')));
    expect.that(
      end >= Date.parse(validUntil) - 1_000,
      'the end of extend, not that of replace',
      dataOf(answer, 'validUntil'),
    );
  },
  'provision.malformed-uuid': invalid(
    shared.invalidProvision,
    { communityId: 'not-a-uuid' },
    { pricingPlanId: 'not-a-uuid' },
  ),
  'provision.malformed-timestamp': invalid(
    shared.invalidProvision,
    { validFrom: '31/01/2030' },
    { validUntil: 'tomorrow' },
  ),
  'provision.malformed-on-overlap': invalid(shared.invalidProvision, { onOverlap: 'merge' }),
});
