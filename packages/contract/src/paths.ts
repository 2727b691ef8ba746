import { messengerUserIdNameOf, type ServiceNames } from './names/service-names.js';

/** Paths of the endpoints, relative to the base URL (spec, "Endpoints"). `{name}` marks a path parameter. */
export const PATHS = {
  provisionExternal: '/membership/provision-external',
  inviteLink: '/membership/join-messenger-community-external/{externalId}',
  checkMessenger: '/membership/check-messenger/{communityId}/{messengerUserId}',
  buyPlan: '/api/checkout/buy-plan',
  dropSignup: '/api/drop-notification/signup',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  userinfo: '/oauth/userinfo',
  memberships: '/oauth/memberships',
  products: '/oauth/products',
  clientIdentity: '/oauth/client/{clientId}',
} as const;

/** Key of an endpoint in `PATHS` and `ENDPOINTS`. */
export type EndpointName = keyof typeof PATHS;

/** Paths by endpoint, under the names of one service. */
export type EndpointPaths = Readonly<Record<EndpointName, string>>;

/** Returns the paths under the names of a service. Two of them contain the name of its messenger. */
export function pathsOf(names: Pick<ServiceNames, 'messenger'>): EndpointPaths {
  return {
    ...PATHS,
    inviteLink: `/membership/join-${names.messenger}-community-external/{externalId}`,
    checkMessenger: `/membership/check-${names.messenger}/{communityId}/{${messengerUserIdNameOf(names)}}`,
  };
}

/** Path of the hosted widget callback, which passes on the codes of `{clientId}` only. Not part of the spec. */
export const WIDGET_CALLBACK_PATH = '/widget/callback/{clientId}';

/** Default path of the widget's callback page on a site whose script does not come from the service. Not part of the spec. */
export const SITE_CALLBACK_PATH = '/latchkey/callback.html';
