import { webhookEventSchemas } from '@latchkey/contract';
import { DAY_MS, formatTimestamp } from '@latchkey/contract/constants';
import type { TableContents, TableRow } from '@latchkey/server/extension';
import { ID_KINDS, paidAtOf, type ScenarioMember, scenarioId } from './member-rows.js';
import { randomNumbers } from './random-numbers.js';
import { sandboxScenario } from './sandbox-scenario.js';

/** For how many payments the events are kept. */
const EVENTS = 1_000;
/** The service deletes events after a month. */
const OLDEST_MS = 25 * DAY_MS;
const SEED = 7;
const FAILURE = 'Responded with status 500; only 2xx counts as received.';
/** Number of attempts for a delivery that was given up. */
const ATTEMPTS_OF_FAILED = 20;

/** How the delivery of an event goes: the failed attempts, and whether one then succeeds. */
interface Course {
  readonly failures: number;
  readonly isDelivered: boolean;
}

/** Returns the events of the newest payments, with their deliveries to the community's webhook and all attempts. */
export function busyDeliveries(members: readonly ScenarioMember[], now: number): TableContents {
  const random = randomNumbers(SEED);
  const newest = members
    .filter((member) => paidAtOf(member) > now - OLDEST_MS && paidAtOf(member) < now - 4 * DAY_MS)
    .toSorted((one, other) => paidAtOf(other) - paidAtOf(one))
    .slice(0, EVENTS)
    .map((member) => ({ member, course: courseOf(random()) }));
  return {
    webhook_events: newest.map(({ member }) => eventRow(member)),
    webhook_deliveries: newest.map(({ member, course }) => deliveryRow(member, course)),
    webhook_attempts: newest.flatMap(({ member, course }) => attemptRows(member, course)),
  };
}

function courseOf(chance: number): Course {
  if (chance < 0.02) return { failures: ATTEMPTS_OF_FAILED, isDelivered: false };
  return { failures: chance < 0.08 ? 2 : 0, isDelivered: true };
}

function eventRow(member: ScenarioMember): TableRow {
  const { number, plan, email } = member;
  const at = paidAtOf(member);
  const communityId = sandboxScenario.community.id;
  const body = webhookEventSchemas['payment.success'].strict.parse({
    id: scenarioId(ID_KINDS.event, number),
    type: 'payment.success',
    createdAt: formatTimestamp(at),
    data: {
      paymentId: scenarioId(ID_KINDS.payment, number),
      user: { sub: scenarioId(ID_KINDS.user, number), email },
      communityId,
      pricingPlanId: plan.id,
      amount: plan.priceMinor,
      currency: 'EUR',
      externalId: null,
      utmSource: null,
      membershipId: scenarioId(ID_KINDS.membership, number),
    },
  });
  return {
    id: body.id,
    type: 'payment.success',
    community_id: communityId,
    body: JSON.stringify(body),
    created_at: at,
  };
}

function deliveryRow(member: ScenarioMember, { failures, isDelivered }: Course): TableRow {
  const at = paidAtOf(member);
  const finishedAt = attemptAt(at, isDelivered ? failures : failures - 1);
  return {
    id: scenarioId(ID_KINDS.delivery, member.number),
    event_id: scenarioId(ID_KINDS.event, member.number),
    webhook_id: sandboxScenario.webhooks.community.id,
    status: isDelivered ? 'delivered' : 'failed',
    attempts: failures + (isDelivered ? 1 : 0),
    next_attempt_at: finishedAt,
    created_at: at,
    finished_at: finishedAt,
  };
}

function attemptRows(member: ScenarioMember, { failures, isDelivered }: Course): TableRow[] {
  const at = paidAtOf(member);
  return Array.from({ length: failures + (isDelivered ? 1 : 0) }, (_, index) => {
    const failed = index < failures;
    return {
      id: scenarioId(ID_KINDS.attempt + index, member.number),
      delivery_id: scenarioId(ID_KINDS.delivery, member.number),
      attempted_at: attemptAt(at, index),
      duration_ms: 20 + ((member.number * 37) % 180),
      status_code: failed ? 500 : 204,
      failure: failed ? FAILURE : null,
    };
  });
}

/** Returns the time of an attempt. The pauses grow like the service's, to about three days for all twenty. */
function attemptAt(start: number, index: number): number {
  let at = start;
  for (let wait = 0; wait < index; wait += 1) at += Math.min(10_000 * 3 ** wait, 6 * 3600_000);
  return at;
}
