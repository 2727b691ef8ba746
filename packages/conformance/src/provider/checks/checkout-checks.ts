import { DAY_MS } from '@latchkey/contract/constants';
import {
  buyPlan,
  type Fields,
  inviteLink,
  mainCommunity,
  provision,
  UNKNOWN_ID,
} from '../calls/api-key-calls.js';
import * as shared from '../calls/shared-observations.js';
import { dataOf, requireFixture, requireSuccess, requireText, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, invalid, once, type Session } from '../session/session.js';

export async function buy(
  session: Session,
  changes: Readonly<Record<string, unknown>>,
  result: 'paid' | 'declined' = 'paid',
): Promise<void> {
  const checkoutUrl = requireText(await buyPlan(session, changes), 'data', 'checkoutUrl');
  await session.drive('pay', { checkoutUrl, result });
}

/** Returns a buyer with a membership that a subscription renews. */
export const subscriber = once(async (session) => {
  const { renewingPlanId } = mainCommunity(session);
  const email = session.newEmail();
  await buy(session, {
    email,
    pricingPlanId: requireFixture(renewingPlanId, 'communities.main.renewingPlanId'),
  });
  return { email };
});

/** Returns a buyer with a messenger account, a membership and a link. */
const linkedBuyer = once(async (session) => {
  const [email, account, externalId] = [session.newEmail(), session.newMessengerUserId(), session.newId()];
  requireSuccess(await provision(session, { email, [session.messengerField]: account }));
  await buy(session, { email, externalId });
  return { account, externalId };
});

/** Returns a buyer who paid, with a membership that has expired since. */
const formerMember = once(async (session) => {
  const [email, externalId] = [session.newEmail(), session.newId()];
  await buy(session, { email, externalId });
  const past = { validFrom: '2020-01-01T00:00:00Z', validUntil: '2021-01-01T00:00:00Z' };
  requireSuccess(await provision(session, { email, ...past, onOverlap: 'replace' }));
  return await inviteLink(session, externalId);
});

/** Returns a buyer who paid in a community without a messenger bot. */
const withoutBot = once(async (session) => {
  const { id, planId } = requireFixture(session.fixtures.communities.noBot, 'communities.noBot');
  const externalId = session.newId();
  await buy(session, { externalId, communityId: id, pricingPlanId: planId });
  return await inviteLink(session, externalId);
});

const plan = once((session, changes: Fields) => buyPlan(session, changes));

const READS = checksOf('read', {
  'invite-link.unknown-external-id': check(shared.unknownReservation, ({ status }) =>
    expect.that(status === 404, '404', status),
  ),
});

const WRITES = checksOf('write', {
  'buy-plan.success-created': check(shared.openCheckout, ({ answer }) =>
    expect.status(requireSuccess(answer), 201),
  ),
  'buy-plan.result-checkout-url': check(shared.openCheckout, ({ answer }) =>
    expect.url(dataOf(answer, 'checkoutUrl'), 'checkoutUrl'),
  ),
  'buy-plan.reservation': check(shared.paidCheckout, ({ first }) =>
    expect.that(first.status !== 404, 'a reservation under the externalId', first.status),
  ),
  async 'buy-plan.resolves-user'(session) {
    const { email, answer } = await shared.openCheckout(session);
    requireSuccess(answer);
    await shared.expectAccount(session, email, 'the buyer');
  },
  async 'buy-plan.email-normalised'(session) {
    const email = session.newEmail();
    requireSuccess(await buyPlan(session, { email: ` ${email.toUpperCase()} ` }));
    await shared.expectAccount(session, email, 'the address in lower case');
  },
  async 'buy-plan.email-is-identity'(session) {
    const { email } = await shared.paidCheckout(session);
    const memberships = await shared.membershipsOf(session, email);
    expect.that(memberships.length === 1, 'the membership of the user with the address', memberships);
  },
  'buy-plan.pricing-plan-id': invalid(plan, { pricingPlanId: undefined }, { pricingPlanId: 7 }),
  'buy-plan.community-id': invalid(plan, { communityId: undefined }, { communityId: 7 }),
  'buy-plan.external-id': invalid(plan, { externalId: undefined }),
  'buy-plan.success-url': invalid(plan, { successUrl: undefined }, { successUrl: 'not a url' }),
  'buy-plan.cancel-url': invalid(plan, { cancelUrl: undefined }, { cancelUrl: 'not a url' }),
  'buy-plan.malformed-uuid': invalid(plan, { pricingPlanId: 'not-a-uuid' }, { communityId: 'not-a-uuid' }),
  'buy-plan.utm-source-max-length': [
    ...invalid(plan, { utmSource: 'u'.repeat(101) }),
    check(
      (session) => plan(session, { utmSource: 'u'.repeat(100) }),
      (longest) => expect.accepted(longest, 'success with 100 characters'),
    ),
  ],
  async 'buy-plan.utm-source-reported'(session) {
    const utmSource = `utm-${session.newId()}`;
    await buy(session, { utmSource });
    const { text } = await session.drive('salesReport', {});
    expect.that(
      text.includes(utmSource),
      `${utmSource} in the purchase reports`,
      `${text.length} characters without it`,
    );
  },
  async 'buy-plan.unknown-plan'(session) {
    const answer = await plan(session, { pricingPlanId: UNKNOWN_ID });
    expect.status(answer, 201);
    expect.equal(valueAt(answer, 'success'), true, 'success');
    const data = JSON.stringify(valueAt(answer, 'data'));
    expect.that(data === '{}', 'empty `data`', data);
  },
  async 'buy-plan.missing-email'(session) {
    const answer = await plan(session, { email: undefined });
    expect.status(answer, 201);
    expect.equal(valueAt(answer, 'success'), false, 'success');
    expect.text(valueAt(answer, 'message'), 'message');
    expect.absent(answer, 'errorCode');
  },
  'invite-link.result-link': check(shared.paidCheckout, ({ first }) =>
    expect.url(dataOf(first, 'link'), 'link'),
  ),
  async 'invite-link.result-expires-at'(session) {
    const { first } = await shared.paidCheckout(session);
    const expected = first.at + (await shared.nowAtService(session)) - Date.now() + DAY_MS;
    expect.near(dataOf(first, 'expiresAt'), expected, 'expiresAt');
  },
  'invite-link.before-payment': check(shared.openCheckout, ({ before, answer }) => {
    requireSuccess(answer);
    expect.status(before, 404);
    const message = valueAt(before, 'message');
    expect.text(message, 'message');
    expect.that(
      /process/i.test(String(message)),
      'a message that the membership is not processed yet',
      message,
    );
  }),
  'invite-link.after-payment': check(shared.paidCheckout, ({ first, second }) => {
    const links = [first, second].map((answer) => requireText(answer, 'data', 'link'));
    expect.that(links[0] !== links[1], 'a new link for each call', links[0]);
  }),
  async 'invite-link.leaves-reservation'(session) {
    const { first, second, externalId } = await shared.paidCheckout(session);
    requireSuccess(first);
    const third = await inviteLink(session, externalId);
    for (const answer of [second, third]) {
      expect.accepted(answer, 'success again after the first link');
    }
  },
  async 'invite-link.external-id'(session) {
    const { answer, order } = await shared.created(session);
    requireSuccess(answer);
    const link = await inviteLink(session, order);
    expect.refused(link, 'no link for the order id of a provisioning');
  },
  async 'invite-link.not-community-scoped'(session) {
    const key = requireFixture(session.fixtures.keys.outsider, 'keys.outsider');
    const { externalId, first } = await shared.paidCheckout(session);
    requireSuccess(first);
    const answer = await inviteLink(session, externalId, { key });
    expect.accepted(answer, 'success for a key of another owner');
  },
  'invite-link.not-a-member': check(formerMember, (answer) => {
    const found = `${answer.status} ${String(valueAt(answer, 'errorCode'))}`;
    expect.that(found === '401 unauthorized', '401 with errorCode unauthorized', found);
    expect.text(valueAt(answer, 'message'), 'message');
  }),
  'invite-link.no-bot': check(withoutBot, (answer) => {
    const found = `${answer.status} ${valueAt(answer, 'success')} ${valueAt(answer, 'data')}`;
    expect.that(found === '200 false null', '200 with `success` false and `data` null', found);
    expect.text(valueAt(answer, 'message'), 'message');
  }),
  async 'invite-link.bound-to-account'(session) {
    const { account, externalId } = await linkedBuyer(session);
    const link = async () => requireText(await inviteLink(session, externalId), 'data', 'link');
    const messengerUserId = session.newMessengerUserId();
    const other = await session.drive('join', { link: await link(), messengerUserId });
    expect.that(!other.admitted, 'no admission of another account', 'admitted');
    const own = await session.drive('join', { link: await link(), messengerUserId: account });
    expect.that(own.admitted, 'the admission of the account of the buyer', 'rejected');
  },
});

export const checkoutChecks = [...READS, ...WRITES];
