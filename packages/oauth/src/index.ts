export {
  type AuthorizationRequest,
  authorizationUrl,
  createPkcePair,
  createState,
  decodeWidgetState,
  encodeWidgetState,
  type PkcePair,
  readAuthorizationResponse,
  type WidgetState,
} from './authorization.js';
export {
  type ClientIdentity,
  type ClientIdentityRequest,
  checkClient,
  fetchClientIdentity,
} from './client-identity.js';
export { limitAnswers } from './limited-answers.js';
export {
  isOAuthClientError,
  OAuthClientError,
  type OAuthClientErrorCode,
  type OAuthClientErrorDetails,
} from './oauth-client-error.js';
export { type Clock, hostedCallbackUrl, type OAuthService } from './oauth-service.js';
export {
  fetchMemberships,
  fetchProducts,
  fetchUserIdentity,
  type Membership,
  type Product,
  type ResourceRequest,
  type UserIdentity,
} from './resources.js';
export {
  type CodeExchange,
  exchangeCode,
  refreshTokenSet,
  revokeToken,
  type TokenRefresh,
  type TokenRevocation,
  type TokenSet,
} from './token-endpoint.js';
