import {
  checkoutSessionSchemas,
  dropSignupSchemas,
  type dropSlotSchemas,
  inviteLinkSchemas,
  messengerCheckSchemas,
  type ON_OVERLAP_VALUES,
  type PROVISION_STATUSES,
  provisionedMembershipSchemas,
  type Received,
} from '@latchkey/contract';
import {
  DAY_MS,
  INTEGER_MAX,
  MESSENGER_USER_ID_MIN,
  messengerUserIdNameOf,
  parseTimestamp,
} from '@latchkey/contract/constants';
import { type EndpointCall, InvalidRequest, parseBy } from './call/endpoint-call.js';

/** Identifiers of the buyer. If you know both, send both: it's the best chance of matching an existing user. */
export type Buyer =
  | { email: string; messengerUserId?: number | undefined }
  | { email?: string | undefined; messengerUserId: number };

/** Request of `provisionExternal` (spec, "POST /membership/provision-external"). */
export type ProvisionRequest = Buyer & {
  communityId: string;
  /**
   * Idempotency key. Derive it from a durable order id, such as `order-1042`, never from a time or a random value, and
   * use the same key when you send the order again.
   */
  externalOrderId: string;
  /** Id of the plan of the membership, a UUID. The plan must belong to the community. */
  pricingPlanId?: string | undefined;
  /**
   * Start of access: an ISO-8601 string or a `Date`. Ignored if the result is `created`.
   * @default now
   */
  validFrom?: string | Date | undefined;
  /**
   * End of access: an ISO-8601 string or a `Date`. **Omit it for lifetime access.** The client rejects `undefined`,
   * `null` and an end more than fifty years away: each of them is probably a mistake.
   */
  validUntil?: string | Date;
  /**
   * What to do if the buyer's membership is still active. `extend` keeps the later end.
   * @default 'extend'
   */
  onOverlap?: (typeof ON_OVERLAP_VALUES)[number] | undefined;
};

/**
 * Result of a provisioning (spec, "Provisioned membership result"). Unknown fields are kept. A field that is missing or
 * unreadable is `undefined`. Only `membershipId` is always present.
 */
export interface ProvisionedMembership {
  /** Id of the membership. No other endpoint returns it, so store it with the order. */
  membershipId: string;
  /** Id of the matched or created user. The spec doesn't say that it equals `sub` of the user's sign-ins. */
  userId: string | undefined;
  /** ISO-8601. The time of the call if `status` is `created`. */
  validFrom: string | undefined;
  /** ISO-8601. Null for lifetime access. `undefined` doesn't mean lifetime access: the service didn't state the end. */
  validUntil: string | null | undefined;
  /** State of the membership before the call. Four values are known today; more can follow. */
  status: (typeof PROVISION_STATUSES)[number] | (string & {}) | undefined;
}

const FAR_FUTURE_YEARS = 50;
const YEAR_MS = 365.25 * DAY_MS;

export const provisionExternalCall: EndpointCall<ProvisionRequest, ProvisionedMembership> = {
  endpoint: 'provisionExternal',
  prepare(request, { clock, serviceNames }) {
    const { communityId, externalOrderId, email, messengerUserId, pricingPlanId, onOverlap } = request;
    if (messengerUserId !== undefined) checkMessengerUserId(messengerUserId);
    return {
      body: {
        communityId,
        externalOrderId,
        email,
        [messengerUserIdNameOf(serviceNames)]: messengerUserId,
        pricingPlanId,
        validFrom: timestamp('validFrom', request.validFrom),
        validUntil: endOfAccess(request, clock.now()),
        onOverlap,
      },
    };
  },
  parse: parseBy(provisionedMembershipSchemas.loose, (received) => {
    const { userId, validFrom, validUntil, status } = received;
    return { ...received, userId, validFrom, validUntil, status };
  }),
};

/** @throws InvalidRequest also for an unsafe integer: JavaScript rounds it, and the result could be another account. */
function checkMessengerUserId(id: number): void {
  if (!Number.isSafeInteger(id) || id < MESSENGER_USER_ID_MIN) {
    throw new InvalidRequest(
      `messengerUserId must be an integer from ${MESSENGER_USER_ID_MIN} to ${INTEGER_MAX}.`,
    );
  }
}

/** Returns the end of access. Leaving it out means lifetime access, so an end that got lost by mistake is rejected. */
function endOfAccess(request: ProvisionRequest, now: number): string | undefined {
  if (!('validUntil' in request)) return undefined;
  const { validUntil } = request;
  if (validUntil === undefined || validUntil === null) {
    throw new InvalidRequest(
      `validUntil is ${validUntil}. For lifetime access, omit the field. Otherwise, find out where the value was lost.`,
    );
  }
  const text = timestamp('validUntil', validUntil);
  const end = text === undefined ? undefined : parseTimestamp(text);
  if (end !== undefined && end - now > FAR_FUTURE_YEARS * YEAR_MS) {
    throw new InvalidRequest(
      `validUntil is more than ${FAR_FUTURE_YEARS} years away. For lifetime access, omit the field.`,
    );
  }
  return text;
}

/** True for a date of any realm; see `isError`. */
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

function timestamp(field: string, value: string | Date | undefined): string | undefined {
  if (!isDate(value)) return value;
  if (Number.isNaN(value.getTime())) throw new InvalidRequest(`${field} is an invalid Date.`);
  return value.toISOString();
}

/** Request of `checkMessenger` (spec, "GET /membership/check-messenger/{communityId}/{messengerUserId}"). */
export interface MessengerCheckRequest {
  communityId: string;
  /** Id of the messenger account, an integer from 1. */
  messengerUserId: number;
}

/** Membership of a messenger account at the time of the call (spec, "Messenger membership check result"). */
export interface MessengerCheck {
  /** True if the account has an active membership. */
  isActive: boolean;
  /** Id of the active membership. Null if there is none, or if the service didn't send it. */
  membershipId: string | null;
}

export const checkMessengerCall: EndpointCall<MessengerCheckRequest, MessengerCheck> = {
  endpoint: 'checkMessenger',
  prepare({ communityId, messengerUserId }, { serviceNames }) {
    checkMessengerUserId(messengerUserId);
    return { path: { communityId, [messengerUserIdNameOf(serviceNames)]: String(messengerUserId) } };
  },
  parse: parseBy(messengerCheckSchemas.loose, (received) => ({
    ...received,
    // If the response contradicts itself, there is no active membership.
    membershipId: received.isActive ? received.membershipId : null,
  })),
};

/** Request of `buyPlan` (spec, "POST /api/checkout/buy-plan"). */
export interface CheckoutRequest {
  /** Id of the plan, a UUID. The plan must belong to the community. */
  pricingPlanId: string;
  communityId: string;
  /** Your identifier for the buyer. Use it for `inviteLink` after the payment. */
  externalId: string;
  /**
   * Email address of the buyer. The checkout belongs to the user with this address, who is created if there is none.
   */
  email: string;
  /**
   * Where the buyer goes after the payment. A visit to this URL doesn't prove a payment; only the event
   * `payment.success` does.
   */
  successUrl: string;
  /** Where the buyer goes after cancelling. */
  cancelUrl: string;
  /** Appears in purchase reports. At most 100 characters. */
  utmSource?: string | undefined;
}

/** A hosted checkout session (spec, "Checkout session result"). */
export interface CheckoutSession {
  /** URL of the hosted payment page. Redirect the buyer to it unchanged. Its host depends on the payment provider. */
  checkoutUrl: string;
}

export const buyPlanCall: EndpointCall<CheckoutRequest, CheckoutSession> = {
  endpoint: 'buyPlan',
  prepare: ({ pricingPlanId, communityId, externalId, email, successUrl, cancelUrl, utmSource }) => ({
    body: { pricingPlanId, communityId, externalId, email, successUrl, cancelUrl, utmSource },
  }),
  likelyCause: 'Probably email is missing.',
  // A missing URL is a failure, whatever the other fields contain (spec, rule 2).
  parse: (data) => {
    const parsed = checkoutSessionSchemas.loose.safeParse(data);
    if (parsed.success) return { kind: 'success', result: parsed.data };
    return {
      kind: 'failure',
      problem: 'checkoutUrl is missing. Probably pricingPlanId is not a plan of this community.',
    };
  },
};

/** Request of `inviteLink` (spec, "GET /membership/join-messenger-community-external/{externalId}"). */
export interface InviteLinkRequest {
  /** The `externalId` of the `buyPlan` request, not the `externalOrderId` of a provisioning. */
  externalId: string;
}

/** A new invite link (spec, "Invite link result"). It works for the buyer's messenger account only. */
export interface InviteLink {
  link: string;
  /**
   * Expiry of the link, ISO-8601: 24 hours after the call. Request a new link after this time. `undefined` if the
   * service didn't send it; don't cache the link then.
   */
  expiresAt: string | undefined;
}

export const inviteLinkCall: EndpointCall<InviteLinkRequest, InviteLink> = {
  endpoint: 'inviteLink',
  prepare: ({ externalId }) => ({ path: { externalId } }),
  likelyCause: 'Probably the community has no messenger bot.',
  parse: parseBy(inviteLinkSchemas.loose, ({ expiresAt, ...received }) => ({ ...received, expiresAt })),
};

/** Request of `dropSignup` (spec, "POST /api/drop-notification/signup"). */
export interface DropSignupRequest {
  /** Id of the community, a UUID. The signup is for its next drop at the time of the call. */
  communityId: string;
  email: string;
  /** Number for a notification by text message, with the country code: `+44 20 7946 0018`. */
  phoneNumber?: string | undefined;
}

/**
 * Result of a signup (spec, "Drop signup result"). Unknown fields are kept. Every field except `signedUp` can be
 * missing.
 */
export interface DropSignup {
  /** False if the address already has an account and needs no signup. This isn't an error. */
  signedUp: boolean;
  /** True if the address already has an account. */
  hasExistingAccount: boolean | undefined;
  dropSlotInfo: DropSlot | undefined;
}

/** The drop of a signup (spec, "`dropSlotInfo`"). A field that the service didn't send is `undefined`. */
export interface DropSlot {
  id: string | undefined;
  /** Null if unlimited. */
  slots: number | null | undefined;
  slotsUsed: number | undefined;
  /** Null if unlimited. */
  availableSlots: number | null | undefined;
  /** ISO-8601. */
  startsAt: string | undefined;
  /** ISO-8601. Null if there is no end date. */
  endsAt: string | null | undefined;
  /** True if the drop has started and not yet ended. */
  isCurrentlyActive: boolean | undefined;
}

export const dropSignupCall: EndpointCall<DropSignupRequest, DropSignup> = {
  endpoint: 'dropSignup',
  prepare: ({ communityId, email, phoneNumber }) => ({ body: { communityId, email, phoneNumber } }),
  parse: parseBy(dropSignupSchemas.loose, ({ hasExistingAccount, dropSlotInfo, ...received }) => ({
    ...received,
    hasExistingAccount,
    dropSlotInfo: dropSlotInfo && dropSlot(dropSlotInfo),
  })),
};

/** Adds the fields that are missing, as `undefined`. */
function dropSlot(received: Received<typeof dropSlotSchemas>): DropSlot {
  const { id, slots, slotsUsed, availableSlots, startsAt, endsAt, isCurrentlyActive } = received;
  return { ...received, id, slots, slotsUsed, availableSlots, startsAt, endsAt, isCurrentlyActive };
}
