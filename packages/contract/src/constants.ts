// Browser code imports this entry, so none of these modules may import zod.

export {
  DEFAULT_SERVICE_NAMES,
  type EndpointName,
  type EndpointPaths,
  messengerUserIdNameOf,
  PATHS,
  pathsOf,
  type ServiceNames,
  type ServiceNamesOption,
  SITE_CALLBACK_PATH,
  WEBHOOK_HEADERS,
  type WebhookHeaders,
  WIDGET_CALLBACK_PATH,
  webhookHeadersOf,
  withServiceNames,
} from './names/service-names.js';
export { readWidgetState, type WidgetStateContent } from './oauth/widget-state.js';
export {
  ACCESS_TOKEN_LIFETIME_SECONDS,
  AUTHORIZATION_CODE_LIFETIME_SECONDS,
  characterCount,
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
} from './shapes/limits.js';
export { answerForm, type NetworkFailure, networkFailureOf } from './shapes/network-failure.js';
export { formatTimestamp, parseTimestamp } from './shapes/timestamp.js';
export {
  type EnvelopeErrorCode,
  formatScopeList,
  isOAuthScope,
  MEMBERSHIP_PRODUCT_TYPES,
  type MembershipProductType,
  OAUTH_ERROR_CODES,
  OAUTH_SCOPES,
  OAUTH_SERVER_ERROR,
  type OAuthErrorCode,
  type OAuthScope,
  PERMISSIONS,
  type Permission,
  parseScopeList,
  SELECTABLE_PERMISSIONS,
  SELLER_PRODUCT_TYPES,
  type SellerProductType,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from './shapes/values.js';
export {
  comparableId,
  DAY_MS,
  docsUrl,
  escapeHtml,
  HOUR_MS,
  isError,
  isLoopback,
  isPrefetch,
  UUID,
} from './shapes/without-zod.js';
