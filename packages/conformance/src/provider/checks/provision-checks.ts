import { type Fields, mainCommunity, provision, signUp } from '../calls/api-key-calls.js';
import {
  created,
  expiredBuyer,
  inDays,
  invalidProvision,
  membershipsOf,
  nowAtService,
  overlapError,
  repeated,
  windowBuyer,
} from '../calls/shared-observations.js';
import { type Answer, hasKey, valueAt } from '../session/answer.js';
import {
  expectEqual,
  expectNear,
  expectOneOf,
  expectStatus,
  expectThat,
  expectTimestamp,
  expectUuid,
  requireSuccess,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';
import { shownFields } from '../session/shown-fields.js';
import { subscriber } from './checkout-observations.js';

const STATUSES = ['created', 'extended', 'replaced', 'idempotent_return'];
const RESULT_FIELDS = ['membershipId', 'userId', 'validFrom', 'validUntil', 'status'];

function dataOf(answer: Answer, field: string): unknown {
  return valueAt(requireSuccess(answer), 'data', field);
}

async function createdData(session: Session, field: string): Promise<unknown> {
  return dataOf((await created(session)).answer, field);
}

/** Another order for a buyer with 30 days of access. */
function nextOrder(session: Session, name: string, changes: Fields) {
  return session.once(`next order ${name}`, async () => {
    const buyer = await windowBuyer(session, name);
    requireSuccess(buyer.answer);
    const order = session.newId();
    const answer = await provision(session, { ...buyer.buyer, externalOrderId: order, ...changes });
    return { ...buyer, answer, changes };
  });
}

/** Compares both ends of the stored period with those of the request. */
function expectPeriod(answer: Answer, { validFrom, validUntil }: Fields): void {
  expectNear(dataOf(answer, 'validFrom'), Date.parse(String(validFrom)), 'validFrom');
  expectNear(dataOf(answer, 'validUntil'), Date.parse(String(validUntil)), 'validUntil');
}

/** Compares fields of two results. A missing field is the matter of another rule. */
function expectSame(found: Answer, before: Answer): void {
  for (const field of ['membershipId', 'userId', 'validFrom', 'validUntil']) {
    if (!hasKey(requireSuccess(found), 'data', field)) continue;
    expectEqual(dataOf(found, field), dataOf(before, field), field);
  }
}

function expectExtended(answer: Answer): void {
  expectEqual(dataOf(answer, 'status'), 'extended', 'status');
}

const shorter = async (session: Session) =>
  nextOrder(session, 'shorter', { validUntil: await inDays(session, 10) });
const longer = async (session: Session) =>
  nextOrder(session, 'longer', { validUntil: await inDays(session, 60) });
const replacing = async (session: Session) =>
  nextOrder(session, 'replacing', {
    validFrom: await inDays(session, -2),
    validUntil: await inDays(session, 5),
    onOverlap: 'replace',
  });

/** Both the invalid body and its valid twin: a field is checked, and not refused in general. */
async function expectInvalid(session: Session, bodies: readonly Fields[]): Promise<void> {
  for (const changes of bodies) {
    const answer = await invalidProvision(session, changes);
    expectThat(answer.status === 400, `400 for ${shownFields(changes)}`, answer.status);
  }
}

export const provisionChecks = checksOf('write', {
  async 'provision.success-ok'(session) {
    expectStatus(requireSuccess((await created(session)).answer), 200);
  },
  async 'provision.result-membership-id'(session) {
    expectUuid(await createdData(session, 'membershipId'), 'membershipId');
  },
  async 'provision.result-user-id'(session) {
    expectUuid(await createdData(session, 'userId'), 'userId');
  },
  async 'provision.result-valid-from'(session) {
    expectTimestamp(await createdData(session, 'validFrom'), 'validFrom');
  },
  async 'provision.result-valid-until'(session) {
    const { answer, validUntil } = await created(session);
    const found = dataOf(answer, 'validUntil');
    expectTimestamp(found, 'validUntil');
    expectEqual(Date.parse(String(found)), Date.parse(validUntil), 'the instant of `validUntil`');
  },
  async 'provision.result-status'(session) {
    expectOneOf(await createdData(session, 'status'), STATUSES, 'status');
  },
  async 'provision.created'(session) {
    const { answer } = await created(session);
    expectEqual(dataOf(answer, 'status'), 'created', 'status');
  },
  async 'provision.created-ignores-valid-from'(session) {
    const { answer, requestedAt } = await created(session);
    expectNear(dataOf(answer, 'validFrom'), requestedAt, 'validFrom');
  },
  async 'provision.creates-user'(session) {
    const { answer, buyer } = await created(session);
    requireSuccess(answer);
    const signup = await signUp(session, { email: buyer.email });
    expectEqual(
      valueAt(requireSuccess(signup), 'data', 'hasExistingAccount'),
      true,
      'hasExistingAccount of the buyer',
    );
  },
  async 'provision.status-reports-state-before'(session) {
    const email = session.newEmail();
    const answer = await provision(session, { email, onOverlap: 'replace' });
    expectEqual(dataOf(answer, 'status'), 'created', 'status of onOverlap=replace without a membership');
    const { answer: replaced } = await replacing(session);
    expectThat(
      dataOf(replaced, 'status') !== 'replaced',
      'a status other than replaced for an active one',
      'replaced',
    );
  },
  async 'provision.extend-keeps-later-end'(session) {
    const { answer, validUntil } = await shorter(session);
    expectExtended(answer);
    expectNear(dataOf(answer, 'validUntil'), Date.parse(validUntil), 'validUntil');
  },
  async 'provision.extend-not-added'(session) {
    const { answer, changes } = await longer(session);
    expectExtended(answer);
    expectNear(dataOf(answer, 'validUntil'), Date.parse(String(changes.validUntil)), 'validUntil');
  },
  async 'provision.extend-open-ended'(session) {
    const { answer } = await nextOrder(session, 'open-ended', {});
    expectExtended(answer);
    expectEqual(dataOf(answer, 'validUntil'), null, 'validUntil');
  },
  async 'provision.replace-active'(session) {
    const { answer, changes } = await replacing(session);
    expectExtended(answer);
    expectPeriod(answer, changes);
  },
  async 'provision.overlap-error'(session) {
    const { before, answer, checked, after } = await overlapError(session);
    expectThat(answer.status === 409, '409', answer.status);
    expectEqual(dataOf(after, 'status'), 'idempotent_return', 'status of the untouched membership');
    expectSame(after, before);
    const isActive = valueAt(checked, 'data', 'isActive');
    expectThat(isActive !== false, 'isActive of the untouched membership', isActive);
  },
  async 'provision.lapsed-replaced'(session) {
    for (const onOverlap of ['extend', 'replace', 'error']) {
      const { buyer, answer: expired } = await expiredBuyer(session, onOverlap);
      requireSuccess(expired);
      const period = { validFrom: await inDays(session, -2), validUntil: await inDays(session, 7) };
      const answer = await provision(session, { ...buyer, ...period, onOverlap });
      expectThat(answer.status < 300, `success with onOverlap=${onOverlap}`, answer.status);
      expectEqual(dataOf(answer, 'status'), 'replaced', `status with onOverlap=${onOverlap}`);
      expectPeriod(answer, period);
    }
  },
  async 'provision.idempotent-return'(session) {
    const first = requireSuccess((await created(session)).answer);
    for (const answer of await repeated(session)) {
      expectThat(answer.status < 300, 'success of a repeat', answer.status);
      expectEqual(dataOf(answer, 'status'), 'idempotent_return', 'status');
      expectSame(answer, first);
    }
  },
  async 'provision.repeat-same-fields'(session) {
    requireSuccess((await created(session)).answer);
    const [repeat] = await repeated(session);
    const missing = RESULT_FIELDS.filter((field) => !hasKey(requireSuccess(repeat), 'data', field));
    expectThat(missing.length === 0, 'the same five fields', `without ${missing.join(', ')}`);
  },
  async 'retry.provision-idempotent'(session) {
    const { answer, buyer } = await created(session);
    requireSuccess(answer);
    (await repeated(session)).forEach(requireSuccess);
    const memberships = await membershipsOf(session, buyer.email);
    expectThat(memberships.length === 1, 'one membership after a retry', memberships.length);
  },
  async 'provision.latest-order-id-only'(session) {
    const { buyer, order, answer } = await nextOrder(session, 'older order', {
      validUntil: await inDays(session, 40),
    });
    requireSuccess(answer);
    const again = await provision(session, {
      ...buyer,
      externalOrderId: order,
      validUntil: await inDays(session, 50),
    });
    expectThat(
      dataOf(again, 'status') !== 'idempotent_return',
      'a new provisioning of an older order',
      'idempotent_return',
    );
  },
  async 'provision.same-order-other-buyer'(session) {
    const { order, answer } = await created(session);
    requireSuccess(answer);
    const other = await provision(session, { externalOrderId: order });
    expectEqual(dataOf(other, 'status'), 'created', 'status of the same order for another buyer');
  },
  async 'provision.subscription-managed'(session) {
    const { email } = await subscriber(session);
    const answer = await provision(session, { email });
    expectThat(answer.status === 409, '409 for a membership of a subscription', answer.status);
  },
  async 'provision.community-id'(session) {
    await expectInvalid(session, [{ communityId: undefined }, { communityId: 7 }]);
  },
  async 'provision.external-order-id'(session) {
    await expectInvalid(session, [{ externalOrderId: undefined }, { externalOrderId: 7 }]);
  },
  async 'provision.email-or-messenger'(session) {
    await expectInvalid(session, [{ email: undefined }]);
    const byAccount = { email: undefined, [session.messengerField]: session.newMessengerUserId() };
    const answer = await provision(session, byAccount);
    expectThat(answer.status < 300, 'success with a messenger account only', answer.status);
  },
  async 'provision.email-format'(session) {
    await expectInvalid(session, [{ email: 'not-an-address' }, { email: 7 }]);
  },
  async 'provision.messenger-user-id-min'(session) {
    const field = session.messengerField;
    await expectInvalid(session, [{ [field]: 0 }, { [field]: -5 }, { [field]: 1.5 }, { [field]: '12' }]);
  },
  async 'provision.pricing-plan-id'(session) {
    await expectInvalid(session, [{ pricingPlanId: 7 }]);
    const { planId } = mainCommunity(session);
    const answer = await provision(session, { pricingPlanId: planId });
    expectThat(answer.status < 300, 'success with a plan of the community', answer.status);
  },
  async 'provision.valid-from-default'(session) {
    const { answer } = await expiredBuyer(session, 'valid-from');
    requireSuccess(answer);
    const { buyer } = await expiredBuyer(session, 'valid-from');
    const renewed = await provision(session, { ...buyer, validUntil: await inDays(session, 7) });
    expectNear(dataOf(renewed, 'validFrom'), await nowAtService(session), 'validFrom');
  },
  async 'provision.valid-until-omitted'(session) {
    const answer = await provision(session, {});
    expectEqual(dataOf(answer, 'validUntil'), null, 'validUntil');
  },
  async 'provision.on-overlap-values'(session) {
    for (const onOverlap of ['extend', 'replace', 'error']) {
      const answer = await provision(session, { onOverlap });
      expectThat(answer.status < 300, `success with onOverlap=${onOverlap}`, answer.status);
    }
  },
  async 'provision.on-overlap-default'(session) {
    const { answer } = await shorter(session);
    const { validUntil } = await windowBuyer(session, 'shorter');
    expectThat(answer.status < 300, 'success without onOverlap', answer.status);
    const end = Date.parse(String(dataOf(answer, 'validUntil')));
    expectThat(
      end >= Date.parse(validUntil) - 1_000,
      'the end of extend, not that of replace',
      dataOf(answer, 'validUntil'),
    );
  },
  async 'provision.malformed-uuid'(session) {
    await expectInvalid(session, [{ communityId: 'not-a-uuid' }, { pricingPlanId: 'not-a-uuid' }]);
  },
  async 'provision.malformed-timestamp'(session) {
    await expectInvalid(session, [{ validFrom: '31/01/2030' }, { validUntil: 'tomorrow' }]);
  },
  async 'provision.malformed-on-overlap'(session) {
    await expectInvalid(session, [{ onOverlap: 'merge' }]);
  },
});
