import type { FakeEvent } from '../state/events.js';
import type { IdentityReading } from './reading.js';

/** Returns an event in the form of the reference server: `{ id, type, createdAt, data }`. */
export function firstBody(event: FakeEvent, identity: IdentityReading): string {
  const { id, type, at } = event;
  const createdAt = new Date(at).toISOString();
  return JSON.stringify({ id, type, createdAt, data: dataOf(event, identity) });
}

function dataOf({ type, id, communityId, record, reservation }: FakeEvent, identity: IdentityReading) {
  const user = userOf({ record, reservation }, identity);
  if (type.startsWith('membership.')) {
    const { membership } = record ?? {};
    return {
      membership: { validUntil: null, ...membership },
      ...{ user, communityId, productId: null },
      pricingPlanId: record?.planId ?? null,
      externalOrderId: record?.orderId ?? null,
    };
  }
  return {
    paymentId: id,
    ...(record === undefined ? { reason: 'card_declined' } : { membershipId: record.membership.id }),
    ...{ user, communityId, pricingPlanId: reservation?.plan.id, amount: 900, currency: 'EUR' },
    externalId: reservation?.externalId ?? null,
    utmSource: reservation?.utmSource ?? null,
  };
}

function userOf(
  { record, reservation }: Pick<FakeEvent, 'record' | 'reservation'>,
  identity: IdentityReading,
) {
  const user = record?.user ?? reservation?.user;
  return user === undefined ? null : { sub: identity.userId(user), email: user.email };
}
