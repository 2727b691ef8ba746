import {
  type ON_OVERLAP_VALUES,
  type PROVISION_STATUSES,
  provisionedMembershipSchemas,
} from '@latchkey/contract';
import { INTEGER_MAX, MESSENGER_USER_ID_MIN, parseTimestamp } from '@latchkey/contract/constants';
import { type EndpointCall, readBy } from '../call/endpoint-call.js';
import { InvalidRequest } from '../call/invalid-request.js';

/** The buyer: by e-mail, by messenger account, or best by both, which finds most of those who are known already. */
export type Buyer =
  | { email: string; messengerUserId?: number | undefined }
  | { email?: string | undefined; messengerUserId: number };

/** What `provisionExternal` takes (spec, "POST /membership/provision-external"). */
export type ProvisionRequest = Buyer & {
  /** The community that access is granted to: a UUID. */
  communityId: string;
  /**
   * The idempotency key. Make it of what names the order for good, such as `order-1042`; never of the time or of
   * chance, and the same one whenever the order is sent again.
   */
  externalOrderId: string;
  /** The plan that the membership is attached to: a UUID of the community's. */
  pricingPlanId?: string | undefined;
  /** Start of the access. Default now; ignored when the result is `created`. ISO-8601 text, or a `Date`. */
  validFrom?: string | Date | undefined;
  /**
   * End of the access: ISO-8601 text, or a `Date`. **Left out, access is for life**; that is why `undefined` and `null`
   * are refused here, and an end that is more than fifty years away.
   */
  validUntil?: string | Date;
  /** What happens to a membership that is still active. Default `extend`, which keeps the later end. */
  onOverlap?: (typeof ON_OVERLAP_VALUES)[number] | undefined;
};

/** What a provisioning did (spec, "Provisioned membership result"). Fields unknown today pass through. */
export interface ProvisionedMembership {
  /** The only handle on the membership: store it with the order. */
  membershipId: string;
  /** The user matched or created; `sub` of their sign-ins. */
  userId: string;
  /** ISO-8601. On `created` the time of the call. */
  validFrom: string;
  /** ISO-8601; null for lifetime access. */
  validUntil: string | null;
  /** The state of the membership before the call. One of the four known ones; the set can grow. */
  status: (typeof PROVISION_STATUSES)[number] | (string & {});
}

const FAR_FUTURE_YEARS = 50;
const YEAR_MS = 365.25 * 24 * 3600_000;

/** @throws InvalidRequest for what the service would take, and harm somebody by. */
export function provisionExternalCall(
  request: ProvisionRequest,
  now: number,
): EndpointCall<ProvisionedMembership> {
  const { communityId, externalOrderId, email, messengerUserId, pricingPlanId, onOverlap } = request;
  if (messengerUserId !== undefined) checkMessengerUserId(messengerUserId);
  return {
    endpoint: 'provisionExternal',
    body: {
      communityId,
      externalOrderId,
      email,
      messengerUserId,
      pricingPlanId,
      validFrom: timestamp('validFrom', request.validFrom),
      validUntil: endOfAccess(request, now),
      onOverlap,
    },
    read: readBy(provisionedMembershipSchemas.loose, (received) => ({
      ...received,
      validUntil: received.validUntil ?? null,
    })),
  };
}

/** @throws InvalidRequest for a number that JavaScript has rounded, which would name somebody else's account. */
export function checkMessengerUserId(id: number): void {
  if (!Number.isSafeInteger(id) || id < MESSENGER_USER_ID_MIN) {
    throw new InvalidRequest(
      `messengerUserId must be a whole number from ${MESSENGER_USER_ID_MIN} to ${INTEGER_MAX}.`,
    );
  }
}

/** Leaving the end out grants access for life, so nothing that was merely lost may count as left out. */
function endOfAccess(request: ProvisionRequest, now: number): string | undefined {
  if (!('validUntil' in request)) return undefined;
  const { validUntil } = request;
  if (validUntil === undefined || validUntil === null) {
    throw new InvalidRequest(
      `validUntil is ${validUntil}, and without an end access is for life. If that is meant, leave the field out; if not, find out where the end was lost.`,
    );
  }
  const text = timestamp('validUntil', validUntil);
  const end = text === undefined ? undefined : parseTimestamp(text);
  if (end !== undefined && end - now > FAR_FUTURE_YEARS * YEAR_MS) {
    throw new InvalidRequest(
      `validUntil is more than ${FAR_FUTURE_YEARS} years away. Access for life has no end: leave the field out.`,
    );
  }
  return text;
}

function timestamp(field: string, value: string | Date | undefined): string | undefined {
  if (!(value instanceof Date)) return value;
  if (Number.isNaN(value.getTime())) throw new InvalidRequest(`${field} is an invalid Date.`);
  return value.toISOString();
}
