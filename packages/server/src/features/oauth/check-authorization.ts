import {
  characterCount,
  isOAuthScope,
  type OAuthScope,
  PKCE_MAX_LENGTH,
  PKCE_MIN_LENGTH,
  parseScopeList,
  readWidgetState,
  STATE_MAX_LENGTH,
} from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { parseWebOrigin } from '../../platform/http/web-origin.js';
import { requestedLanguage } from '../../platform/language/negotiation.js';
import { hostedCallbackOf } from '../clients/client.resource.js';
import { findClient, type OAuthClient } from '../clients/clients.js';

interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
  /**
   * Origin that receives the code: the origin of the redirect URI or, for the hosted callback, of the page that opened
   * the popup. `undefined` if the state has no origin; the hosted callback then sends the code nowhere.
   */
  receiver: string | undefined;
  ownOrigins: readonly string[];
  scopes: readonly OAuthScope[];
  state: string | undefined;
  codeChallenge: string | undefined;
  /** The user must choose an account, even if one is signed in. An address that repeats the request doesn't ask. */
  asksForAccount: boolean;
  /** Parameters of the request, to build an address that repeats it. */
  query: Readonly<Record<string, string>>;
  /** What the service's own callback page gets with the response: the language of the request. */
  callbackQuery: Readonly<Record<string, string>>;
}

export type CheckedAuthorization =
  | { kind: 'valid'; request: AuthorizationRequest }
  | {
      kind: 'rejected';
      rejection: AuthorizationRejection;
      parameters: AuthorizationParameters;
      client: OAuthClient | undefined;
    };

/** Reads and checks an authorization request. The authorize endpoint, the consent page and its form share the checks. */
export async function checkAuthorization(
  { db, baseUrl }: { readonly db: Database; readonly baseUrl: string },
  query: URLSearchParams,
): Promise<CheckedAuthorization> {
  const parameters = readAuthorizationParameters(query);
  const { clientId, redirectUri, scope = '', state, codeChallenge } = parameters;
  const client = clientId === undefined ? undefined : await findClient(db, clientId);
  const rejection = findRejection({
    parameters,
    client,
    hostedCallback: hostedCallbackOf(baseUrl, clientId ?? ''),
  });
  if (rejection !== undefined) return { kind: 'rejected', rejection, parameters, client };
  if (client === undefined || redirectUri === undefined) {
    throw new Error('The authorization steps accepted a request without a client or a redirect URI.');
  }
  return {
    kind: 'valid',
    request: {
      client,
      redirectUri,
      receiver: receiverOf(parameters, hostedCallbackOf(baseUrl, client.clientId)),
      ownOrigins: [...client.widgetOrigins, ...client.redirectUris.map((uri) => new URL(uri).origin)],
      scopes: parseScopeList(scope).filter(isOAuthScope),
      state,
      codeChallenge,
      asksForAccount: parameters.asksForAccount,
      query: parameters.query,
      callbackQuery: redirectUri === hostedCallbackOf(baseUrl, client.clientId) ? parameters.language : {},
    },
  };
}

function receiverOf({ redirectUri = '', state = '' }: AuthorizationParameters, hostedCallback: string) {
  if (redirectUri !== hostedCallback) return new URL(redirectUri).origin;
  const origin = readWidgetState(state)?.origin;
  return typeof origin === 'string' ? parseWebOrigin(origin) : undefined;
}

const NAMES = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** A parameter without a value counts as omitted (RFC 6749 section 3.1). Unknown ones are ignored. */
function readAuthorizationParameters(query: URLSearchParams) {
  const sent = NAMES.filter((name) => query.get(name)).map((name) => [name, query.get(name)]);
  const values: Partial<Record<(typeof NAMES)[number], string>> = Object.fromEntries(sent);
  const requested = requestedLanguage(query);
  const language: Readonly<Record<string, string>> = requested === undefined ? {} : { ui_locales: requested };
  return {
    clientId: values.client_id,
    redirectUri: values.redirect_uri,
    scope: values.scope,
    state: values.state,
    codeChallenge: values.code_challenge,
    codeChallengeMethod: values.code_challenge_method,
    // `prompt` comes from OpenID Connect. Other values are ignored, like any parameter that the spec doesn't list.
    asksForAccount: query.getAll('prompt').some((prompt) => prompt.split(' ').includes('select_account')),
    query: { ...values, ...language },
    language,
    /** Parameters that the request repeats, which RFC 6749 section 3.1 forbids. `response_type` isn't validated. */
    repeated: NAMES.filter((name) => query.getAll(name).length > 1),
  };
}

export type AuthorizationParameters = ReturnType<typeof readAuthorizationParameters>;

/** Setting that an operator or the client's owner has to change. */
export type WrongSetting = 'client id' | 'redirect URIs';

export type AuthorizationRejection =
  /** The service sends 400 JSON with the description. */
  | { kind: 'bad-request'; description: string; setting?: WrongSetting }
  /** The service redirects the browser to the client with the error. */
  | { kind: 'redirect'; error: 'invalid_scope' | 'access_denied' };

export interface AuthorizationFacts {
  parameters: AuthorizationParameters;
  client: OAuthClient | undefined;
  hostedCallback: string;
}

type StepResult = AuthorizationRejection | undefined;

/**
 * Checks of an authorization request, in the order of the spec ("GET /oauth/authorize"). The first failed check decides
 * the response. A request that passes all checks continues with sign-in and consent.
 *
 * A malformed request is never redirected. Neither is a request with a redirect URI that isn't registered for the
 * client.
 */
const AUTHORIZATION_STEPS: readonly ((facts: AuthorizationFacts) => StepResult)[] = [
  clientIdIsPresent,
  clientIsKnown,
  publicClientSendsChallenge,
  redirectUriIsRegistered,
  parametersAreSingle,
  stateIsShortEnough,
  challengeHasLength,
  challengeMethodIsS256,
  scopeIsPresent,
  scopesAreKnownAndRegistered,
  pageMayReceiveCode,
];

function findRejection(facts: AuthorizationFacts): StepResult {
  for (const step of AUTHORIZATION_STEPS) {
    const rejection = step(facts);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

function clientIdIsPresent({ parameters }: AuthorizationFacts): StepResult {
  return parameters.clientId === undefined ? badRequest('client_id is missing.') : undefined;
}

function clientIsKnown({ client }: AuthorizationFacts): StepResult {
  return client === undefined ? badRequest('client_id names no registered client.', 'client id') : undefined;
}

/** Runs before the check of the redirect URI, so this rejection is never a redirect (spec). */
function publicClientSendsChallenge({ parameters, client }: AuthorizationFacts): StepResult {
  return client?.type === 'public' && parameters.codeChallenge === undefined
    ? badRequest('code_challenge is missing; this client is public and must use PKCE.')
    : undefined;
}

function redirectUriIsRegistered({ parameters, client }: AuthorizationFacts): StepResult {
  if (parameters.redirectUri === undefined) return badRequest('redirect_uri is missing.');
  return client?.redirectUris.includes(parameters.redirectUri) === true
    ? undefined
    : badRequest('redirect_uri is not registered for this client; it must match exactly.', 'redirect URIs');
}

function parametersAreSingle({ parameters }: AuthorizationFacts): StepResult {
  const [name] = parameters.repeated;
  return name === undefined ? undefined : badRequest(`${name} is sent more than once.`);
}

function stateIsShortEnough({ parameters }: AuthorizationFacts): StepResult {
  return characterCount(parameters.state ?? '') > STATE_MAX_LENGTH
    ? badRequest(`state has more than ${STATE_MAX_LENGTH} characters.`)
    : undefined;
}

function challengeHasLength({ parameters }: AuthorizationFacts): StepResult {
  const length = parameters.codeChallenge?.length;
  return length === undefined || (length >= PKCE_MIN_LENGTH && length <= PKCE_MAX_LENGTH)
    ? undefined
    : badRequest(`code_challenge must have ${PKCE_MIN_LENGTH} to ${PKCE_MAX_LENGTH} characters.`);
}

/** Runs even without a challenge: a client that asked for `plain` would wrongly assume that PKCE was active. */
function challengeMethodIsS256({ parameters }: AuthorizationFacts): StepResult {
  const { codeChallengeMethod = 'S256' } = parameters;
  return codeChallengeMethod === 'S256' ? undefined : badRequest('code_challenge_method must be S256.');
}

function scopeIsPresent({ parameters }: AuthorizationFacts): StepResult {
  return parseScopeList(parameters.scope ?? '').length === 0 ? badRequest('scope is missing.') : undefined;
}

function scopesAreKnownAndRegistered({ parameters, client }: AuthorizationFacts): StepResult {
  const allowed = parseScopeList(parameters.scope ?? '').every(
    (scope) => isOAuthScope(scope) && client?.scopes.includes(scope),
  );
  return allowed ? undefined : { kind: 'redirect', error: 'invalid_scope' };
}

/**
 * At the hosted callback, the origin in the widget's state must be one of the client's web origins. The check runs
 * before sign-in and consent, so the page that opened the popup learns nothing about the visitor. The callback page
 * explains the error.
 *
 * A state without an origin passes: the callback page then sends the response to no page.
 */
function pageMayReceiveCode({ parameters, client, hostedCallback }: AuthorizationFacts): StepResult {
  if (parameters.redirectUri !== hostedCallback) return undefined;
  const origin = readWidgetState(parameters.state ?? '')?.origin;
  if (origin === undefined) return undefined;
  const allowed = typeof origin === 'string' && client?.widgetOrigins.includes(parseWebOrigin(origin) ?? '');
  return allowed === true ? undefined : { kind: 'redirect', error: 'access_denied' };
}

function badRequest(description: string, setting?: WrongSetting): AuthorizationRejection {
  return { kind: 'bad-request', description, ...(setting !== undefined && { setting }) };
}
