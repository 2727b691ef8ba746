/** The zod-free entry: what code that runs in a browser may take from the contract at run time. */
export {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  AUTHORIZATION_CODE_LIFETIME_SECONDS,
  INVITE_LINK_LIFETIME_SECONDS,
  MESSENGER_USER_ID_MIN,
  PKCE_MAX_LENGTH,
  PKCE_MIN_LENGTH,
  REFRESH_TOKEN_LIFETIME_SECONDS,
  STATE_MAX_LENGTH,
  UTM_SOURCE_MAX_LENGTH,
  WEBHOOK_RESPONSE_TIMEOUT_SECONDS,
  WEBHOOK_SECRET_LENGTH,
} from './limits.js';
export { OAUTH_SCOPES, type OAuthScope } from './oauth-scope.js';
export { type EndpointName, PATHS, WIDGET_CALLBACK_PATH } from './paths.js';
