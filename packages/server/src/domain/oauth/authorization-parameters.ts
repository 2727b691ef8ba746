/** Parameters of an authorization request, unchecked. */
export interface AuthorizationParameters {
  clientId: string | undefined;
  redirectUri: string | undefined;
  scope: string | undefined;
  state: string | undefined;
  codeChallenge: string | undefined;
  codeChallengeMethod: string | undefined;
  /** Names of the parameters that the request repeats. RFC 6749 section 3.1 forbids that. `response_type` is not validated. */
  repeated: readonly string[];
}

const NAMES = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** Reads the parameters. A parameter without a value counts as omitted (RFC 6749 section 3.1). Unknown ones are ignored. */
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

/** Returns the parameters as a query for an address that repeats the request. */
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
