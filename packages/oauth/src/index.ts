export { readAuthorizationResponse } from './authorization-response.js';
export { type AuthorizationRequest, authorizationUrl } from './authorization-url.js';
export {
  type ClientIdentity,
  type ClientIdentityRequest,
  checkClient,
  fetchClientIdentity,
} from './client-identity.js';
export type { Clock } from './clock.js';
export { type CodeExchange, exchangeCode } from './code-exchange.js';
export { limitAnswers } from './limited-answers.js';
export {
  isOAuthClientError,
  OAuthClientError,
  type OAuthClientErrorCode,
  type OAuthClientErrorDetails,
} from './oauth-client-error.js';
export { hostedCallbackUrl, type OAuthService } from './oauth-service.js';
export { createPkcePair, type PkcePair } from './pkce.js';
export {
  fetchMemberships,
  fetchProducts,
  fetchUserIdentity,
  type Membership,
  type Product,
  type ResourceRequest,
  type UserIdentity,
} from './resources.js';
export { createState, decodeWidgetState, encodeWidgetState, type WidgetState } from './state.js';
export { refreshTokenSet, type TokenRefresh } from './token-refresh.js';
export { revokeToken, type TokenRevocation } from './token-revocation.js';
export type { TokenSet } from './token-set.js';
