import { randomUUID } from 'node:crypto';
import { DAY_MS, MEMBERSHIP_PRODUCT_TYPES } from '@latchkey/contract/constants';
import type { Membership } from '@latchkey/oauth';
import type { DirectoryRecord } from '../stores/kit-store.js';

/**
 * Running membership of a test user. Omitted fields are those of a lifetime membership. With `communityId` or `productId`
 * it is recorded in the directory of the app. Without both it belongs to another seller, so the directory does not
 * contain it.
 */
export interface TestMembership {
  /** @default A new UUID. */
  id?: string;
  /** @default 'digital_product' with `productId`, otherwise 'community' */
  productType?: Membership['productType'];
  /** ISO-8601, not later than now. */
  validFrom?: string;
  /** ISO-8601, later than now. Null for lifetime access. To test the expiry, move the clock. */
  validUntil?: string | null;
  communityId?: string;
  productId?: string;
  pricingPlanId?: string | null;
}

/** A membership as the service lists it, and its record for the directory. */
export interface PreparedMembership {
  membership: Membership;
  /** Undefined for a membership of another seller. */
  record: DirectoryRecord | undefined;
}

const FIELDS = ['id', 'productType', 'validFrom', 'validUntil', 'communityId', 'productId', 'pricingPlanId'];

/**
 * Completes a membership.
 * @throws TypeError for a membership that the service never lists, or that no directory contains.
 */
export function prepareMembership(given: TestMembership, now: number): PreparedMembership {
  const { id = randomUUID(), communityId, productId, pricingPlanId, validUntil } = given;
  const { productType = productId === undefined ? 'community' : 'digital_product' } = given;
  const { validFrom = new Date(now - DAY_MS).toISOString() } = given;
  const problem = problemOf({ ...given, productType, validFrom }, now);
  if (problem !== undefined) throw new TypeError(`The membership of a test user ${problem}`);
  const membership: Membership = {
    id,
    productType,
    isActive: true,
    validFrom,
    ...(validUntil === undefined ? {} : { validUntil }),
  };
  if (communityId === undefined && productId === undefined) return { membership, record: undefined };
  return { membership, record: { membershipId: id, communityId, productId, pricingPlanId, observedAt: now } };
}

function problemOf(
  given: TestMembership & { productType: string; validFrom: string },
  now: number,
): string | undefined {
  const { productType, communityId, productId, pricingPlanId, validFrom, validUntil } = given;
  if ('isActive' in given && given.isActive !== true) {
    return 'has isActive false, but the service lists active memberships only. Omit the membership.';
  }
  const unknown = Object.keys(given).find((key) => key !== 'isActive' && !FIELDS.includes(key));
  if (unknown !== undefined) return `has the unknown field ${unknown}. The fields are ${FIELDS.join(', ')}.`;
  if (!MEMBERSHIP_PRODUCT_TYPES.some((type) => type === productType)) {
    return `has the unknown productType ${quoted(productType)}. Use ${MEMBERSHIP_PRODUCT_TYPES.join(', ')}.`;
  }
  if (communityId !== undefined && productId !== undefined) {
    return 'has a communityId and a productId, but a membership belongs to one of them. Use two memberships.';
  }
  if (productType === 'community' && productId !== undefined) {
    return "has productType community and a productId. Use productType 'digital_product', or a communityId.";
  }
  if (productType === 'digital_product' && communityId !== undefined) {
    return "has productType digital_product and a communityId. Use productType 'community', or a productId.";
  }
  if (typeof pricingPlanId === 'string' && communityId === undefined && productId === undefined) {
    return 'has a pricingPlanId, but the directory contains a plan only with its community or product. Add a communityId or a productId.';
  }
  if (!(Date.parse(validFrom) <= now)) {
    return `has the validFrom ${quoted(validFrom)}, which is not a time until now. The service lists running memberships only.`;
  }
  if (validUntil !== undefined && validUntil !== null && !(Date.parse(validUntil) > now)) {
    return `has the validUntil ${quoted(validUntil)}, which is not a time after now. The service lists running memberships only. Omit the membership, or move the clock past its end.`;
  }
  return undefined;
}

const quoted = (value: unknown) => JSON.stringify(value);
