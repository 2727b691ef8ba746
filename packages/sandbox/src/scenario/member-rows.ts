import { DAY_MS } from '@latchkey/contract/constants';
import type { TableContents, TableRow } from '@latchkey/server/extension';
import { sandboxScenario } from './sandbox-scenario.js';

export interface ScenarioPlan {
  readonly id: string;
  readonly priceMinor: number;
  /** Null for lifetime access. */
  readonly periodDays: number | null;
}

/** A member of the coffee club, as a scenario describes it. All ids follow from `number`. */
export interface ScenarioMember {
  /** Different for each member of all scenarios: 0 to 2^48-1. */
  readonly number: number;
  readonly name: string;
  readonly email: string;
  readonly plan: ScenarioPlan;
  /** Start of access, in milliseconds since the epoch. */
  readonly joinedAt: number;
  /** End of the paid time, in milliseconds since the epoch; null for lifetime access. */
  readonly endsAt: number | null;
  /** Payment method that renews the membership; absent if nothing renews it. */
  readonly method?: string;
  readonly cancelledAt?: number;
  readonly failed?: { readonly at: number; readonly reason: string };
}

export function scenarioId(kind: number, number: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, '0');
  return `5eed${hex(kind, 4)}-0000-4000-8000-${hex(number, 12)}`;
}

/** First block of the ids, by kind of record. */
export const ID_KINDS = {
  user: 0x1000,
  membership: 0x2000,
  reservation: 0x3000,
  subscription: 0x4000,
  payment: 0x5000,
  failedPayment: 0x5100,
  event: 0x6000,
  delivery: 0x7000,
  attempt: 0x8000,
} as const;

/** SQL LIKE pattern that matches the ids of a scenario's checkouts. They're sample data. */
export const SCENARIO_CHECKOUT_IDS = `${scenarioId(ID_KINDS.reservation, 0).slice(0, -12)}%`;

/**
 * Returns the rows for members: each bought the plan in a checkout, and a subscription renews it if the member has a
 * payment method. Everything is in the past, so no events are due.
 */
export function memberRows(
  members: readonly ScenarioMember[],
  { now, returnUrl }: { now: number; returnUrl: string },
): TableContents {
  return {
    users: members.map((member) => userRow(member, now)),
    memberships: members.map((member) => membershipRow(member, now)),
    checkout_reservations: members.map((member) => reservationRow(member, returnUrl)),
    subscriptions: members.flatMap(subscriptionRows),
    payments: members.flatMap(paymentRows),
  };
}

/** Returns the start of the period that was paid last. */
export function paidAtOf({ plan, joinedAt, endsAt }: ScenarioMember): number {
  if (endsAt === null || plan.periodDays === null) return joinedAt;
  return Math.max(joinedAt, endsAt - plan.periodDays * DAY_MS);
}

function userRow({ number, name, email, joinedAt }: ScenarioMember, now: number): TableRow {
  return {
    id: scenarioId(ID_KINDS.user, number),
    email,
    email_verified_at: Math.min(joinedAt, now),
    name,
    created_at: joinedAt,
  };
}

function membershipRow(member: ScenarioMember, now: number): TableRow {
  const { number, plan, joinedAt, endsAt, method, cancelledAt } = member;
  return {
    id: scenarioId(ID_KINDS.membership, number),
    user_id: scenarioId(ID_KINDS.user, number),
    product_type: 'community',
    community_id: sandboxScenario.community.id,
    valid_from: joinedAt,
    valid_until: endsAt,
    pricing_plan_id: plan.id,
    subscription_id: method === undefined ? null : scenarioId(ID_KINDS.subscription, number),
    subscription_cancelled_at: method === undefined ? null : (cancelledAt ?? null),
    renews_at: method === undefined ? null : endsAt,
    // An end in the past was already announced at the time.
    lapse_announced_at: endsAt !== null && endsAt <= now ? endsAt : null,
  };
}

function reservationRow({ number, plan, joinedAt }: ScenarioMember, returnUrl: string): TableRow {
  return {
    id: scenarioId(ID_KINDS.reservation, number),
    community_id: sandboxScenario.community.id,
    pricing_plan_id: plan.id,
    user_id: scenarioId(ID_KINDS.user, number),
    success_url: returnUrl,
    cancel_url: returnUrl,
    created_at: joinedAt,
    paid_at: joinedAt,
    membership_id: scenarioId(ID_KINDS.membership, number),
  };
}

function subscriptionRows({ number, plan, joinedAt, method }: ScenarioMember): TableRow[] {
  if (method === undefined || plan.periodDays === null) return [];
  return [
    {
      id: scenarioId(ID_KINDS.subscription, number),
      reservation_id: scenarioId(ID_KINDS.reservation, number),
      payment_method: method,
      amount_minor: plan.priceMinor,
      currency: 'EUR',
      period_days: plan.periodDays,
      is_own: 1,
      created_at: joinedAt,
    },
  ];
}

function paymentRows(member: ScenarioMember): TableRow[] {
  const { number, plan, joinedAt, failed } = member;
  const paidAt = paidAtOf(member);
  const payment = {
    user_id: scenarioId(ID_KINDS.user, number),
    community_id: sandboxScenario.community.id,
    pricing_plan_id: plan.id,
    amount_minor: plan.priceMinor,
    currency: 'EUR',
  };
  const paid = {
    ...payment,
    id: scenarioId(ID_KINDS.payment, number),
    reservation_id: paidAt === joinedAt ? scenarioId(ID_KINDS.reservation, number) : null,
    status: 'succeeded',
    created_at: paidAt,
  };
  if (failed === undefined) return [paid];
  const declined = {
    ...payment,
    id: scenarioId(ID_KINDS.failedPayment, number),
    status: 'failed',
    reason: failed.reason,
    created_at: failed.at,
  };
  return [paid, declined];
}
