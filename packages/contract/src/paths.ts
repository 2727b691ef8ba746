/** The service's paths (spec, "Endpoints"), relative to the base URL. `{name}` marks a path parameter. Zod-free. */
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

/** Name of one of the twelve endpoints. */
export type EndpointName = keyof typeof PATHS;

/** Path of the hosted widget callback; `{clientId}` is the client whose code it may hand over. Not part of the spec. */
export const WIDGET_CALLBACK_PATH = '/widget/callback/{clientId}';
