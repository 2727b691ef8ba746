import { type MembershipProductType, PATHS, type SellerProductType } from '@latchkey/contract/constants';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { fieldsOf, sendRequest, successBody, textOf, unreadable } from './service-request.js';

/** Identity of the signed-in user (spec, "User identity"). Unknown fields are kept. */
export interface UserIdentity {
  /** Id of the user. It never changes, so use it as the key in a database. */
  sub: string;
  /** Can be null and can change, so never use it as a key. Also null if the service doesn't send it. */
  email: string | null;
}

/**
 * An active membership of the user (spec, "Membership (OAuth view)"). Unknown fields are kept. Only `id` is certain to
 * be sent by every service.
 */
export interface Membership {
  id: string;
  /** Kind of product. Four values are known today; more can follow. */
  productType: MembershipProductType | (string & {}) | undefined;
  /** Always true: the service lists active memberships only. */
  isActive: boolean;
  /** ISO-8601 start of the current access period. `undefined` if the service doesn't send a readable one. */
  validFrom: string | undefined;
  /** ISO-8601 end of the current access period, always readable. Absent or null for lifetime access. */
  validUntil?: string | null;
}

/** A product that the user sells, not one that they bought (spec, "Seller product (OAuth view)"). */
export interface Product {
  id: string;
  name: string | undefined;
  /** Last segment of the product's storefront URL. */
  slug: string | undefined;
  /**
   * Kind of product. Null for older products, or if the service doesn't send it. Seven values are known today; more can
   * follow.
   */
  type: SellerProductType | (string & {}) | null;
}

/** Parameters of the functions that read a resource. */
export interface ResourceRequest {
  accessToken: string;
  signal?: AbortSignal | undefined;
}

/**
 * Returns the identity of the access token's user (spec, "GET /oauth/userinfo"). Requires no scope.
 *
 * @throws OAuthClientError `invalid_token` when the access token is expired, revoked or unknown; and the errors that
 * every request can have.
 */
export async function fetchUserIdentity(
  service: OAuthService,
  request: ResourceRequest,
): Promise<UserIdentity> {
  const { endpoint, body } = await readResource(service, PATHS.userinfo, request);
  const sub = textOf(body.sub);
  if (!sub) throw unreadable(endpoint, 'it must contain sub, the id of the user');
  return { ...body, sub, email: textOf(body.email) ?? null };
}

/**
 * Returns the user's active memberships (spec, "GET /oauth/memberships"). An empty list means no access. A membership
 * that isn't certain to be active is left out: one without `id`, with an `isActive` other than true, or with a
 * `validUntil` that isn't ISO-8601.
 *
 * @throws OAuthClientError `invalid_token`; `insufficient_scope` without the scope `memberships.read`; and the errors
 * that every request can have.
 */
export async function fetchMemberships(
  service: OAuthService,
  request: ResourceRequest,
): Promise<Membership[]> {
  const { endpoint, body } = await readResource(service, PATHS.memberships, request);
  return listOf(endpoint, body.memberships).flatMap(readMembership);
}

/**
 * Returns all products that the user created as a seller (spec, "GET /oauth/products"). Products without `id` are left
 * out.
 *
 * @throws OAuthClientError `invalid_token`; `insufficient_scope` without the scope `products.read`; and the errors that
 * every request can have.
 */
export async function fetchProducts(service: OAuthService, request: ResourceRequest): Promise<Product[]> {
  const { endpoint, body } = await readResource(service, PATHS.products, request);
  return listOf(endpoint, body.products).flatMap(readProduct);
}

async function readResource(
  service: OAuthService,
  path: string,
  { accessToken, signal }: ResourceRequest,
): Promise<{ endpoint: string; body: Record<string, unknown> }> {
  const endpoint = endpointUrl(service, path);
  const headers = { authorization: `Bearer ${accessToken}` };
  return { endpoint, body: successBody(await sendRequest(service, { endpoint, headers, signal })) };
}

/** A missing list isn't an empty one: it doesn't say that the user has no access. */
function listOf(endpoint: string, list: unknown): unknown[] {
  if (!Array.isArray(list)) throw unreadable(endpoint, 'it must contain a list');
  return list;
}

/** Returns an empty array for a record that must not grant access. */
function readMembership(record: unknown): Membership | [] {
  const fields = fieldsOf(record) ?? {};
  const { isActive, validUntil } = fields;
  const id = textOf(fields.id);
  // Without `isActive`, being in the list means active. An unreadable end may already have passed.
  if (!id || (isActive ?? true) !== true || (validUntil != null && !isTime(validUntil))) return [];
  const validFrom = isTime(fields.validFrom) ? fields.validFrom : undefined;
  return { ...fields, id, productType: textOf(fields.productType), isActive: true, validFrom };
}

function readProduct(record: unknown): Product | [] {
  const fields = fieldsOf(record) ?? {};
  const id = textOf(fields.id);
  if (!id) return [];
  const { name, slug, type } = fields;
  return { ...fields, id, name: textOf(name), slug: textOf(slug), type: textOf(type) ?? null };
}

/**
 * True for an ISO-8601 date or date-time. `Date.parse` alone accepts any string that ends with a number, and moves some
 * impossible days into the next month.
 */
function isTime(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-][\d:]+)?)?$/.test(value) &&
    Number.isFinite(Date.parse(value)) &&
    new Date(value.slice(0, 10)).toISOString().startsWith(value.slice(0, 10))
  );
}
