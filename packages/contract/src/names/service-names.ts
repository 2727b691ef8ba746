/**
 * A service's own names, for which the spec has placeholders: `svc_` and `X-Svc-` stand for prefixes with the service's
 * name, and `messenger` in paths and a field stands for a messaging product.
 */
export interface ServiceNames {
  /**
   * Prefix of API keys: letters, digits and `-`, then `_`.
   * @default 'svc_'
   */
  readonly apiKeyPrefix: string;
  /**
   * Prefix of the webhook headers: letters, digits and `-`, ending with `-`.
   * @default 'X-Svc-'
   */
  readonly headerPrefix: string;
  /**
   * Name of the messenger in paths (`check-{name}`, `join-{name}-community-external`) and in the field `{name}UserId`:
   * lower-case letters and digits.
   * @default 'messenger'
   */
  readonly messenger: string;
}

/** The option `serviceNames`. Names that aren't set are the spec's. */
export type ServiceNamesOption = { readonly [Name in keyof ServiceNames]?: string | undefined };

/** The spec's placeholders. */
export const DEFAULT_SERVICE_NAMES: ServiceNames = {
  apiKeyPrefix: 'svc_',
  headerPrefix: 'X-Svc-',
  messenger: 'messenger',
};

/** Names of the headers of a webhook delivery (spec, "Events", 3). HTTP header names are case-insensitive. */
export interface WebhookHeaders {
  /** Signature of the raw body: HMAC-SHA256, with the 64 characters of the secret as the key. */
  readonly signature: string;
  /** The event type. Branch on it. */
  readonly eventType: string;
  /** The event id, the same for all deliveries and retries of an event. Deduplicate on it. */
  readonly eventId: string;
}

export function webhookHeadersOf({ headerPrefix }: Pick<ServiceNames, 'headerPrefix'>): WebhookHeaders {
  return {
    signature: `${headerPrefix}Signature`,
    eventType: `${headerPrefix}Event-Type`,
    eventId: `${headerPrefix}Event-Id`,
  };
}

/** Returns the name of the field and path parameter with a messenger account: `messengerUserId`. */
export function messengerUserIdNameOf({ messenger }: Pick<ServiceNames, 'messenger'>): string {
  return `${messenger}UserId`;
}

/**
 * Replaces the spec's placeholders in text for people: `svc_`, `X-Svc-`, `messengerUserId`, `check-messenger` and
 * `join-messenger-`. The word "messenger" in prose stays.
 */
export function withServiceNames(text: string, names: ServiceNames): string {
  return text.replaceAll(
    /\bsvc_|\bX-Svc-|\bmessengerUserId\b|\b(check|join)-messenger\b/g,
    (standIn, verb: string | undefined) => {
      if (verb !== undefined) return `${verb}-${names.messenger}`;
      if (standIn === 'svc_') return names.apiKeyPrefix;
      return standIn === 'X-Svc-' ? names.headerPrefix : messengerUserIdNameOf(names);
    },
  );
}

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

/** Paths by endpoint, with the names of one service. */
export type EndpointPaths = Readonly<Record<EndpointName, string>>;

/** Returns the paths with the names of a service. Two of them contain the name of its messenger. */
export function pathsOf(names: Pick<ServiceNames, 'messenger'>): EndpointPaths {
  return {
    ...PATHS,
    inviteLink: `/membership/join-${names.messenger}-community-external/{externalId}`,
    checkMessenger: `/membership/check-${names.messenger}/{communityId}/{${messengerUserIdNameOf(names)}}`,
  };
}

/** Path of the hosted widget callback, which only passes on codes of `{clientId}`. Not part of the spec. */
export const WIDGET_CALLBACK_PATH = '/widget/callback/{clientId}';

/** Default path of the widget's callback page on a site that doesn't load the script from the service. Not part of the spec. */
export const SITE_CALLBACK_PATH = '/latchkey/callback.html';

/**
 * Headers of a webhook delivery, with the spec's names (spec, "Events", 3). The annotation lets bundlers leave the call
 * out of pages.
 */
export const WEBHOOK_HEADERS = /* @__PURE__ */ webhookHeadersOf(DEFAULT_SERVICE_NAMES);
