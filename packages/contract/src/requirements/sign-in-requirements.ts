import { requirementRows } from './requirement.js';

/** Rules for OAuth 2.0: clients, the seven endpoints, credentials, errors. */
export const signInRequirements = requirementRows('sign-in', {
  'What the service does': {
    server: {
      'general.seven-oauth-endpoints': 'The OAuth surface exposes exactly seven endpoints.',
      'general.grants-supported': 'The only grants are authorization_code and refresh_token.',
      'general.no-openid-connect':
        'There is no OpenID Connect: no id_token, no discovery document, no key set.',
    },
    caller: {
      'general.widget-is-public-client': 'A browser uses the login widget, a public client without a secret.',
    },
  },
  'Resources and their fields': {
    server: {
      'credentials.client-id-format': 'Client ids are `oac_` followed by 24 hex characters.',
      'credentials.client-secret-format': 'Client secrets are `ocs_` followed by 48 hex characters.',
    },
    caller: {
      'credentials.opaque-tokens': 'A client does not parse tokens and authorization codes.',
    },
  },
  'Resources and their fields / OAuth error body (bare JSON)': {
    server: {
      'oauth-error.bare-body': 'An OAuth error is bare JSON with the string `error`, without envelope keys.',
      'oauth-error.description':
        '`error_description` is a string. Only revoke `invalid_client` and redirects have none.',
    },
  },
  'Resources and their fields / Token pair': {
    server: {
      'token.pair-access-token': 'The token pair contains `access_token`, an opaque string.',
      'token.pair-refresh-token': 'The token pair contains `refresh_token`, an opaque string.',
      'token.pair-token-type': '`token_type` is `Bearer`.',
      'token.pair-expires-in': '`expires_in` is the integer 3600, in seconds.',
      'token.pair-scope': '`scope` lists the granted scopes, separated by spaces.',
    },
  },
  'Resources and their fields / User identity (userinfo)': {
    server: {
      'userinfo.sub': '`sub` is a stable uuid that identifies the user.',
      'userinfo.email-nullable': '`email` is a string or null.',
    },
    caller: {
      'userinfo.sub-is-the-key': 'A client stores `sub` as the key of a user, never `email`.',
    },
  },
  'Resources and their fields / Membership (OAuth view)': {
    server: {
      'memberships.id': 'A membership contains `id`, a uuid.',
      'memberships.product-type': '`productType` is community, digital_product, clipping_campaign or agency.',
      'memberships.is-active-true': '`isActive` is always true in this view.',
      'memberships.valid-from': '`validFrom` is the ISO-8601 start of the current access period.',
      'memberships.valid-until': '`validUntil` is ISO-8601, and absent or null for lifetime access.',
    },
  },
  'Resources and their fields / Seller product (OAuth view)': {
    server: {
      'products.id': 'A product contains `id`, a uuid.',
      'products.name': 'A product contains `name`, its display name.',
      'products.slug': 'A product contains `slug`, its storefront URL slug.',
      'products.type':
        '`type` is ebook, course, video, audio, document, consultation, other, or null for older products.',
    },
  },
  'Resources and their fields / OAuth client public identity (inside data)': {
    server: {
      'client-identity.client-id': 'The identity contains `clientId`.',
      'client-identity.name': 'The identity contains `name`.',
      'client-identity.description': 'The identity contains `description` if it is set.',
      'client-identity.logo-url': 'The identity contains `logoUrl` if it is set.',
      'client-identity.unset-keys-omitted': 'Unset keys are omitted rather than null.',
      'client-identity.widget-origin-allowed-presence':
        '`widgetOriginAllowed` is present only if the `widget_origin` parameter was sent.',
    },
  },
  'States and transitions / OAuth credentials': {
    server: {
      'credentials.code-lifetime': 'An authorization code is valid for 60 seconds.',
      'credentials.code-single-use': 'An authorization code can be redeemed once.',
      'credentials.access-token-lifetime': 'An access token is valid for one hour.',
      'credentials.refresh-revokes-access-token':
        'Refreshing a pair revokes the old access token immediately.',
      'credentials.revoked-access-token-dies-at-once': 'Revoking an access token takes effect immediately.',
      'credentials.refresh-token-lifetime': 'A refresh token is valid for 30 days.',
      'credentials.refresh-sliding-window': 'Each refresh issues a pair with a new 30-day window.',
      'credentials.refresh-rotates': 'A refresh revokes the old refresh token and issues a new pair.',
      'credentials.refresh-replay-invalid-grant': 'A refresh token that was used before gives invalid_grant.',
      'credentials.refresh-replay-no-cascade':
        'A refresh token that was used before changes nothing else: no cascade revocation.',
      'credentials.revoked-refresh-token': 'A revoked refresh token can no longer be used.',
    },
  },
  'Endpoints / OAuth endpoints': {
    server: {
      'oauth-error.bare-json-endpoints':
        'Token, revoke, userinfo, memberships and products return bare JSON.',
      'client-identity.envelope': 'Client identity is the only OAuth endpoint that uses the envelope.',
    },
  },
  'Endpoints / GET /oauth/authorize': {
    server: {
      'authorize.user-authenticates': 'No credential is needed: the user authenticates in the browser.',
      'authorize.response-type-ignored':
        '`response_type` is optional and not validated; the flow is always authorization code.',
      'authorize.client-id-required': '`client_id` is required.',
      'authorize.redirect-uri-required': '`redirect_uri` is required.',
      'authorize.redirect-uri-exact': '`redirect_uri` must exactly match a registered redirect URI.',
      'authorize.scope-separators': '`scope` is separated by spaces or commas.',
      'authorize.scope-values': '`scope` accepts memberships.read and products.read.',
      'authorize.scope-required': 'A missing `scope` gives 400 JSON invalid_request, not redirected.',
      'authorize.state-optional': '`state` is optional.',
      'authorize.state-echoed': '`state` is returned unchanged.',
      'authorize.state-max-length':
        'A `state` over 1024 characters gives 400 JSON invalid_request, not redirected.',
      'authorize.challenge-length':
        'A `code_challenge` outside 43 to 128 characters gives 400 JSON invalid_request, not redirected.',
      'authorize.challenge-optional-confidential': '`code_challenge` is optional for confidential clients.',
      'authorize.challenge-required-public':
        'A public client without `code_challenge` gets 400 JSON invalid_request, not redirected.',
      'authorize.challenge-checked-before-redirect-uri':
        'The challenge of a public client is required before the redirect URI is checked.',
      'authorize.method-s256-only':
        'A `code_challenge_method` other than S256, `plain` included, gives 400 JSON invalid_request.',
      'authorize.method-assumed-s256': 'S256 is the default method of a challenge.',
      'authorize.success-redirect':
        'Success is a 302 to `redirect_uri` with `code` and `state` in the query.',
      'authorize.declined':
        'A user who declines is redirected to `redirect_uri` with error=access_denied and the state.',
      'authorize.unknown-scope':
        'An unknown scope is a 302 to `redirect_uri` with error=invalid_scope and the state.',
      'authorize.unknown-client': 'An unknown `client_id` gives 400 JSON, not redirected.',
      'authorize.unregistered-redirect-uri': 'An unregistered `redirect_uri` gives 400 JSON, not redirected.',
      'authorize.error-redirect-parameters': 'Redirected errors contain `error` and `state` only.',
    },
    caller: {
      'authorize.challenge-derivation': '`code_challenge` is base64url(SHA-256(code_verifier)).',
      'authorize.state-verified': 'A client rejects a response whose `state` is not the one it sent.',
    },
  },
  'Endpoints / POST /oauth/token': {
    server: {
      'token.json-body': 'The token endpoint accepts application/json.',
      'token.form-body': 'The token endpoint accepts application/x-www-form-urlencoded.',
      'token.basic-header-not-read': 'The Authorization: Basic header is not read.',
      'token.basic-client-invalid-request':
        'A client that sends its id only in a Basic header gets 400 invalid_request.',
      'token.basic-client-invalid-client':
        'A client that sends its id in the body and its secret only in a Basic header gets 401 invalid_client.',
      'token.grant-type-required': '`grant_type` is required.',
      'token.grant-type-values': '`grant_type` is authorization_code or refresh_token.',
      'token.client-id-required': '`client_id` is required.',
      'token.client-secret-confidential': 'A confidential client must send its `client_secret`.',
      'token.public-secret-refused': 'A public client that sends a `client_secret` gets invalid_client.',
      'token.code-required': '`code` is required with authorization_code.',
      'token.redirect-uri-required': '`redirect_uri` is required with authorization_code.',
      'token.redirect-uri-same': '`redirect_uri` must be the value sent to authorize.',
      'token.verifier-required':
        '`code_verifier` is required if the authorization request contained a challenge.',
      'token.verifier-length': '`code_verifier` has 43 to 128 characters.',
      'token.verifier-matches': 'A `code_verifier` that does not match the challenge gives invalid_grant.',
      'token.refresh-token-required': '`refresh_token` is required with the refresh_token grant.',
      'token.success-created': 'Success is a 201 with the token pair.',
      'token.code-grant': 'A valid, unexpired code with its verifier is redeemed for a token pair.',
      'token.refresh-grant': 'An unused, unrevoked, unexpired refresh token gives a new token pair.',
      'token.error-status': 'invalid_client is a 401, every other error a 400.',
    },
    caller: {
      'token.client-secret-post': 'A client sends its credentials in the body, never in a Basic header.',
      'token.accept-created': 'A client accepts the 201 of the token endpoint as success.',
    },
  },
  'Endpoints / POST /oauth/revoke': {
    server: {
      'revoke.client-id-required': '`client_id` is required, in the body.',
      'revoke.client-secret-required': '`client_secret` is required, in the body.',
      'revoke.public-never-succeeds': 'A public client can never revoke, whatever secret it sends.',
      'revoke.token-required': '`token` is required.',
      'revoke.access-token': '`token` can be an access token.',
      'revoke.refresh-token': '`token` can be a refresh token.',
      'revoke.token-type-hint': '`token_type_hint` is optional: access_token or refresh_token.',
      'revoke.invalid-client-no-description':
        'Bad or missing client credentials give 401 with `error` invalid_client and no `error_description`.',
      'revoke.success-empty': 'Success is a 200 with an empty body.',
      'revoke.unknown-token-succeeds': 'An unknown token also gives 200.',
    },
    caller: {
      'revoke.public-forgets-locally':
        'A public client signs out by deleting its tokens, because it cannot revoke.',
    },
  },
  'Endpoints / GET /oauth/userinfo': {
    server: {
      'userinfo.bearer': 'userinfo requires a bearer access token.',
      'userinfo.no-scope': 'userinfo requires no scope.',
      'userinfo.returns-identity': 'userinfo returns the user identity.',
      'userinfo.invalid-token': 'userinfo returns 401 invalid_token for an invalid token.',
    },
  },
  'Endpoints / GET /oauth/memberships': {
    server: {
      'memberships.bearer': 'memberships requires a bearer access token.',
      'memberships.scope': 'memberships requires the scope memberships.read.',
      'memberships.list-shape': 'The response is an object with the array `memberships`.',
      'memberships.active-only': 'Only currently active memberships are listed.',
      'memberships.empty-means-no-access': 'An empty array means no access now.',
      'memberships.not-paginated': 'The list is complete, not paginated.',
      'memberships.invalid-token': 'memberships returns 401 invalid_token for an invalid token.',
      'memberships.insufficient-scope':
        'memberships returns 403 insufficient_scope for a token without memberships.read.',
    },
  },
  'Endpoints / GET /oauth/products': {
    server: {
      'products.bearer': 'products requires a bearer access token.',
      'products.scope': 'products requires the scope products.read.',
      'products.list-shape': 'The response is an object with the array `products`.',
      'products.created-not-purchased':
        'The list contains the products that the user created as a seller, not purchases.',
      'products.not-paginated': 'The list is complete, not paginated.',
      'products.invalid-token': 'products returns 401 invalid_token for an invalid token.',
      'products.insufficient-scope':
        'products returns 403 insufficient_scope for a token without products.read.',
    },
  },
  'Endpoints / GET /oauth/client/{clientId}': {
    server: {
      'client-identity.public': 'Client identity requires no authentication.',
      'client-identity.success-envelope': 'Success is an envelope with `data` and without `errorCode`.',
      'client-identity.widget-origin':
        'The `widget_origin` parameter adds `widgetOriginAllowed`: true if that origin may receive a code.',
      'client-identity.unknown-client':
        'An unknown client gives 404 with `success` false, errorCode not_found, a `message` and no `data`.',
    },
    caller: {
      'client-identity.widget-origin-sender': 'Only the login widget callback sends `widget_origin`.',
      'client-identity.origin-must-be-allowed':
        'The widget callback sends a code only to an origin for which `widgetOriginAllowed` is true.',
    },
  },
  'Authentication / OAuth 2.0 (sign-in)': {
    server: {
      'credentials.registered-redirect-uris':
        'A client registers its redirect URIs; only those are accepted.',
      'credentials.registered-scopes': 'A client registers the scopes that it may request.',
      'credentials.registered-widget-origins':
        'A client registers the web origins on which its widget may run.',
      'credentials.client-secret-issued':
        'Registration returns a `client_id`, and to confidential clients a `client_secret`, shown once.',
      'credentials.client-type-changeable': 'The type of a client can be changed later.',
      'oauth-error.no-www-authenticate': 'No WWW-Authenticate header is sent on 401 and 403.',
    },
    caller: {
      'oauth-error.branch-on-error': 'A client branches on the status and `error`.',
    },
  },
  'Errors / OAuth errors': {
    server: {
      'oauth-error.invalid-request':
        'A required parameter that is missing or malformed gives 400 invalid_request at token, revoke, authorize.',
      'oauth-error.invalid-client-unknown': 'An unknown client gives 401 invalid_client at token and revoke.',
      'oauth-error.invalid-client-wrong-secret':
        'A wrong secret gives 401 invalid_client at token and revoke.',
      'oauth-error.invalid-client-missing-secret':
        'A confidential client without its secret gets 401 invalid_client.',
      'oauth-error.invalid-client-public-secret': 'A public client with a secret gets 401 invalid_client.',
      'oauth-error.invalid-grant-expired': 'An expired code or refresh token gives 400 invalid_grant.',
      'oauth-error.invalid-grant-used': 'A used code or refresh token gives 400 invalid_grant.',
      'oauth-error.invalid-grant-revoked': 'A revoked refresh token gives 400 invalid_grant.',
      'oauth-error.invalid-grant-verifier': 'A `code_verifier` that does not match gives 400 invalid_grant.',
      'oauth-error.invalid-scope-redirect-only': 'invalid_scope is sent by redirect only.',
      'oauth-error.access-denied-redirect-only': 'access_denied is sent by redirect only.',
      'oauth-error.invalid-token-missing': 'A missing access token gives 401 invalid_token.',
      'oauth-error.invalid-token-expired': 'An expired access token gives 401 invalid_token.',
      'oauth-error.invalid-token-revoked': 'A revoked access token gives 401 invalid_token.',
      'oauth-error.invalid-token-unknown': 'An unknown access token gives 401 invalid_token.',
      'oauth-error.insufficient-scope': 'A valid token without the scope gives 403 insufficient_scope.',
    },
  },
});
