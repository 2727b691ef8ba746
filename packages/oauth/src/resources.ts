import { type MembershipProductType, PATHS, type SellerProductType } from '@latchkey/contract/constants';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { isObject, sendRequest, successBody, unreadable } from './service-request.js';

/** Who signed in (spec, "User identity"). */
export interface UserIdentity {
  /** Stable; the key to store. */
  sub: string;
  /** May be null, and may change; never a key. */
  email: string | null;
}

/** An active membership of the user (spec, "Membership (OAuth view)"). Fields unknown today pass through. */
export interface Membership {
  id: string;
  /** One of the four known kinds; the set can grow. */
  productType: MembershipProductType | (string & {});
  /** Always true here: the service lists active memberships only. */
  isActive: boolean;
  /** ISO-8601 start of the current access period. */
  validFrom: string;
  /** ISO-8601 end; absent or null for lifetime access. */
  validUntil?: string | null;
}

/** A product that the user sells, not one they bought (spec, "Seller product (OAuth view)"). */
export interface Product {
  id: string;
  name: string;
  /** Storefront URL slug. */
  slug: string;
  /** One of the seven known kinds, null for older products; the set can grow. */
  type: SellerProductType | (string & {}) | null;
}

/** What reading a resource takes. */
export interface ResourceRequest {
  accessToken: string;
  signal?: AbortSignal | undefined;
}

/**
 * Tells who the access token's user is (spec, "GET /oauth/userinfo"). Needs no scope.
 *
 * @throws OAuthClientError `invalid_token` when the access token is expired, revoked or unknown; and those of every
 * request.
 */
export async function fetchUserIdentity(
  service: OAuthService,
  request: ResourceRequest,
): Promise<UserIdentity> {
  const { endpoint, body } = await readResource(service, PATHS.userinfo, request);
  if (!isUserIdentity(body)) throw unreadable(endpoint, 'it is not a user identity (sub, email)');
  return body;
}

/**
 * Lists the user's active memberships, all of them; none means no access now (spec, "GET /oauth/memberships").
 *
 * @throws OAuthClientError `invalid_token`; `insufficient_scope` without the scope `memberships.read`; and those of
 * every request.
 */
export async function fetchMemberships(
  service: OAuthService,
  request: ResourceRequest,
): Promise<Membership[]> {
  const { endpoint, body } = await readResource(service, PATHS.memberships, request);
  if (!isListOf(body.memberships, isMembership))
    throw unreadable(endpoint, 'it is not a list of memberships');
  return body.memberships;
}

/**
 * Lists the products that the user created as a seller, all of them (spec, "GET /oauth/products").
 *
 * @throws OAuthClientError `invalid_token`; `insufficient_scope` without the scope `products.read`; and those of every
 * request.
 */
export async function fetchProducts(service: OAuthService, request: ResourceRequest): Promise<Product[]> {
  const { endpoint, body } = await readResource(service, PATHS.products, request);
  if (!isListOf(body.products, isProduct)) throw unreadable(endpoint, 'it is not a list of products');
  return body.products;
}

async function readResource(
  service: OAuthService,
  path: string,
  request: ResourceRequest,
): Promise<{ endpoint: string; body: Record<string, unknown> }> {
  const endpoint = endpointUrl(service, path);
  return { endpoint, body: successBody(await sendRequest(service, { ...request, endpoint })) };
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is Item[] {
  return Array.isArray(value) && value.every(isItem);
}

function isUserIdentity(value: unknown): value is UserIdentity {
  return isObject(value) && isText(value.sub) && value.sub !== '' && isTextOrNull(value.email);
}

function isMembership(value: unknown): value is Membership {
  return (
    isObject(value) &&
    [value.id, value.productType, value.validFrom].every(isText) &&
    typeof value.isActive === 'boolean' &&
    isTextOrNull(value.validUntil ?? null)
  );
}

function isProduct(value: unknown): value is Product {
  return isObject(value) && [value.id, value.name, value.slug].every(isText) && isTextOrNull(value.type);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}
