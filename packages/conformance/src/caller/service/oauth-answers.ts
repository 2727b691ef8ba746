import { characterCount, isOAuthScope, parseScopeList, STATE_MAX_LENGTH } from '@latchkey/contract/constants';
import type { Answer, ServiceRequest } from '../record/service-exchange.js';
import { failure, json, oauthError, success } from './answers.js';
import { SCRIPTED_IDS } from './credentials.js';
import { type Grants, matchesChallenge, type Pair, type Visitor } from './grants.js';

/** State that the OAuth endpoints need. */
export interface OAuthContext {
  readonly grants: Grants;
  visitor: Visitor;
  /** False if the callback of the widget must not pass codes on. */
  isOriginAllowed: boolean;
}

const CLIENT_IDS: readonly string[] = [SCRIPTED_IDS.confidentialClientId, SCRIPTED_IDS.publicClientId];

/** Parameters that each grant requires. */
const GRANT_PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['authorization_code', ['code', 'redirect_uri']],
  ['refresh_token', ['refresh_token']],
]);

/** `GET /oauth/authorize`: redirects with a code at once. No page asks the user. */
export function authorizeAnswer({ query }: ServiceRequest, context: OAuthContext): Answer {
  const clientId = query.get('client_id') ?? '';
  const redirectUri = query.get('redirect_uri') ?? '';
  const challenge = query.get('code_challenge') ?? undefined;
  const state = query.get('state');
  const scopes = parseScopeList(query.get('scope') ?? '');
  const isPublic = clientId === SCRIPTED_IDS.publicClientId;
  const isRefused =
    !CLIENT_IDS.includes(clientId) ||
    !URL.canParse(redirectUri) ||
    (isPublic && challenge === undefined) ||
    (challenge !== undefined && (challenge.length < 43 || challenge.length > 128)) ||
    !['S256', null].includes(query.get('code_challenge_method')) ||
    characterCount(state ?? '') > STATE_MAX_LENGTH ||
    scopes.length === 0;
  if (isRefused) return oauthError(400, 'invalid_request');
  const target = new URL(redirectUri);
  if (scopes.every(isOAuthScope)) {
    const scope = scopes.join(' ');
    const { visitor, grants } = context;
    target.searchParams.set('code', grants.issueCode({ clientId, redirectUri, challenge, scope, visitor }));
  } else target.searchParams.set('error', 'invalid_scope');
  if (state !== null) target.searchParams.set('state', state);
  return { status: 302, headers: { location: target.href }, body: '' };
}

/** `POST /oauth/token`: redeems a code or rotates a refresh token. */
export function tokenAnswer({ fields }: ServiceRequest, context: OAuthContext): Answer {
  const clientId = text(fields.client_id);
  if (clientId === '') return oauthError(400, 'invalid_request');
  if (!isAuthenticated(clientId, text(fields.client_secret))) return oauthError(401, 'invalid_client');
  if (!isComplete(fields, context)) return oauthError(400, 'invalid_request');
  const grant =
    fields.grant_type === 'refresh_token'
      ? context.grants.takeRefreshToken(text(fields.refresh_token))
      : redeemed(fields, context);
  if (grant === undefined || grant.clientId !== clientId) return oauthError(400, 'invalid_grant');
  const { clientId: owner, scope, visitor } = grant;
  return json(201, pairFields(context.grants.issuePair({ clientId: owner, scope, visitor }), context.grants));
}

/** True if the grant is known and has its parameters. An unknown grant is a malformed `grant_type`. */
function isComplete(fields: ServiceRequest['fields'], { grants }: OAuthContext): boolean {
  const required = GRANT_PARAMETERS.get(text(fields.grant_type));
  if (required === undefined) return false;
  const isPkce = grants.hasChallenge(text(fields.code));
  return [...required, ...(isPkce ? ['code_verifier'] : [])].every((name) => text(fields[name]) !== '');
}

function redeemed(fields: ServiceRequest['fields'], { grants }: OAuthContext) {
  const grant = grants.takeCode(text(fields.code));
  if (grant?.redirectUri !== text(fields.redirect_uri)) return undefined;
  const verifier = text(fields.code_verifier);
  const isProven =
    grant.challenge === undefined ? verifier === '' : matchesChallenge(verifier, grant.challenge);
  return isProven ? grant : undefined;
}

function pairFields({ access, refresh, scope }: Pair, { lifetimeSeconds }: Grants): object {
  const lifetime = { token_type: 'Bearer', expires_in: lifetimeSeconds };
  return { access_token: access, refresh_token: refresh, ...lifetime, scope };
}

/** `POST /oauth/revoke`. A public client can never revoke. */
export function revokeAnswer({ fields }: ServiceRequest, { grants }: OAuthContext): Answer {
  const secret = text(fields.client_secret);
  if (secret === '' || !isAuthenticated(text(fields.client_id), secret)) {
    return oauthError(401, 'invalid_client', null);
  }
  if (text(fields.token) === '') return oauthError(400, 'invalid_request');
  grants.revoke(text(fields.token));
  return { status: 200, headers: {}, body: '' };
}

/** Answers `userinfo`, `memberships` and `products`. */
export function resourceAnswer(request: ServiceRequest, { grants }: OAuthContext): Answer {
  const bearer = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const pair = grants.ofAccessToken(bearer);
  if (pair === undefined) return oauthError(401, 'invalid_token');
  const { sub, email, memberships } = pair.visitor;
  if (request.endpoint === 'userinfo') return json(200, { sub, email });
  const scope = `${request.endpoint}.read`;
  if (!pair.scope.split(' ').includes(scope)) return oauthError(403, 'insufficient_scope');
  return json(200, request.endpoint === 'products' ? { products: [] } : { memberships });
}

/** `GET /oauth/client/{clientId}`. */
export function clientIdentityAnswer(request: ServiceRequest, context: OAuthContext): Answer {
  const clientId = request.pathParameters.clientId ?? '';
  if (!CLIENT_IDS.includes(clientId)) return failure(404, 'not_found', request);
  const origin = request.query.has('widget_origin') ? { widgetOriginAllowed: context.isOriginAllowed } : {};
  return success(200, { clientId, name: 'Conformance', ...origin });
}

function isAuthenticated(clientId: string, secret: string): boolean {
  if (clientId === SCRIPTED_IDS.publicClientId) return secret === '';
  return clientId === SCRIPTED_IDS.confidentialClientId && secret === SCRIPTED_IDS.clientSecret;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
