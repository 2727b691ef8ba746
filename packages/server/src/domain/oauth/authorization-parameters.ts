/** The parameters of an authorization request as they came, before any check. */
export interface AuthorizationParameters {
  clientId: string | undefined;
  redirectUri: string | undefined;
  scope: string | undefined;
  state: string | undefined;
  codeChallenge: string | undefined;
  codeChallengeMethod: string | undefined;
  /** Names of the parameters that came more than once (RFC 6749 section 3.1 forbids it). */
  repeated: readonly string[];
}

const NAMES = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'response_type',
] as const;

/** Reads the parameters. One without a value counts as omitted (RFC 6749 section 3.1); unknown ones are ignored. */
export function readAuthorizationParameters(query: URLSearchParams): AuthorizationParameters {
  const read = (name: (typeof NAMES)[number]) => query.get(name) || undefined;
  return {
    clientId: read('client_id'),
    redirectUri: read('redirect_uri'),
    scope: read('scope'),
    state: read('state'),
    codeChallenge: read('code_challenge'),
    codeChallengeMethod: read('code_challenge_method'),
    repeated: NAMES.filter((name) => query.getAll(name).length > 1),
  };
}

/** Writes the parameters back, as a query that asks for the same. */
export function writeAuthorizationParameters(parameters: AuthorizationParameters): Record<string, string> {
  const { clientId, redirectUri, scope, state, codeChallenge, codeChallengeMethod } = parameters;
  const values = {
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: codeChallengeMethod,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
