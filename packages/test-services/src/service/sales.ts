import type { EndpointContext } from '../endpoints/endpoint-context.js';
import { completePayment, renewMembership } from '../endpoints/memberships-of-sales.js';
import type { FakeMembership, FakeUser } from '../state/users.js';
import type { Reservation } from '../state/world.js';

/** Changes that happen outside of the API: payments and renewals. */
export interface Sales {
  /** Pays at a checkout as its page does. Returns the address to which the buyer returns. */
  pay(checkoutUrl: string): string;
  /** Reports a payment that failed at a checkout. The checkout stays open. */
  failPayment(checkoutUrl: string): void;
  /** Returns the memberships that the service itself has created, with their ids at the service. */
  memberships(): FakeMembership[];
  /** Renews a membership by some days, as a subscription at a payment provider does. */
  renew(user: FakeUser, communityId: string, days: number): void;
}

export function createSales(context: EndpointContext): Sales {
  const { world, reading } = context;

  function reservationOf(checkoutUrl: string): Reservation {
    const id = new URL(checkoutUrl).pathname.replace('/pay/', '');
    const reservation = world.reservations.find((each) => each.id === id);
    if (reservation === undefined) throw new Error(`No checkout has the address ${checkoutUrl}.`);
    return reservation;
  }

  return {
    memberships: () => world.records.map(({ membership }) => ({ ...membership })),
    pay(checkoutUrl) {
      const reservation = reservationOf(checkoutUrl);
      completePayment(context, reservation);
      return reading.returnUrl(reservation.successUrl, reservation);
    },
    failPayment(checkoutUrl) {
      const reservation = reservationOf(checkoutUrl);
      const { communityId } = reservation.plan;
      context.emit({ type: 'payment.failed', communityId, record: undefined, reservation });
    },
    renew(user, communityId, days) {
      const record = world.findRecord(user, communityId);
      if (record === undefined) throw new Error('The user has no membership of this community.');
      renewMembership(context, record, days);
    },
  };
}
