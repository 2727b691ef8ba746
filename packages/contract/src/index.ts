export { checkoutSessionSchemas } from './checkout/buy-plan.js';
export { type DropSlotInfo, dropSignupSchemas, dropSlotSchemas } from './drops/drop-signup.js';
export {
  ENDPOINTS,
  type Endpoint,
  type Endpoints,
  endpointsOf,
  type RequestPart,
  type SuccessData,
} from './endpoints.js';
export { messengerCheckSchemas } from './membership/check-messenger.js';
export { inviteLinkSchemas } from './membership/invite-link.js';
export {
  ON_OVERLAP_VALUES,
  PROVISION_STATUSES,
  type ProvisionExternalCommand,
  type ProvisionExternalRequest,
  type ProvisionedMembership,
  provisionedMembershipSchemas,
} from './membership/provision-external.js';
export { serviceNamesOption } from './names/service-names-schema.js';
export { authorizationCodeQuery, authorizationErrorQuery } from './oauth/authorization-request.js';
export { type ClientCredentials, clientCredentialsBody } from './oauth/client-credentials.js';
export { type ClientIdentity, clientIdentitySchemas } from './oauth/client-identity.js';
export { type Membership, membershipSchemas } from './oauth/membership.js';
export { oauthErrorSchemas } from './oauth/oauth-error.js';
export { type Product, productSchemas } from './oauth/product.js';
export { revokedTokenBody } from './oauth/revoke-request.js';
export { type TokenPair, tokenPairSchemas } from './oauth/token-pair.js';
export { type TokenGrant, tokenGrantBody } from './oauth/token-request.js';
export { type UserIdentity, userIdentitySchemas } from './oauth/userinfo.js';
export { envelopeFailureSchemas } from './shapes/envelope.js';
export { rejectionSchemas } from './shapes/rejection.js';
export { emailField, uuidField } from './shapes/request-fields.js';
export type { Emitted, Received } from './shapes/response-schemas.js';
export {
  anyWebhookEventSchemas,
  type ReceivedWebhookEvent,
  type WebhookEvent,
  webhookEnvelopeSchemas,
  webhookEventSchemas,
  webhookHeaderSchemas,
} from './webhooks/event.js';
