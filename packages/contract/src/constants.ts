// Browser code imports this entry, so none of these modules may import zod.

export {
  DEFAULT_SERVICE_NAMES,
  messengerUserIdNameOf,
  type ServiceNames,
  type ServiceNamesOption,
  type WebhookHeaders,
  webhookHeadersOf,
  withServiceNames,
} from './names/service-names.js';
export { readWidgetState, type WidgetStateContent } from './oauth/widget-state.js';
export {
  type EndpointName,
  type EndpointPaths,
  PATHS,
  pathsOf,
  SITE_CALLBACK_PATH,
  WIDGET_CALLBACK_PATH,
} from './paths.js';
export {
  type EnvelopeErrorCode,
  OAUTH_ERROR_CODES,
  OAUTH_SERVER_ERROR,
  type OAuthErrorCode,
} from './shapes/error-code.js';
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
export {
  formatScopeList,
  isOAuthScope,
  OAUTH_SCOPES,
  type OAuthScope,
  parseScopeList,
} from './shapes/oauth-scope.js';
export { PERMISSIONS, type Permission, SELECTABLE_PERMISSIONS } from './shapes/permission.js';
export {
  MEMBERSHIP_PRODUCT_TYPES,
  type MembershipProductType,
  SELLER_PRODUCT_TYPES,
  type SellerProductType,
} from './shapes/product-type.js';
export { formatTimestamp, parseTimestamp } from './shapes/timestamp.js';
export { WEBHOOK_EVENT_TYPES, type WebhookEventType } from './webhooks/event-type.js';
export { WEBHOOK_HEADERS } from './webhooks/signature-headers.js';
