import * as z from 'zod';
import {
  buyPlanBody,
  buyPlanResponseSchemas,
  inviteLinkPath,
  inviteLinkResponseSchemas,
} from './api-key/checkout.js';
import { dropSignupBody, dropSignupResponseSchemas } from './api-key/drop-signup.js';
import {
  checkMessengerPath,
  checkMessengerPathOf,
  checkMessengerResponseSchemas,
  provisionExternalBody,
  provisionExternalBodyOf,
  provisionExternalResponseSchemas,
} from './api-key/membership.js';
import {
  type EndpointName,
  messengerUserIdNameOf,
  PATHS,
  pathsOf,
  type ServiceNames,
} from './names/service-names.js';
import { authorizationRequestQuery, revokeRequestBody, tokenRequestBody } from './oauth/requests.js';
import {
  clientIdentityPath,
  clientIdentityQuery,
  clientIdentityResponseSchemas,
  membershipListSchemas,
  oauthErrorSchemas,
  productListSchemas,
  revokeInvalidClientSchemas,
  tokenPairSchemas,
  userIdentitySchemas,
} from './oauth/responses.js';
import { envelopeFailureSchemas, rejectionSchemas } from './shapes/envelope.js';
import type { ResponseSchemas } from './shapes/response-schemas.js';
import type { OAuthScope, Permission } from './shapes/values.js';

/** Authentication that an endpoint requires (spec, "Authentication"). */
export type EndpointAuth =
  /** `Authorization: Bearer svc_…` with a key that has all permissions. `communityRole`: also OWNER or ADMIN there. */
  | { kind: 'api-key'; permissions: readonly Permission[]; communityRole: boolean }
  /** Client credentials in the body (`client_secret_post`). */
  | { kind: 'client-credentials' }
  /** `Authorization: Bearer` with an access token that has the scope. */
  | { kind: 'access-token'; scope?: OAuthScope }
  /** No credentials. At authorize, the user signs in with the browser. */
  | { kind: 'none' };

/** A row of {@link ENDPOINTS}. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Relative to the base URL. `{name}` marks a path parameter. */
  readonly path: string;
  readonly auth: EndpointAuth;
  readonly request: { readonly path?: z.ZodType; readonly query?: z.ZodType; readonly body?: z.ZodType };
  /** `body` is null for a redirect and for an empty 200. */
  readonly success: { readonly status: 200 | 201 | 302; readonly body: ResponseSchemas | null };
  /** Response bodies of the spec's failures, by status. */
  readonly failures: Readonly<Record<number, ResponseSchemas>>;
}

/** Parsed type of a part of a request, or `undefined` if the endpoint has no such part. */
export type RequestPart<E extends Endpoint, Part extends keyof Endpoint['request']> =
  E['request'] extends Readonly<Record<Part, infer Schema extends z.ZodType>> ? z.output<Schema> : undefined;

/** Type of `data` in an endpoint's success envelope. */
export type SuccessData<E extends Endpoint> =
  E['success']['body'] extends ResponseSchemas<infer Strict> ? DataOf<z.output<Strict>> : never;

type DataOf<Body> = Body extends { success: true; data: infer Data } ? Data : never;

const apiKeyFailures = {
  400: rejectionSchemas,
  401: rejectionSchemas,
  403: rejectionSchemas,
  404: envelopeFailureSchemas(['not_found']),
  500: envelopeFailureSchemas(['internal_server_error']),
};

/** Only the invite link also returns a 401 as an envelope: the buyer isn't a member. */
const notAMember = envelopeFailureSchemas(['unauthorized']);

const invalidRequest = oauthErrorSchemas(['invalid_request']);
const invalidToken = oauthErrorSchemas(['invalid_token']);

/** The twelve endpoints of the service (spec, "Endpoints"): five with an API key, seven of OAuth. */
export const ENDPOINTS = {
  provisionExternal: {
    method: 'POST',
    path: PATHS.provisionExternal,
    auth: { kind: 'api-key', permissions: ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION'], communityRole: true },
    request: { body: provisionExternalBody },
    success: { status: 200, body: provisionExternalResponseSchemas },
    failures: { ...apiKeyFailures, 409: envelopeFailureSchemas(['already_exists', 'conflict']) },
  },
  inviteLink: {
    method: 'GET',
    path: PATHS.inviteLink,
    auth: { kind: 'api-key', permissions: ['MEMBERSHIP_WRITE'], communityRole: false },
    request: { path: inviteLinkPath },
    success: { status: 200, body: inviteLinkResponseSchemas },
    failures: {
      ...apiKeyFailures,
      401: {
        strict: z.union([rejectionSchemas.strict, notAMember.strict]),
        loose: notAMember.loose,
      },
    },
  },
  checkMessenger: {
    method: 'GET',
    path: PATHS.checkMessenger,
    auth: { kind: 'api-key', permissions: ['MEMBERSHIP_READ'], communityRole: true },
    request: { path: checkMessengerPath },
    success: { status: 200, body: checkMessengerResponseSchemas },
    failures: apiKeyFailures,
  },
  buyPlan: {
    method: 'POST',
    path: PATHS.buyPlan,
    auth: { kind: 'api-key', permissions: ['CHECKOUT_WRITE'], communityRole: true },
    request: { body: buyPlanBody },
    success: { status: 201, body: buyPlanResponseSchemas },
    // 503: the service has no payment provider.
    failures: { ...apiKeyFailures, 503: envelopeFailureSchemas(['service_unavailable']) },
  },
  dropSignup: {
    method: 'POST',
    path: PATHS.dropSignup,
    auth: { kind: 'api-key', permissions: ['DROP_NOTIFICATION_WRITE'], communityRole: true },
    request: { body: dropSignupBody },
    success: { status: 201, body: dropSignupResponseSchemas },
    failures: { ...apiKeyFailures, 409: envelopeFailureSchemas(['already_exists', 'conflict']) },
  },
  authorize: {
    method: 'GET',
    path: PATHS.authorize,
    auth: { kind: 'none' },
    request: { query: authorizationRequestQuery },
    success: { status: 302, body: null },
    failures: { 400: invalidRequest },
  },
  token: {
    method: 'POST',
    path: PATHS.token,
    auth: { kind: 'client-credentials' },
    request: { body: tokenRequestBody },
    success: { status: 201, body: tokenPairSchemas },
    failures: {
      400: oauthErrorSchemas(['invalid_request', 'invalid_grant']),
      401: oauthErrorSchemas(['invalid_client']),
    },
  },
  revoke: {
    method: 'POST',
    path: PATHS.revoke,
    auth: { kind: 'client-credentials' },
    request: { body: revokeRequestBody },
    success: { status: 200, body: null },
    failures: { 400: invalidRequest, 401: revokeInvalidClientSchemas },
  },
  userinfo: {
    method: 'GET',
    path: PATHS.userinfo,
    auth: { kind: 'access-token' },
    request: {},
    success: { status: 200, body: userIdentitySchemas },
    failures: { 401: invalidToken },
  },
  memberships: {
    method: 'GET',
    path: PATHS.memberships,
    auth: { kind: 'access-token', scope: 'memberships.read' },
    request: {},
    success: { status: 200, body: membershipListSchemas },
    failures: { 401: invalidToken, 403: oauthErrorSchemas(['insufficient_scope']) },
  },
  products: {
    method: 'GET',
    path: PATHS.products,
    auth: { kind: 'access-token', scope: 'products.read' },
    request: {},
    success: { status: 200, body: productListSchemas },
    failures: { 401: invalidToken, 403: oauthErrorSchemas(['insufficient_scope']) },
  },
  clientIdentity: {
    method: 'GET',
    path: PATHS.clientIdentity,
    auth: { kind: 'none' },
    request: { path: clientIdentityPath, query: clientIdentityQuery },
    success: { status: 200, body: clientIdentityResponseSchemas },
    failures: { 404: envelopeFailureSchemas(['not_found']) },
  },
} as const satisfies Record<EndpointName, Endpoint>;

/** The endpoints, with the names of one service. */
export type Endpoints = {
  readonly [Name in EndpointName]: Omit<(typeof ENDPOINTS)[Name], 'path'> & { readonly path: string };
};

/**
 * Returns the endpoints with the names of a service: its paths, and its field for a messenger account. Parsed requests
 * are the same whatever the names are.
 */
export function endpointsOf(names: ServiceNames): Endpoints {
  const paths = pathsOf(names);
  const messengerField = messengerUserIdNameOf(names);
  const { inviteLink, checkMessenger, provisionExternal } = ENDPOINTS;
  return {
    ...ENDPOINTS,
    inviteLink: { ...inviteLink, path: paths.inviteLink },
    checkMessenger: {
      ...checkMessenger,
      path: paths.checkMessenger,
      // Input types differ in the name of a field. The output, which handlers read, is the same.
      request: { path: checkMessengerPathOf(messengerField) as typeof checkMessengerPath },
    },
    provisionExternal: {
      ...provisionExternal,
      request: { body: provisionExternalBodyOf(messengerField) as typeof provisionExternalBody },
    },
  };
}
