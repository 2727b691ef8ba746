import { DAY_MS } from '@latchkey/contract/constants';
import {
  isText,
  isUrl,
  isUuid,
  type NewEvent,
  normalizedEmail,
  optional,
  rejectFields,
  rejectRole,
  type ServiceState,
} from './endpoint.js';
import type { FakeRequest } from './request.js';
import {
  type FakeMembership,
  type FakePlan,
  type FakeUser,
  isSameId,
  type MembershipRecord,
  type Period,
  type Reservation,
  randomId,
} from './world.js';

export function createMembership(
  { reading, world, clock }: ServiceState,
  grant: Pick<MembershipRecord, 'user' | 'communityId' | 'planId' | 'orderId' | 'period'>,
): MembershipRecord {
  const membership: FakeMembership = {
    id: world.newId(),
    productType: 'community',
    isActive: true,
    ...timestamps(reading.period(grant.period)),
  };
  const record = { ...grant, membership, isSubscription: false, createdAt: clock.now() };
  world.records.push(record);
  grant.user.memberships.push(membership);
  return record;
}

export function setPeriod({ reading }: ServiceState, record: MembershipRecord, period: Period): void {
  record.period = period;
  Object.assign(record.membership, timestamps(reading.period(period)));
  if (!reading.keepsMembershipId) record.membership.id = randomId(period.from);
}

function timestamps({ from, until }: Period) {
  return {
    validFrom: new Date(from).toISOString(),
    validUntil: until === null ? null : new Date(until).toISOString(),
  };
}

/** Grants what a buyer has paid for, once. */
function completePayment(context: ServiceState, reservation: Reservation): MembershipRecord {
  if (reservation.record !== undefined) return reservation.record;
  const { plan, user } = reservation;
  const { record, type } = grantPlan(context, user, plan);
  reservation.record = record;
  const { communityId } = plan;
  context.emit(
    { type, communityId, record, reservation: undefined },
    { type: 'payment.success', communityId, record, reservation },
  );
  return record;
}

/** Renews a membership from its end, or from now, like a subscription. */
function renewMembership(context: ServiceState, record: MembershipRecord, days: number): void {
  record.isSubscription = true;
  const now = context.clock.now();
  const start = Math.max(now, record.period.until ?? now);
  setPeriod(context, record, { from: now, until: start + days * DAY_MS });
  const { communityId } = record;
  context.emit({ type: 'membership.updated', communityId, record, reservation: undefined });
}

function grantPlan(
  context: ServiceState,
  user: FakeUser,
  { id: planId, communityId, days }: FakePlan,
): { record: MembershipRecord; type: NewEvent['type'] } {
  const now = context.clock.now();
  const known = context.world.findRecord(user, communityId);
  const start = known !== undefined && context.world.isActive(known) ? (known.period.until ?? now) : now;
  const isLifetime = days === null || (known !== undefined && known.period.until === null);
  const until = isLifetime ? null : start + (days ?? 0) * DAY_MS;
  if (known === undefined) {
    const period = { from: now, until };
    const record = createMembership(context, { user, communityId, planId, orderId: null, period });
    return { record, type: 'membership.created' };
  }
  known.planId = planId;
  setPeriod(context, known, { from: now, until });
  return { record: known, type: 'membership.updated' };
}

const CHECKOUT_PATH = /^\/pay\/([^/]+)(?:\/(pay|cancel))?$/;

/** `POST /api/checkout/buy-plan` */
export function buyPlan(request: FakeRequest, context: ServiceState): Response {
  const rejected = rejectFields(request, context, {
    pricingPlanId: isUuid,
    communityId: isUuid,
    externalId: isText,
    successUrl: isUrl,
    cancelUrl: isUrl,
    utmSource: optional((value) => isText(value) && String(value).length <= 100),
  });
  if (rejected !== undefined) return rejected;
  const { pricingPlanId, communityId, externalId, successUrl, cancelUrl, utmSource, ...rest } =
    request.fields;
  const forbidden = rejectRole(request, context, String(communityId));
  if (forbidden !== undefined) return forbidden;
  const { reading, world } = context;
  const email = normalizedEmail(rest.email);
  if (email === undefined) {
    return reading.json({ success: false, message: reading.messages.missingEmail }, 201);
  }
  const plan = world.findPlan(String(pricingPlanId));
  // A success without `checkoutUrl` (specification, "Failures inside 2xx").
  if (plan === undefined || !isSameId(plan.communityId, String(communityId))) {
    return reading.json({ success: true, data: {} }, 201);
  }
  const reservation: Reservation = {
    ...{ id: world.newId(), externalId: String(externalId), plan, user: world.resolveUser({ email }) },
    ...{ successUrl: String(successUrl), cancelUrl: String(cancelUrl) },
    utmSource: utmSource === undefined ? null : String(utmSource),
    record: undefined,
  };
  world.reservations.push(reservation);
  const url = new URL(`/pay/${reservation.id}`, context.baseUrl());
  url.hostname = reading.checkoutHostname ?? url.hostname;
  return context.respond.success(201, { checkoutUrl: url.href });
}

/** Returns the payment provider's page with its two buttons. Undefined for other paths. */
export function checkoutPage({ method, path }: FakeRequest, context: ServiceState): Response | undefined {
  const [, id, action] = CHECKOUT_PATH.exec(path) ?? [];
  const reservation = context.world.reservations.find((each) => each.id === id);
  if (reservation === undefined) return undefined;
  if (action === undefined && method === 'GET') return page(reservation);
  if (method !== 'POST') return undefined;
  if (action === 'pay') completePayment(context, reservation);
  const { successUrl, cancelUrl } = reservation;
  const location = action === 'pay' ? context.reading.returnUrl(successUrl, reservation) : cancelUrl;
  return new Response(null, { status: 303, headers: { location } });
}

function page({ id }: Reservation): Response {
  const form = (action: string, label: string) =>
    `<form method="post" action="/pay/${id}/${action}"><button>${label}</button></form>`;
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Checkout</title>
<h1>Checkout</h1>${form('pay', 'Pay')}${form('cancel', 'Cancel')}</html>`;
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

/** Changes that happen outside the API: payments and renewals. */
export type Sales = ReturnType<typeof createSales>;

export function createSales(context: ServiceState) {
  const { world, reading } = context;

  function reservationOf(checkoutUrl: string): Reservation {
    const id = new URL(checkoutUrl).pathname.replace('/pay/', '');
    const reservation = world.reservations.find((each) => each.id === id);
    if (reservation === undefined) throw new Error(`No checkout has the address ${checkoutUrl}.`);
    return reservation;
  }

  return {
    /** Returns the memberships that the service itself created, with their ids at the service. */
    memberships: (): FakeMembership[] => world.records.map(({ membership }) => ({ ...membership })),
    /** Pays a checkout, like its page. Returns the URL where the buyer returns. */
    pay(checkoutUrl: string): string {
      const reservation = reservationOf(checkoutUrl);
      completePayment(context, reservation);
      return reading.returnUrl(reservation.successUrl, reservation);
    },
    /** Reports a failed payment of a checkout. The checkout stays open. */
    failPayment(checkoutUrl: string): void {
      const reservation = reservationOf(checkoutUrl);
      const { communityId } = reservation.plan;
      context.emit({ type: 'payment.failed', communityId, record: undefined, reservation });
    },
    /** Renews a membership by some days, like a subscription at a payment provider. */
    renew(user: FakeUser, communityId: string, days: number): void {
      const record = world.findRecord(user, communityId);
      if (record === undefined) throw new Error('The user has no membership of this community.');
      renewMembership(context, record, days);
    },
  };
}
