import { parseTimestamp } from '@latchkey/contract/constants';
import { bodyPlaces, type Fields, fieldsIn, ownValue } from '../memberships/forget-changed.js';
import { isObservedTime } from '../stores/create-directory.js';
import { sourceId, sourceName, type WebhookSource } from './webhook-secrets.js';

/** A verified delivery with a membership to record in the directory. */
export interface WebhookDelivery {
  /** Event type in the signed body, or in the header if the body has none. */
  readonly type: string;
  /** The parsed JSON of the signed body. */
  readonly body: unknown;
  /** Community or product with the secret that signed the body. */
  readonly source: WebhookSource;
}

/** The membership in a delivery, for the directory. */
export interface WebhookMembership {
  /** Undefined if the delivery is about no membership. */
  membershipId?: string | undefined;
  /** Undefined if the delivery doesn't state the plan. Null means that the membership has none. */
  pricingPlanId?: string | null | undefined;
  /**
   * Time of the event, in milliseconds since the epoch. The newest event's plan wins.
   * @default the time of the delivery
   */
  observedAt?: number | undefined;
}

/** Reads the membership in a delivery. See {@link WebhookOptions.readMembership}. */
export type MembershipReader = (delivery: WebhookDelivery) => WebhookMembership | undefined;

export type ReadMembership =
  | ({ kind: 'named'; membershipId: string } & WebhookMembership)
  | { kind: 'none' }
  /** The body is about several memberships. */
  | { kind: 'ambiguous'; membershipIds: readonly string[] }
  /** The body is about a different community or product than its secret. `named` is what the log calls it. */
  | { kind: 'other_source'; named: string };

/** Events about a membership, which state its current plan. */
const MEMBERSHIP_EVENTS: ReadonlySet<string> = new Set([
  'membership.created',
  'membership.updated',
  'digital.product.purchase',
]);

/**
 * Reads the membership in a delivery, at fixed places of the body only: the {@link bodyPlaces}, and `membership` in
 * each of them. It never searches the body, since buyers can write parts of it. The spec shows no bodies ("Events", 6),
 * so field names may be in camelCase or snake_case.
 */
export function readMembership({ type, body, source }: WebhookDelivery): ReadMembership {
  const places = placesOf(body);
  const membershipIds = [
    ...new Set([
      ...idsAt(places.outer, ['membershipId', 'membership_id', 'membership']),
      ...idsAt(places.memberships, ['id', 'membershipId', 'membership_id']),
    ]),
  ];
  const named = otherSource(places, { type, source, namesMembership: membershipIds.length > 0 });
  if (named !== undefined) return { kind: 'other_source', named };
  const [membershipId, ...others] = membershipIds;
  if (membershipId === undefined) return { kind: 'none' };
  if (others.length > 0) return { kind: 'ambiguous', membershipIds };
  const pricingPlanId = planOf(places, type);
  const observedAt = timeOf(places.top, type);
  return {
    kind: 'named',
    membershipId,
    ...(pricingPlanId === undefined ? {} : { pricingPlanId }),
    ...(observedAt === undefined ? {} : { observedAt }),
  };
}

/** True if the body contains the community or product with the secret that signed it. */
export function namesSource({ body, source }: Pick<WebhookDelivery, 'body' | 'source'>): boolean {
  const { communityIds, productIds } = sourceIdsIn(placesOf(body));
  return 'communityId' in source
    ? communityIds.includes(source.communityId)
    : productIds.includes(source.productId);
}

type Places = ReturnType<typeof placesOf>;

function placesOf(body: unknown) {
  const outer = bodyPlaces(body);
  return { top: outer[0], outer, memberships: outer.map((place) => fieldsIn(place, 'membership')) };
}

function sourceIdsIn({ outer, memberships }: Places) {
  const places = [...outer, ...memberships];
  const idsOf = (name: 'community' | 'product') => [
    ...new Set([
      ...idsAt(places, [`${name}Id`, `${name}_id`]),
      ...idsAt(
        places.map((place) => fieldsIn(place, name)),
        ['id'],
      ),
    ]),
  ];
  return { communityIds: idsOf('community'), productIds: idsOf('product') };
}

/** If the body isn't about the source, returns what it's about. */
function otherSource(
  bodyPlaces: Places,
  { type, source, namesMembership }: { type: string; source: WebhookSource; namesMembership: boolean },
): string | undefined {
  const { communityIds, productIds } = sourceIdsIn(bodyPlaces);
  const places = [...bodyPlaces.outer, ...bodyPlaces.memberships];
  const types = places.flatMap((place) => [ownValue(place, 'productType'), ownValue(place, 'product_type')]);
  if ('communityId' in source) {
    const other = communityIds.find((id) => id !== source.communityId);
    if (other !== undefined) return sourceName({ communityId: other });
    const [productId] = productIds;
    const isPurchase = type === 'digital.product.purchase' || types.includes('digital_product');
    if (isPurchase || communityIds.length === 0) {
      if (productId !== undefined) return sourceName({ productId });
      // Every webhook receives every type (spec, "Events", 2). A body without ids contradicts nothing.
      return isPurchase && namesMembership ? 'a digital product' : undefined;
    }
    return undefined;
  }
  const other = productIds.find((id) => id !== source.productId);
  if (other !== undefined) return sourceName({ productId: other });
  const [communityId] = communityIds;
  if (productIds.length === 0 && communityId !== undefined) return sourceName({ communityId });
  return types.includes('community') ? 'a membership of a community' : undefined;
}

/**
 * Returns the membership's plan, null for none, or undefined if the event doesn't state it. A failed payment or an
 * unknown event can contain a plan that wasn't paid.
 */
function planOf({ outer, memberships }: Places, type: string): string | null | undefined {
  if (!MEMBERSHIP_EVENTS.has(type) && type !== 'payment.success') return undefined;
  const places = [...outer, ...memberships];
  const names = ['pricingPlanId', 'pricing_plan_id', 'planId', 'plan_id'];
  const [planId, ...others] = new Set(idsAt(places, names));
  if (planId !== undefined) return others.length === 0 ? planId : undefined;
  const isNull = places.some((place) => names.some((name) => ownValue(place, name) === null));
  return isNull ? null : undefined;
}

/**
 * Returns the time of the event. A payment has the plan that was paid, which isn't always the membership's: a
 * subscription keeps its plan next to a single payment. So at equal times the membership's event wins.
 */
function timeOf(top: Fields, type: string): number | undefined {
  const [at] = ['createdAt', 'created_at', 'occurredAt', 'occurred_at', 'timestamp'].flatMap((name) => {
    const value = ownValue(top, name);
    const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
    // The directory rejects other times.
    return ms === undefined || !isObservedTime(ms - 1) ? [] : [ms];
  });
  if (at === undefined) return undefined;
  return MEMBERSHIP_EVENTS.has(type) ? at : at - 1;
}

function idsAt(places: readonly Fields[], names: readonly string[]): string[] {
  return places.flatMap((place) =>
    names.flatMap((name) => {
      const id = sourceId(ownValue(place, name));
      return id === undefined ? [] : [id];
    }),
  );
}
