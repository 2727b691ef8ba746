import { type MembershipProductType, PATHS, type SellerProductType } from '@latchkey/contract/constants';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { sendRequest } from './service-request.js';
import { isObject, successBody, unreadable } from './service-response.js';

/** Identity of the signed-in user (spec, "User identity"). */
export interface UserIdentity {
  /** Id of the user. It never changes, so use it as the key in a database. */
  sub: string;
  /** Can be null and can change, so never use it as a key. */
  email: string | null;
}

/** An active membership of the user (spec, "Membership (OAuth view)"). Unknown fields are kept. */
export interface Membership {
  id: string;
  /** Kind of product. Four values are known today; more can follow. */
  productType: MembershipProductType | (string & {});
  /** Always true, because the service lists active memberships only. */
  isActive: boolean;
  /** ISO-8601 start of the current access period. */
  validFrom: string;
  /** ISO-8601 end of the current access period. Absent or null for lifetime access. */
  validUntil?: string | null;
}

/** A product that the user sells, as opposed to one that they bought (spec, "Seller product (OAuth view)"). */
export interface Product {
  id: string;
  name: string;
  /** Last segment of the product's storefront URL. */
  slug: string;
  /** Kind of product, null for older products. Seven values are known today; more can follow. */
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
 * @throws OAuthClientError `invalid_token` when the access token is expired, revoked or unknown; and the errors of
 * every request.
 */
export async function fetchUserIdentity(
  service: OAuthService,
  request: ResourceRequest,
): Promise<UserIdentity> {
  const { endpoint, body } = await readResource(service, PATHS.userinfo, request);
  if (!isUserIdentity(body)) throw unreadable(endpoint, 'it must contain the user identity (sub, email)');
  return body;
}

/**
 * Returns all active memberships of the user (spec, "GET /oauth/memberships"). An empty list means no access.
 *
 * @throws OAuthClientError `invalid_token`; `insufficient_scope` without the scope `memberships.read`; and the errors
 * of every request.
 */
export async function fetchMemberships(
  service: OAuthService,
  request: ResourceRequest,
): Promise<Membership[]> {
  const { endpoint, body } = await readResource(service, PATHS.memberships, request);
  if (!isListOf(body.memberships, isMembership))
    throw unreadable(endpoint, 'it must contain a list of memberships');
  return body.memberships;
}

/**
 * Returns all products that the user created as a seller (spec, "GET /oauth/products").
 *
 * @throws OAuthClientError `invalid_token`; `insufficient_scope` without the scope `products.read`; and the errors of
 * every request.
 */
export async function fetchProducts(service: OAuthService, request: ResourceRequest): Promise<Product[]> {
  const { endpoint, body } = await readResource(service, PATHS.products, request);
  if (!isListOf(body.products, isProduct)) throw unreadable(endpoint, 'it must contain a list of products');
  return body.products;
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
