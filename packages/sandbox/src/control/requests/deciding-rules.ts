import { ENDPOINTS } from '@latchkey/contract';
import type { EndpointName } from '@latchkey/contract/constants';
import { type Database, hashSecret, hashToken, isApiKey } from '@latchkey/server/extension';
import type { Needs } from '../../services/services.js';
import { bearerOf, type CallerHints, clientIdOf, parameterOf } from './caller-of.js';

type Services = Needs<'db' | 'clock' | 'serviceNames'>;

export interface AnsweredCall extends CallerHints {
  readonly endpoint: EndpointName;
  readonly status: number;
  /** Parsed JSON body of the response; `undefined` if there is none. */
  readonly answer: unknown;
}

/**
 * Returns the ids of the requirements that decided a response. Empty if the response alone doesn't prove a single rule,
 * and for ordinary successes.
 */
export async function rulesOf(services: Services, call: AnsweredCall): Promise<readonly string[]> {
  const rule = isApiKeyEndpoint(call.endpoint)
    ? await apiKeyRule(services, call)
    : await oauthRule(services, call);
  return rule === undefined ? [] : [rule];
}

function isApiKeyEndpoint(endpoint: EndpointName): boolean {
  return ENDPOINTS[endpoint].auth.kind === 'api-key';
}

interface Answer {
  readonly success?: unknown;
  readonly error?: unknown;
  readonly errorCode?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

function answerOf({ answer }: AnsweredCall): Answer {
  return typeof answer === 'object' && answer !== null ? answer : {};
}

/** Rules of responses that an endpoint sends for only one reason, by endpoint, status and code. */
const BY_ANSWER: Readonly<Record<string, string>> = {
  'dropSignup 409 already_exists': 'drop-signup.duplicate',
  'provisionExternal 409 conflict': 'provision.subscription-managed',
  'provisionExternal 409 already_exists': 'provision.overlap-error',
  'inviteLink 401 unauthorized': 'invite-link.not-a-member',
  'clientIdentity 404 not_found': 'client-identity.unknown-client',
  'memberships 403 insufficient_scope': 'memberships.insufficient-scope',
  'products 403 insufficient_scope': 'products.insufficient-scope',
  'revoke 401 invalid_client': 'revoke.invalid-client-no-description',
  'token 400 invalid_request': 'oauth-error.invalid-request',
  'revoke 400 invalid_request': 'oauth-error.invalid-request',
};

async function apiKeyRule(services: Services, call: AnsweredCall): Promise<string | undefined> {
  const { status, endpoint } = call;
  const { errorCode, success, data } = answerOf(call);
  if (status === 401 && errorCode === undefined) return await rejectedKeyRule(services, call);
  if (status === 403) return await forbiddenRule(services.db, call);
  if (status === 400) return 'api-key.status-validation';
  if (endpoint === 'buyPlan' && status === 201) {
    if (success === false) return 'buy-plan.missing-email';
    const isEmpty = typeof data === 'object' && data !== null && Object.keys(data).length === 0;
    return isEmpty ? 'buy-plan.unknown-plan' : undefined;
  }
  return BY_ANSWER[`${endpoint} ${status} ${String(errorCode)}`];
}

async function rejectedKeyRule(
  { db, serviceNames }: Services,
  { headers }: AnsweredCall,
): Promise<string | undefined> {
  if (headers.authorization === undefined) return 'api-key.missing-key';
  const key = bearerOf(headers);
  if (key === undefined || !isApiKey(key, serviceNames.apiKeyPrefix)) return 'api-key.malformed-key';
  const row = await db
    .selectFrom('api_keys')
    .select('revoked_at')
    .where('key_hash', '=', hashSecret(key))
    .executeTakeFirst();
  if (row === undefined) return 'api-key.unknown-key';
  return row.revoked_at === null ? undefined : 'api-key.revoked-key';
}

async function forbiddenRule(db: Database, { endpoint, headers }: AnsweredCall): Promise<string | undefined> {
  const { auth } = ENDPOINTS[endpoint];
  const row = await db
    .selectFrom('api_keys')
    .select('permissions')
    .where('key_hash', '=', hashSecret(bearerOf(headers) ?? ''))
    .executeTakeFirst();
  if (row === undefined || auth.kind !== 'api-key') return undefined;
  const granted: unknown = JSON.parse(row.permissions);
  const hasAll =
    Array.isArray(granted) && auth.permissions.every((permission) => granted.includes(permission));
  return hasAll ? 'api-key.missing-role' : 'api-key.missing-permission';
}

async function oauthRule(services: Services, call: AnsweredCall): Promise<string | undefined> {
  const { endpoint, status } = call;
  const { error, errorCode } = answerOf(call);
  if (status === 401 && error === 'invalid_token') return await invalidTokenRule(services, call);
  if (endpoint === 'token' && error === 'invalid_client') return await invalidClientRule(services.db, call);
  if (endpoint === 'token' && error === 'invalid_grant') return await invalidGrantRule(services, call);
  return BY_ANSWER[`${endpoint} ${status} ${String(error ?? errorCode)}`];
}

async function invalidTokenRule(
  { db, clock }: Services,
  { headers }: AnsweredCall,
): Promise<string | undefined> {
  const token = bearerOf(headers);
  if (token === undefined) return 'oauth-error.invalid-token-missing';
  const row = await db
    .selectFrom('token_pairs')
    .select(['access_revoked_at', 'access_expires_at'])
    .where('access_token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (row === undefined) return 'oauth-error.invalid-token-unknown';
  if (row.access_revoked_at !== null) return 'oauth-error.invalid-token-revoked';
  return row.access_expires_at <= clock.now() ? 'oauth-error.invalid-token-expired' : undefined;
}

async function invalidClientRule(db: Database, call: AnsweredCall): Promise<string | undefined> {
  const row = await db
    .selectFrom('oauth_clients')
    .select('type')
    .where('client_id', '=', clientIdOf(call) ?? '')
    .executeTakeFirst();
  if (row === undefined) return 'oauth-error.invalid-client-unknown';
  if (row.type === 'public') return 'oauth-error.invalid-client-public-secret';
  return parameterOf(call.body, 'client_secret') === undefined
    ? 'oauth-error.invalid-client-missing-secret'
    : 'oauth-error.invalid-client-wrong-secret';
}

/** Decides only if the stored row proves the reason: a code can also belong to another client or redirect URI. */
async function invalidGrantRule(
  { db, clock }: Services,
  { body }: AnsweredCall,
): Promise<string | undefined> {
  const code = parameterOf(body, 'code');
  const refreshToken = parameterOf(body, 'refresh_token');
  if (parameterOf(body, 'grant_type') === 'refresh_token') {
    const pair = await db
      .selectFrom('token_pairs')
      .select('refresh_expires_at')
      .where('refresh_token_hash', '=', hashToken(refreshToken ?? ''))
      .executeTakeFirst();
    const isExpired = pair !== undefined && pair.refresh_expires_at <= clock.now();
    return isExpired ? 'oauth-error.invalid-grant-expired' : 'token.refresh-grant';
  }
  const row = await db
    .selectFrom('authorization_codes')
    .select(['spent_at', 'expires_at'])
    .where('code_hash', '=', hashSecret(code ?? ''))
    .executeTakeFirst();
  if (row === undefined) return 'token.code-grant';
  if (row.spent_at !== null) return 'oauth-error.invalid-grant-used';
  return row.expires_at <= clock.now() ? 'oauth-error.invalid-grant-expired' : undefined;
}
