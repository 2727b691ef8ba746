import { buyPlan, inviteLink, mainCommunity, provision } from '../calls/api-key-calls.js';
import { requireFixture, requireSuccess, requireText } from '../session/assertions.js';
import type { Session } from '../session/session.js';

/** Opens a checkout and lets the driver pay it. */
export async function buy(
  session: Session,
  changes: Readonly<Record<string, unknown>>,
  result: 'paid' | 'declined' = 'paid',
): Promise<void> {
  const checkoutUrl = requireText(await buyPlan(session, changes), 'data', 'checkoutUrl');
  await session.drive('pay', { checkoutUrl, result });
}

/** A buyer whose membership a subscription renews. */
export function subscriber(session: Session) {
  return session.once('subscriber', async () => {
    const { renewingPlanId } = mainCommunity(session);
    const email = session.newEmail();
    await buy(session, {
      email,
      pricingPlanId: requireFixture(renewingPlanId, 'communities.main.renewingPlanId'),
    });
    return { email };
  });
}

/** A buyer with a messenger account, whose membership and link exist. */
export function linkedBuyer(session: Session) {
  return session.once('buyer with an account', async () => {
    const [email, account, externalId] = [session.newEmail(), session.newMessengerUserId(), session.newId()];
    requireSuccess(await provision(session, { email, [session.messengerField]: account }));
    await buy(session, { email, externalId });
    return { account, externalId };
  });
}

/** A buyer who paid and whose membership then expired. */
export function formerMember(session: Session) {
  return session.once('former member', async () => {
    const [email, externalId] = [session.newEmail(), session.newId()];
    await buy(session, { email, externalId });
    const past = { validFrom: '2020-01-01T00:00:00Z', validUntil: '2021-01-01T00:00:00Z' };
    requireSuccess(await provision(session, { email, ...past, onOverlap: 'replace' }));
    return await inviteLink(session, externalId);
  });
}

/** A buyer who paid in a community without a messenger bot. */
export function withoutBot(session: Session) {
  return session.once('community without a bot', async () => {
    const { id, planId } = requireFixture(session.fixtures.communities.noBot, 'communities.noBot');
    const externalId = session.newId();
    await buy(session, { externalId, communityId: id, pricingPlanId: planId });
    return await inviteLink(session, externalId);
  });
}
