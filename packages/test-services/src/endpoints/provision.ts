import { messengerUserIdNameOf } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import { isSameId, type MembershipRecord, type Period } from '../state/world.js';
import { rejectRole } from './api-key-access.js';
import {
  fieldsOf,
  isEmail,
  isMessengerUserId,
  isText,
  isTimestamp,
  isUuid,
  normalizedEmail,
  optional,
  rejectFields,
} from './api-key-fields.js';
import type { EndpointContext } from './endpoint-context.js';
import { createMembership, setPeriod } from './memberships-of-sales.js';
import { respondFailure, respondSuccess } from './respond.js';

const OVERLAPS = ['extend', 'replace', 'error'];

/** The status of a provisioning result, or the message of a conflict. */
type ProvisionResult =
  | { status: 'created' | 'extended' | 'replaced' | 'idempotent_return'; record: MembershipRecord }
  | { conflict: 'overlap' | 'subscription' };

interface Order {
  communityId: string;
  orderId: string;
  planId: string | null;
  onOverlap: string;
  from: number;
  until: number | null;
}

/** `POST /membership/provision-external` */
export function provisionExternal(request: FakeRequest, context: EndpointContext): Response {
  const { names, reading, world, clock } = context;
  const accountName = messengerUserIdNameOf(names);
  const fields = fieldsOf(request);
  const isOne = (): boolean => fields.email !== undefined || fields[accountName] !== undefined;
  const rejected = rejectFields(request, context, {
    communityId: isUuid,
    externalOrderId: isText,
    email: (value) => isOne() && optional(isEmail)(value),
    [accountName]: optional(isMessengerUserId),
    pricingPlanId: optional(isUuid),
    validFrom: optional(isTimestamp),
    validUntil: optional(isTimestamp),
    onOverlap: (value) => value === undefined || OVERLAPS.includes(String(value)),
  });
  if (rejected !== undefined) return rejected;
  const order = readOrder(fields, clock.now());
  const forbidden = rejectRole(request, context, order.communityId);
  if (forbidden !== undefined) return forbidden;
  const email = normalizedEmail(fields.email);
  const messengerUserId = fields[accountName] as number | undefined;
  const user = world.resolveUser({
    ...(email === undefined ? {} : { email }),
    ...(messengerUserId === undefined ? {} : { messengerUserId }),
  });
  const result = provision(context, order, world.findRecord(user, order.communityId), (period) =>
    createMembership(context, { ...order, user, period }),
  );
  if ('conflict' in result) {
    const message = reading.messages[result.conflict];
    return respondFailure(context, { status: 409, errorCode: 'already_exists', message });
  }
  const { status, record } = result;
  emitProvisioned(context, result);
  const { id: membershipId, validFrom, validUntil = null } = record.membership;
  const data = { membershipId, userId: reading.userId(user), validFrom, validUntil, status };
  return respondSuccess(context, { status: 200, data });
}

/** The table of the specification, "Membership outcome of POST /membership/provision-external". */
function provision(
  context: EndpointContext,
  order: Order,
  record: MembershipRecord | undefined,
  create: (period: Period) => MembershipRecord,
): ProvisionResult {
  const { clock, world } = context;
  if (record === undefined) {
    return { status: 'created', record: create({ from: clock.now(), until: order.until }) };
  }
  if (record.isSubscription) return { conflict: 'subscription' };
  if (record.orderId === order.orderId) return { status: 'idempotent_return', record };
  const isActive = world.isActive(record);
  if (isActive && order.onOverlap === 'error') return { conflict: 'overlap' };
  const isExtension = isActive && order.onOverlap === 'extend';
  const { from, until } = record.period;
  record.orderId = order.orderId;
  record.planId = order.planId ?? record.planId;
  setPeriod(context, record, isExtension ? { from, until: later(until, order.until) } : order);
  return { status: isActive ? 'extended' : 'replaced', record };
}

function readOrder(fields: Readonly<Record<string, unknown>>, now: number): Order {
  const { communityId, externalOrderId, pricingPlanId, validFrom, validUntil, onOverlap } = fields;
  return {
    communityId: String(communityId).toLowerCase(),
    orderId: String(externalOrderId),
    planId: pricingPlanId === undefined ? null : String(pricingPlanId),
    onOverlap: onOverlap === undefined ? 'extend' : String(onOverlap),
    from: validFrom === undefined ? now : Date.parse(String(validFrom)),
    until: validUntil === undefined ? null : Date.parse(String(validUntil)),
  };
}

/** Periods are not added together. If either side is open-ended, the result is lifetime. */
function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

function emitProvisioned(
  { emit, world }: EndpointContext,
  { status, record }: Extract<ProvisionResult, { record: object }>,
): void {
  if (status === 'idempotent_return') return;
  const type = status === 'created' ? 'membership.created' : 'membership.updated';
  const community = world.communities.find(({ id }) => isSameId(id, record.communityId));
  const communityId = community?.id ?? record.communityId;
  emit({ type, communityId, record, reservation: undefined });
}
