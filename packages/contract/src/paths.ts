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

/** Path of the hosted widget callback, which passes on the codes of `{clientId}` only. Not part of the spec. */
export const WIDGET_CALLBACK_PATH = '/widget/callback/{clientId}';
