export {
  type BuyPlanCommand,
  type BuyPlanRequest,
  buyPlanBody,
  buyPlanResponseViews,
  type CheckoutSession,
  checkoutSessionViews,
} from './checkout/buy-plan.js';
export {
  type DropSignup,
  type DropSignupCommand,
  type DropSignupRequest,
  type DropSlotInfo,
  dropSignupBody,
  dropSignupResponseViews,
  dropSignupViews,
  dropSlotViews,
  type ReceivedDropSignup,
} from './drops/drop-signup.js';
export {
  ENDPOINTS,
  type Endpoint,
  type EndpointAuth,
  type RequestPart,
  type SuccessData,
} from './endpoints.js';
export {
  anyEnvelopeFailureViews,
  type EnvelopeFailure,
  envelopeFailureViews,
  envelopeViews,
  type ReceivedEnvelope,
} from './envelope.js';
export {
  ENVELOPE_ERROR_CODES,
  type EnvelopeErrorCode,
  OAUTH_ERROR_CODES,
  OAUTH_SERVER_ERROR,
  type OAuthErrorCode,
} from './error-code.js';
export {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  AUTHORIZATION_CODE_LIFETIME_SECONDS,
  EMAIL_MAX_LENGTH,
  EXTERNAL_ID_MAX_LENGTH,
  INTEGER_MAX,
  INVITE_LINK_LIFETIME_SECONDS,
  MESSENGER_USER_ID_MIN,
  PKCE_MAX_LENGTH,
  PKCE_MIN_LENGTH,
  REFRESH_TOKEN_LIFETIME_SECONDS,
  REQUEST_BODY_MAX_BYTES,
  STATE_MAX_LENGTH,
  URL_MAX_LENGTH,
  UTM_SOURCE_MAX_LENGTH,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  WEBHOOK_SECRET_LENGTH,
} from './limits.js';
export {
  checkMessengerPath,
  checkMessengerResponseViews,
  type MessengerCheck,
  messengerCheckViews,
  type ReceivedMessengerCheck,
} from './membership/check-messenger.js';
export {
  type InviteLink,
  inviteLinkPath,
  inviteLinkResponseViews,
  inviteLinkViews,
} from './membership/invite-link.js';
export {
  ON_OVERLAP_VALUES,
  PROVISION_STATUSES,
  type ProvisionExternalCommand,
  type ProvisionExternalRequest,
  type ProvisionedMembership,
  provisionExternalBody,
  provisionExternalResponseViews,
  provisionedMembershipViews,
  type ReceivedProvisionedMembership,
} from './membership/provision-external.js';
export {
  type AuthorizationRequest,
  authorizationCodeQuery,
  authorizationErrorQuery,
  authorizationRequestQuery,
} from './oauth/authorization-request.js';
export {
  type ClientCredentials,
  clientCredentialsBody,
  omitEmptyParameters,
} from './oauth/client-credentials.js';
export {
  type ClientIdentity,
  clientIdentityPath,
  clientIdentityQuery,
  clientIdentityResponseViews,
  clientIdentityViews,
  type ReceivedClientIdentity,
} from './oauth/client-identity.js';
export {
  type Membership,
  membershipListViews,
  membershipViews,
  type ReceivedMembership,
} from './oauth/membership.js';
export {
  anyOAuthErrorViews,
  type OAuthErrorBody,
  oauthErrorViews,
  type ReceivedOAuthError,
  revokeInvalidClientViews,
} from './oauth/oauth-error.js';
export { type Product, productListViews, productViews, type ReceivedProduct } from './oauth/product.js';
export { type RevokeRequest, revokedTokenBody, revokeRequestBody } from './oauth/revoke-request.js';
export { type TokenPair, tokenPairViews } from './oauth/token-pair.js';
export {
  type TokenGrant,
  type TokenRequest,
  tokenGrantBody,
  tokenRequestBody,
} from './oauth/token-request.js';
export { type UserIdentity, userIdentityViews } from './oauth/userinfo.js';
export {
  formatScopeList,
  isOAuthScope,
  OAUTH_SCOPES,
  type OAuthScope,
  parseScopeList,
} from './oauth-scope.js';
export { type EndpointName, PATHS, WIDGET_CALLBACK_PATH } from './paths.js';
export { PERMISSIONS, type Permission, SELECTABLE_PERMISSIONS } from './permission.js';
export {
  MEMBERSHIP_PRODUCT_TYPES,
  type MembershipProductType,
  SELLER_PRODUCT_TYPES,
  type SellerProductType,
} from './product-type.js';
export { type Rejection, rejectionViews } from './rejection.js';
export { emailField, uuidField, webUrlField } from './request-fields.js';
export type { Requirement, RequirementSide, RequirementSurface } from './requirements/requirement.js';
export { REQUIREMENTS, type RequirementId } from './requirements.js';
export type { Emitted, Received, Views } from './response-views.js';
export { formatTimestamp, parseTimestamp } from './timestamp.js';
export {
  anyWebhookEventViews,
  type ReceivedWebhookEvent,
  type WebhookEvent,
  webhookEnvelopeViews,
  webhookEventViews,
  webhookHeaderViews,
} from './webhooks/event.js';
export { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhooks/event-type.js';
export { WEBHOOK_HEADERS } from './webhooks/signature-headers.js';
