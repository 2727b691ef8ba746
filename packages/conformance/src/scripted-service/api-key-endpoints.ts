import {
  INVITE_LINK_LIFETIME_SECONDS,
  messengerUserIdNameOf,
  type Permission,
} from '@latchkey/contract/constants';
import {
  isEmail,
  isMessengerUserId,
  isText,
  isTimestamp,
  isUuid,
  normalizedEmail,
  optional,
  rejectFields,
  rejectKey,
  rejectRole,
  type ServiceState,
} from './endpoint.js';
import type { ApiKeyEndpointName } from './reading.js';
import type { RecordedRequest } from './request.js';
import { buyPlan, createMembership, setPeriod } from './sales.js';
import { type FakeDrop, isSameId, type MembershipRecord, type Period } from './world.js';

type ApiKeyEndpoint = (request: RecordedRequest, context: ServiceState) => Response;

export const API_KEY_ENDPOINTS: Readonly<Record<ApiKeyEndpointName, ApiKeyEndpoint>> = {
  provisionExternal: withKey('provisionExternal', provisionExternal, 200, [
    'MEMBERSHIP_WRITE',
    'MEMBERSHIP_PROVISION',
  ]),
  inviteLink: withKey('inviteLink', inviteLink, 200, ['MEMBERSHIP_WRITE']),
  checkMessenger: withKey('checkMessenger', checkMessenger, 200, ['MEMBERSHIP_READ']),
  buyPlan: withKey('buyPlan', buyPlan, 201, ['CHECKOUT_WRITE']),
  dropSignup: withKey('dropSignup', dropSignup, 201, ['DROP_NOTIFICATION_WRITE']),
};

/** A service without communities responds to every valid key with a fixed success, for tests about something else. */
function withKey(
  name: ApiKeyEndpointName,
  endpoint: ApiKeyEndpoint,
  status: 200 | 201,
  permissions: readonly Permission[],
): ApiKeyEndpoint {
  return (request, context) => {
    const { clock, reading, world } = context;
    const rejected = rejectKey(request, context, permissions);
    if (rejected !== undefined) return rejected;
    if (world.communities.length > 0) return endpoint(request, context);
    const data = reading.apiKeyData[name](request, clock.now());
    return data instanceof Response ? data : context.respond.success(status, data);
  };
}

/** `GET /membership/check-messenger/{communityId}/{messengerUserId}` */
function checkMessenger(request: RecordedRequest, context: ServiceState): Response {
  const [communityId = '', account = ''] = request.pathParameters;
  const { reading, world } = context;
  const invalid = !isUuid(communityId) ? 'communityId' : /^\d+$/.test(account) ? undefined : 'account';
  if (invalid !== undefined) {
    return context.respond.rejection(request, 400, reading.messages.invalidField(invalid));
  }
  const forbidden = rejectRole(request, context, communityId);
  if (forbidden !== undefined) return forbidden;
  const user = world.findUser({ messengerUserId: Number(account) });
  const community = world.findCommunity(communityId);
  const record = user && community && world.findRecord(user, community.id);
  const isActive = record !== undefined && world.isActive(record);
  const data = { isActive, membershipId: isActive ? record.membership.id : null };
  return context.respond.success(200, data);
}

/** `GET /membership/join-messenger-community-external/{externalId}` */
function inviteLink({ pathParameters: [externalId = ''] }: RecordedRequest, context: ServiceState): Response {
  const { reading, world, clock } = context;
  const { messages } = reading;
  const reservation = world.reservations.findLast((each) => each.externalId === externalId);
  const record = reservation?.record;
  if (record === undefined) {
    return context.respond.failure(404, 'not_found', messages.notProcessed);
  }
  if (!world.isActive(record)) {
    return context.respond.failure(401, 'unauthorized', messages.notAMember);
  }
  if (world.findCommunity(record.communityId)?.hasBot === false) {
    return reading.json({ success: false, data: null, message: messages.noBot }, 200);
  }
  const expiresAt = new Date(clock.now() + INVITE_LINK_LIFETIME_SECONDS * 1000).toISOString();
  const link = `https://messenger.example/+${world.newId()}`;
  return context.respond.success(200, { link, expiresAt });
}

/** `POST /api/drop-notification/signup` */
function dropSignup(request: RecordedRequest, context: ServiceState): Response {
  const rejected = rejectFields(request, context, {
    communityId: isUuid,
    email: isEmail,
    phoneNumber: optional(isText),
  });
  if (rejected !== undefined) return rejected;
  const { reading, world } = context;
  const { fields } = request;
  const communityId = String(fields.communityId);
  const forbidden = rejectRole(request, context, communityId);
  if (forbidden !== undefined) return forbidden;
  const drop = world.drops.find((each) => isSameId(each.communityId, communityId));
  if (drop === undefined) {
    return context.respond.failure(404, 'not_found', reading.messages.noDrop);
  }
  const email = normalizedEmail(fields.email) ?? '';
  const hasExistingAccount = world.findUser({ email }) !== undefined;
  if (!hasExistingAccount && drop.emails.has(email)) {
    return context.respond.failure(409, 'already_exists', reading.messages.signedUpBefore);
  }
  if (!hasExistingAccount) drop.emails.add(email);
  const dropSlotInfo = infoOf(drop, context.clock.now());
  const data = { signedUp: !hasExistingAccount, hasExistingAccount, dropSlotInfo };
  return context.respond.success(201, data);
}

function infoOf({ id, slots, emails }: FakeDrop, now: number) {
  return {
    id,
    slots,
    slotsUsed: emails.size,
    availableSlots: slots === null ? null : slots - emails.size,
    startsAt: new Date(now + 3_600_000).toISOString(),
    endsAt: null,
    isCurrentlyActive: false,
    dropNotification: null,
  };
}

const OVERLAPS = ['extend', 'replace', 'error'];

/** The status of a provisioning result, or the message of a conflict. */
type ProvisionResult =
  | { status: 'created' | 'extended' | 'replaced' | 'idempotent_return'; record: MembershipRecord }
  | { conflict: 'overlap' | 'subscription' };

type Order = ReturnType<typeof readOrder>;

/** `POST /membership/provision-external` */
function provisionExternal(request: RecordedRequest, context: ServiceState): Response {
  const { names, reading, world, clock } = context;
  const accountName = messengerUserIdNameOf(names);
  const { fields } = request;
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
    return context.respond.failure(409, 'already_exists', reading.messages[result.conflict]);
  }
  const { status, record } = result;
  emitProvisioned(context, result);
  const { id: membershipId, validFrom, validUntil = null } = record.membership;
  const data = { membershipId, userId: reading.userId(user), validFrom, validUntil, status };
  return context.respond.success(200, data);
}

/** The table of the specification, "Membership outcome of POST /membership/provision-external". */
function provision(
  context: ServiceState,
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

function readOrder(fields: Readonly<Record<string, unknown>>, now: number) {
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

/** Periods aren't added together. If either side is open-ended, the result is lifetime. */
function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b);
}

function emitProvisioned(
  { emit, world }: ServiceState,
  { status, record }: Extract<ProvisionResult, { record: object }>,
): void {
  if (status === 'idempotent_return') return;
  const type = status === 'created' ? 'membership.created' : 'membership.updated';
  const community = world.communities.find(({ id }) => isSameId(id, record.communityId));
  const communityId = community?.id ?? record.communityId;
  emit({ type, communityId, record, reservation: undefined });
}
