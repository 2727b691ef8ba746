import { DAY_MS } from '@latchkey/contract/constants';
import { buyPlan, type Fields, inviteLink, signUp, UNKNOWN_ID } from '../calls/api-key-calls.js';
import {
  created,
  membershipsOf,
  nowAtService,
  openCheckout,
  paidCheckout,
  unknownReservation,
} from '../calls/shared-observations.js';
import { type Answer, valueAt } from '../session/answer.js';
import {
  expectAbsent,
  expectEqual,
  expectNear,
  expectStatus,
  expectText,
  expectThat,
  expectUrl,
  requireFixture,
  requireSuccess,
  requireText,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';
import { shownFields } from '../session/shown-fields.js';
import { buy, formerMember, linkedBuyer, withoutBot } from './checkout-observations.js';

function plan(session: Session, changes: Fields): Promise<Answer> {
  return session.variant('buy-plan', changes, () => buyPlan(session, changes));
}

async function expectInvalid(session: Session, bodies: readonly Fields[]): Promise<void> {
  for (const changes of bodies) {
    const answer = await plan(session, changes);
    expectThat(answer.status === 400, `400 for ${shownFields(changes)}`, answer.status);
  }
}

const missingEmail = (session: Session) => plan(session, { email: undefined });
const unknownPlan = (session: Session) => plan(session, { pricingPlanId: UNKNOWN_ID });

export const buyPlanChecks = checksOf('write', {
  async 'buy-plan.success-created'(session) {
    expectStatus(requireSuccess((await openCheckout(session)).answer), 201);
  },
  async 'buy-plan.result-checkout-url'(session) {
    const { answer } = await openCheckout(session);
    expectUrl(valueAt(requireSuccess(answer), 'data', 'checkoutUrl'), 'checkoutUrl');
  },
  async 'buy-plan.reservation'(session) {
    const { first } = await paidCheckout(session);
    expectThat(first.status !== 404, 'a reservation under the externalId', first.status);
  },
  async 'buy-plan.resolves-user'(session) {
    const { email, answer } = await openCheckout(session);
    requireSuccess(answer);
    const signup = requireSuccess(await signUp(session, { email }));
    expectEqual(valueAt(signup, 'data', 'hasExistingAccount'), true, 'hasExistingAccount of the buyer');
  },
  async 'buy-plan.email-normalised'(session) {
    const email = session.newEmail();
    requireSuccess(await buyPlan(session, { email: ` ${email.toUpperCase()} ` }));
    const signup = requireSuccess(await signUp(session, { email }));
    expectEqual(
      valueAt(signup, 'data', 'hasExistingAccount'),
      true,
      'hasExistingAccount of the address in lower case',
    );
  },
  async 'buy-plan.email-is-identity'(session) {
    const { email } = await paidCheckout(session);
    const memberships = await membershipsOf(session, email);
    expectThat(memberships.length === 1, 'the membership of the user with the address', memberships);
  },
  async 'buy-plan.pricing-plan-id'(session) {
    await expectInvalid(session, [{ pricingPlanId: undefined }, { pricingPlanId: 7 }]);
  },
  async 'buy-plan.community-id'(session) {
    await expectInvalid(session, [{ communityId: undefined }, { communityId: 7 }]);
  },
  async 'buy-plan.external-id'(session) {
    await expectInvalid(session, [{ externalId: undefined }]);
  },
  async 'buy-plan.success-url'(session) {
    await expectInvalid(session, [{ successUrl: undefined }, { successUrl: 'not a url' }]);
  },
  async 'buy-plan.cancel-url'(session) {
    await expectInvalid(session, [{ cancelUrl: undefined }, { cancelUrl: 'not a url' }]);
  },
  async 'buy-plan.malformed-uuid'(session) {
    await expectInvalid(session, [{ pricingPlanId: 'not-a-uuid' }, { communityId: 'not-a-uuid' }]);
  },
  async 'buy-plan.utm-source-max-length'(session) {
    await expectInvalid(session, [{ utmSource: 'u'.repeat(101) }]);
    const longest = await plan(session, { utmSource: 'u'.repeat(100) });
    expectThat(longest.status < 300, 'success with 100 characters', longest.status);
  },
  async 'buy-plan.utm-source-reported'(session) {
    const utmSource = `utm-${session.newId()}`;
    await buy(session, { utmSource });
    const { text } = await session.drive('salesReport', {});
    expectThat(
      text.includes(utmSource),
      `${utmSource} in the purchase reports`,
      `${text.length} characters without it`,
    );
  },
  async 'buy-plan.unknown-plan'(session) {
    const answer = await unknownPlan(session);
    expectStatus(answer, 201);
    expectEqual(valueAt(answer, 'success'), true, 'success');
    const data = JSON.stringify(valueAt(answer, 'data'));
    expectThat(data === '{}', 'empty `data`', data);
  },
  async 'buy-plan.missing-email'(session) {
    const answer = await missingEmail(session);
    expectStatus(answer, 201);
    expectEqual(valueAt(answer, 'success'), false, 'success');
    expectText(valueAt(answer, 'message'), 'message');
    expectAbsent(answer, 'errorCode');
  },
});

export const inviteLinkChecks = checksOf('write', {
  async 'invite-link.result-link'(session) {
    const { first } = await paidCheckout(session);
    expectUrl(valueAt(requireSuccess(first), 'data', 'link'), 'link');
  },
  async 'invite-link.result-expires-at'(session) {
    const { first } = await paidCheckout(session);
    const expected = first.at + (await nowAtService(session)) - Date.now() + DAY_MS;
    expectNear(valueAt(requireSuccess(first), 'data', 'expiresAt'), expected, 'expiresAt');
  },
  async 'invite-link.before-payment'(session) {
    const { before, answer } = await openCheckout(session);
    requireSuccess(answer);
    expectStatus(before, 404);
    const message = valueAt(before, 'message');
    expectText(message, 'message');
    expectThat(
      /process/i.test(String(message)),
      'a message that the membership is not processed yet',
      message,
    );
  },
  async 'invite-link.after-payment'(session) {
    const { first, second } = await paidCheckout(session);
    const links = [first, second].map((answer) => requireText(answer, 'data', 'link'));
    expectThat(links[0] !== links[1], 'a new link for each call', links[0]);
  },
  async 'invite-link.leaves-reservation'(session) {
    const { first, second, externalId } = await paidCheckout(session);
    requireSuccess(first);
    const third = await inviteLink(session, externalId);
    for (const answer of [second, third]) {
      expectThat(answer.status < 300, 'success again after the first link', answer.status);
    }
  },
  async 'invite-link.external-id'(session) {
    const { answer, order } = await created(session);
    requireSuccess(answer);
    const link = await inviteLink(session, order);
    expectThat(link.status >= 400, 'no link for the order id of a provisioning', link.status);
  },
  async 'invite-link.not-community-scoped'(session) {
    const key = requireFixture(session.fixtures.keys.outsider, 'keys.outsider');
    const { externalId, first } = await paidCheckout(session);
    requireSuccess(first);
    const answer = await inviteLink(session, externalId, { key });
    expectThat(answer.status < 300, 'success for a key of another owner', answer.status);
  },
  async 'invite-link.not-a-member'(session) {
    const answer = await formerMember(session);
    const found = `${answer.status} ${String(valueAt(answer, 'errorCode'))}`;
    expectThat(found === '401 unauthorized', '401 with errorCode unauthorized', found);
    expectText(valueAt(answer, 'message'), 'message');
  },
  async 'invite-link.no-bot'(session) {
    const answer = await withoutBot(session);
    const found = `${answer.status} ${valueAt(answer, 'success')} ${valueAt(answer, 'data')}`;
    expectThat(found === '200 false null', '200 with `success` false and `data` null', found);
    expectText(valueAt(answer, 'message'), 'message');
  },
  async 'invite-link.bound-to-account'(session) {
    const { account, externalId } = await linkedBuyer(session);
    const link = async () => requireText(await inviteLink(session, externalId), 'data', 'link');
    const messengerUserId = session.newMessengerUserId();
    const other = await session.drive('join', { link: await link(), messengerUserId });
    expectThat(!other.admitted, 'no admission of another account', 'admitted');
    const own = await session.drive('join', { link: await link(), messengerUserId: account });
    expectThat(own.admitted, 'the admission of the account of the buyer', 'rejected');
  },
});

export const inviteLinkReadChecks = checksOf('read', {
  async 'invite-link.unknown-external-id'(session) {
    const answer = await unknownReservation(session);
    expectThat(answer.status === 404, '404', answer.status);
  },
});
