export { checkoutSessionSchemas, inviteLinkSchemas } from './api-key/checkout.js';
export { type DropSlotInfo, dropSignupSchemas, dropSlotSchemas } from './api-key/drop-signup.js';
export {
  messengerCheckSchemas,
  ON_OVERLAP_VALUES,
  PROVISION_STATUSES,
  type ProvisionExternalCommand,
  type ProvisionExternalRequest,
  type ProvisionedMembership,
  provisionedMembershipSchemas,
} from './api-key/membership.js';
export * from './endpoints.js';
export {
  authorizationCodeQuery,
  authorizationErrorQuery,
  type ClientCredentials,
  clientCredentialsBody,
  revokedTokenBody,
  type TokenGrant,
  tokenGrantBody,
} from './oauth/requests.js';
export {
  type ClientIdentity,
  clientIdentitySchemas,
  type Membership,
  membershipSchemas,
  oauthErrorSchemas,
  type Product,
  productSchemas,
  type TokenPair,
  tokenPairSchemas,
  type UserIdentity,
  userIdentitySchemas,
} from './oauth/responses.js';
export { envelopeFailureSchemas, rejectionSchemas } from './shapes/envelope.js';
export { comparableEmail, emailField, serviceNamesOption, uuidField } from './shapes/request-fields.js';
export type { Emitted, Received } from './shapes/response-schemas.js';
export * from './webhooks/event.js';
