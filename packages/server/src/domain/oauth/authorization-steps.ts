import {
  isOAuthScope,
  PKCE_MAX_LENGTH,
  PKCE_MIN_LENGTH,
  parseScopeList,
  STATE_MAX_LENGTH,
} from '@latchkey/contract/constants';
import type { AuthorizationParameters } from './authorization-parameters.js';
import type { OAuthClient } from './clients.js';

/** Why an authorization request is turned away, and how: shown as 400 JSON, or told to the client by redirect. */
export type AuthorizationRefusal =
  | { answer: 'bad-request'; description: string }
  | { answer: 'redirect'; error: 'invalid_scope' };

/** Facts that the steps check. */
export interface AuthorizationFacts {
  parameters: AuthorizationParameters;
  /** The client that `client_id` names, when there is one. */
  client: OAuthClient | undefined;
}

type Verdict = AuthorizationRefusal | undefined;

/**
 * The checks of `GET /oauth/authorize`, in order; the first one that refuses answers (spec, "GET /oauth/authorize").
 * Until the redirect URI is known to be the client's nothing is redirected, and what is malformed never is.
 * A request that passes them all goes on to sign-in and consent.
 */
const AUTHORIZATION_STEPS: readonly ((facts: AuthorizationFacts) => Verdict)[] = [
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
];

/** Runs the steps and gives the first refusal. */
export function judgeAuthorization(facts: AuthorizationFacts): Verdict {
  for (const step of AUTHORIZATION_STEPS) {
    const refusal = step(facts);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function clientIdIsPresent({ parameters }: AuthorizationFacts): Verdict {
  return parameters.clientId === undefined ? badRequest('client_id is missing.') : undefined;
}

function clientIsKnown({ client }: AuthorizationFacts): Verdict {
  return client === undefined ? badRequest('client_id names no registered client.') : undefined;
}

/** Before the redirect URI is trusted, as the spec orders. */
function publicClientSendsChallenge({ parameters, client }: AuthorizationFacts): Verdict {
  return client?.type === 'public' && parameters.codeChallenge === undefined
    ? badRequest('code_challenge is missing; this client is public and must use PKCE.')
    : undefined;
}

function redirectUriIsRegistered({ parameters, client }: AuthorizationFacts): Verdict {
  if (parameters.redirectUri === undefined) return badRequest('redirect_uri is missing.');
  return client?.redirectUris.includes(parameters.redirectUri) === true
    ? undefined
    : badRequest('redirect_uri is not registered for this client; it must match exactly.');
}

function parametersAreSingle({ parameters }: AuthorizationFacts): Verdict {
  const [name] = parameters.repeated;
  return name === undefined ? undefined : badRequest(`${name} is sent more than once.`);
}

function stateIsShortEnough({ parameters }: AuthorizationFacts): Verdict {
  return (parameters.state?.length ?? 0) > STATE_MAX_LENGTH
    ? badRequest(`state has more than ${STATE_MAX_LENGTH} characters.`)
    : undefined;
}

function challengeHasLength({ parameters }: AuthorizationFacts): Verdict {
  const length = parameters.codeChallenge?.length;
  return length === undefined || (length >= PKCE_MIN_LENGTH && length <= PKCE_MAX_LENGTH)
    ? undefined
    : badRequest(`code_challenge must have ${PKCE_MIN_LENGTH} to ${PKCE_MAX_LENGTH} characters.`);
}

/** Checked without a challenge too: who asks for `plain` must not believe to be protected. */
function challengeMethodIsS256({ parameters }: AuthorizationFacts): Verdict {
  const { codeChallengeMethod = 'S256' } = parameters;
  return codeChallengeMethod === 'S256' ? undefined : badRequest('code_challenge_method must be S256.');
}

function scopeIsPresent({ parameters }: AuthorizationFacts): Verdict {
  return parseScopeList(parameters.scope ?? '').length === 0 ? badRequest('scope is missing.') : undefined;
}

function scopesAreKnownAndRegistered({ parameters, client }: AuthorizationFacts): Verdict {
  const allowed = parseScopeList(parameters.scope ?? '').every(
    (scope) => isOAuthScope(scope) && client?.scopes.includes(scope),
  );
  return allowed ? undefined : { answer: 'redirect', error: 'invalid_scope' };
}

function badRequest(description: string): AuthorizationRefusal {
  return { answer: 'bad-request', description };
}
