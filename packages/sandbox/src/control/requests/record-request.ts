import { ENDPOINTS } from '@latchkey/contract';
import { type EndpointName, formatTimestamp, type ServiceNames } from '@latchkey/contract/constants';
import type { Clock } from '@latchkey/server';
import { type Database, hashSecret, hashToken } from '@latchkey/server/extension';
import type { Request, Response } from 'express';
import { bearerOf, type Caller, type CallerHints, callerOf, clientIdOf, parameterOf } from './caller-of.js';
import { type ArrivingBody, type BodyCopy, copyAnswer, headerText } from './capture-body.js';
import type { FindEndpoint } from './endpoint-of.js';
import { type RawRequest, rawRequestOf } from './raw-request.js';
import type { ExchangeRedactor } from './redact-exchange.js';
import { redactHeaders } from './redact-headers.js';
import type { LoggedRequest } from './request-log.js';

/** Answer of an endpoint. */
interface AnsweredCall extends CallerHints {
  readonly endpoint: EndpointName;
  readonly status: number;
  /** Parsed JSON body of the answer; `undefined` if there is none. */
  readonly answer: unknown;
}

interface Needs {
  readonly db: Database;
  readonly now: number;
  readonly names: Pick<ServiceNames, 'apiKeyPrefix'>;
}

/**
 * Returns the ids of the requirements that decided an answer. Empty where the answer alone does not prove a single rule,
 * and for ordinary successes.
 */
async function rulesOf(needs: Needs, call: AnsweredCall): Promise<readonly string[]> {
  const rule = isApiKeyEndpoint(call.endpoint) ? await apiKeyRule(needs, call) : await oauthRule(needs, call);
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

/** Rules of answers that one endpoint gives for one reason, by endpoint, status and code. */
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

async function apiKeyRule({ db, names }: Needs, call: AnsweredCall): Promise<string | undefined> {
  const { status, endpoint } = call;
  const { errorCode, success, data } = answerOf(call);
  if (status === 401 && errorCode === undefined) return await rejectedKeyRule({ db, names }, call);
  if (status === 403) return await forbiddenRule(db, call);
  if (status === 400) return 'api-key.status-validation';
  if (endpoint === 'buyPlan' && status === 201) {
    if (success === false) return 'buy-plan.missing-email';
    const isEmpty = typeof data === 'object' && data !== null && Object.keys(data).length === 0;
    return isEmpty ? 'buy-plan.unknown-plan' : undefined;
  }
  return BY_ANSWER[`${endpoint} ${status} ${String(errorCode)}`];
}

async function rejectedKeyRule(
  { db, names }: Pick<Needs, 'db' | 'names'>,
  { headers }: AnsweredCall,
): Promise<string | undefined> {
  if (headers.authorization === undefined) return 'api-key.missing-key';
  const key = bearerOf(headers);
  if (key === undefined || !isApiKey(key, names)) return 'api-key.malformed-key';
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

async function oauthRule(needs: Needs, call: AnsweredCall): Promise<string | undefined> {
  const { endpoint, status } = call;
  const { error, errorCode } = answerOf(call);
  if (status === 401 && error === 'invalid_token') return await invalidTokenRule(needs, call);
  if (endpoint === 'token' && error === 'invalid_client') return await invalidClientRule(needs.db, call);
  if (endpoint === 'token' && error === 'invalid_grant') return await invalidGrantRule(needs, call);
  return BY_ANSWER[`${endpoint} ${status} ${String(error ?? errorCode)}`];
}

async function invalidTokenRule({ db, now }: Needs, { headers }: AnsweredCall): Promise<string | undefined> {
  const token = bearerOf(headers);
  if (token === undefined) return 'oauth-error.invalid-token-missing';
  const row = await db
    .selectFrom('token_pairs')
    .select(['access_revoked_at', 'access_expires_at'])
    .where('access_token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (row === undefined) return 'oauth-error.invalid-token-unknown';
  if (row.access_revoked_at !== null) return 'oauth-error.invalid-token-revoked';
  return row.access_expires_at <= now ? 'oauth-error.invalid-token-expired' : undefined;
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

/** Decides only where the stored row proves the reason: a code can also belong to another client or redirect URI. */
async function invalidGrantRule({ db, now }: Needs, { body }: AnsweredCall): Promise<string | undefined> {
  const code = parameterOf(body, 'code');
  const refreshToken = parameterOf(body, 'refresh_token');
  if (parameterOf(body, 'grant_type') === 'refresh_token') {
    const pair = await db
      .selectFrom('token_pairs')
      .select('refresh_expires_at')
      .where('refresh_token_hash', '=', hashToken(refreshToken ?? ''))
      .executeTakeFirst();
    const isExpired = pair !== undefined && pair.refresh_expires_at <= now;
    return isExpired ? 'oauth-error.invalid-grant-expired' : 'token.refresh-grant';
  }
  const row = await db
    .selectFrom('authorization_codes')
    .select(['spent_at', 'expires_at'])
    .where('code_hash', '=', hashSecret(code ?? ''))
    .executeTakeFirst();
  if (row === undefined) return 'token.code-grant';
  if (row.spent_at !== null) return 'oauth-error.invalid-grant-used';
  return row.expires_at <= now ? 'oauth-error.invalid-grant-expired' : undefined;
}

function isApiKey(text: string, { apiKeyPrefix }: Pick<ServiceNames, 'apiKeyPrefix'>): boolean {
  return text.startsWith(apiKeyPrefix) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(apiKeyPrefix.length));
}

export interface RecordNeeds {
  readonly db: Database;
  /** Clock of the service. */
  readonly clock: Clock;
  /** Clock that the service's clock runs ahead of. */
  readonly realClock: Clock;
  readonly findEndpoint: FindEndpoint;
  readonly redactor: ExchangeRedactor;
  readonly names: ServiceNames;
}

/** Request under way. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly body: ArrivingBody;
  /** Times of both clocks in milliseconds since the epoch, and of the timer of durations. */
  readonly started: { readonly service: number; readonly real: number; readonly timer: number };
  /** Id of the fault that changes this call. */
  fault: string | null;
}

/** Receives the entry of a request, and the request as it arrived. */
export type RecordDone = (entry: Omit<LoggedRequest, 'id' | 'replayOf'>, raw: RawRequest) => void;

/** Calls `done` with the entry of a request, once its response has ended. */
export function recordRequest(needs: RecordNeeds, exchange: Exchange, done: RecordDone): void {
  const { request, response, started } = exchange;
  const answer = copyAnswer(response);
  response.once('close', () => {
    const facts = {
      serviceTime: formatTimestamp(started.service),
      realTime: formatTimestamp(started.real),
      method: request.method,
      durationMs: Math.round((performance.now() - started.timer) * 10) / 10,
      answered: response.writableFinished,
      fault: exchange.fault,
      status: answer.isEnded() ? response.statusCode : null,
    };
    void describe(needs, exchange, answer.copy).then((described) =>
      done({ ...facts, ...described }, rawRequestOf(request, exchange.body.copy.read())),
    );
  });
}

async function describe(needs: RecordNeeds, exchange: Exchange, answer: BodyCopy) {
  const { findEndpoint, redactor } = needs;
  const { request, response, body } = exchange;
  const endpoint = findEndpoint(request.path);
  const location = response.getHeader('Location');
  const type = headerText(response.getHeaders(), 'content-type');
  return {
    path: redactor.url(request.originalUrl),
    endpoint: endpoint ?? null,
    ...(await findFacts(needs, exchange, { endpoint, answer })),
    authorization: schemeOf(request),
    requestHeaders: redactHeaders(request.headers, redactor),
    responseHeaders: redactHeaders(response.getHeaders(), redactor),
    requestBody:
      body.copy.bytes === 0 ? null : redactor.body(body.copy.read(), request.get('Content-Type') ?? ''),
    // Pages are left out: they show codes and secrets in text that has no fields.
    responseBody: answer.bytes > 0 && JSON_TYPE.test(type) ? redactor.body(answer.read(), type) : null,
    location: location === undefined ? null : redactor.url(String(location)),
  };
}

const JSON_TYPE = /^application\/json\b/i;

/** Reads from the database who called, and which rule decided. Both are left out if the sandbox is closing. */
async function findFacts(
  { db, clock, names }: RecordNeeds,
  { request, response, body, fault }: Exchange,
  { endpoint, answer }: { endpoint: EndpointName | undefined; answer: BodyCopy },
): Promise<{ caller: Caller | null; requirements: readonly string[] }> {
  const hints = {
    headers: request.headers,
    url: request.originalUrl,
    body: body.copy.read().kept.toString('utf8'),
  };
  try {
    const caller = (await callerOf(db, hints)) ?? null;
    if (endpoint === undefined || fault !== null) return { caller, requirements: [] };
    const call = { ...hints, endpoint, status: response.statusCode, answer: jsonOf(answer) };
    return { caller, requirements: await rulesOf({ db, now: clock.now(), names }, call) };
  } catch {
    return { caller: null, requirements: [] };
  }
}

function jsonOf(copy: BodyCopy): unknown {
  try {
    return JSON.parse(copy.read().kept.toString('utf8'));
  } catch {
    return undefined;
  }
}

function schemeOf(request: Request): string | null {
  const scheme = /^(bearer|basic)(?= |$)/i.exec(request.get('Authorization') ?? '')?.[1]?.toLowerCase();
  if (scheme === undefined) return request.get('Authorization') === undefined ? null : 'other';
  return scheme === 'bearer' ? 'Bearer' : 'Basic';
}
