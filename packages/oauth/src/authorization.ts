import { characterCount, PATHS, readWidgetState, STATE_MAX_LENGTH } from '@latchkey/contract/constants';
import {
  AuthorizationResponseError,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi';
import { misconfigured, OAuthClientError } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';

/** Proves that whoever redeems a code is the client that requested it (RFC 7636). */
export interface PkcePair {
  /** Secret of one sign-in, 43 characters. Sent only in the code exchange. */
  codeVerifier: string;
  /** base64url(SHA-256(codeVerifier)), 43 characters. Sent in the authorization request. */
  codeChallenge: string;
}

/**
 * Creates the PKCE pair for one sign-in.
 *
 * @throws OAuthClientError `insecure_context` on a page served over plain http from a host other than loopback.
 */
export async function createPkcePair(): Promise<PkcePair> {
  if (!globalThis.crypto?.subtle) {
    throw new OAuthClientError(
      'insecure_context',
      'Signing in needs crypto.subtle, which only https and localhost have.',
    );
  }
  const codeVerifier = generateRandomCodeVerifier();
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
  // The library's function rejects the digest in jsdom, where it's the ArrayBuffer of another realm.
  return { codeVerifier, codeChallenge: encodeBase64Url(new Uint8Array(digest)) };
}

/** Content of the popup flow's `state`. Anyone can write a state, so don't trust either field. */
export interface WidgetState {
  /** Random text that only the requesting page knows. {@link createState} creates it. */
  nonce: string;
  /** Origin of the requesting page, in the form of `location.origin`. */
  origin: string;
}

/** Creates a random `state`, or a nonce for one: 256 bits as 43 characters (RFC 6749 section 10.12). */
export function createState(): string {
  return generateRandomState();
}

/**
 * Encodes the `state` of the popup flow: base64url of the UTF-8 JSON `{"n": nonce, "o": origin}`.
 *
 * @throws OAuthClientError `invalid_configuration` when `origin` isn't an http(s) origin (a page opened as a file has
 * none), or when the result exceeds 1024 characters, the maximum length of `state`.
 */
export function encodeWidgetState({ nonce, origin }: WidgetState): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ n: nonce, o: origin }));
  const state = encodeBase64Url(bytes);
  if (state.length > STATE_MAX_LENGTH || !isWebOrigin(origin)) {
    throw misconfigured(`Signing in needs an http(s) origin; got "${origin.slice(0, 100)}".`);
  }
  return state;
}

/**
 * Decodes the `state` of the popup flow. Returns `undefined` for anything that {@link encodeWidgetState} couldn't have
 * written.
 */
export function decodeWidgetState(state: string): WidgetState | undefined {
  const { nonce, origin } = readWidgetState(state) ?? {};
  return typeof nonce === 'string' && nonce !== '' && isWebOrigin(origin) ? { nonce, origin } : undefined;
}

/** base64url without padding (RFC 4648 section 5). */
function encodeBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** True if the value is exactly an origin. It becomes a `targetOrigin`, and the service compares it with a list. */
function isWebOrigin(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^https?:/.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value
  );
}

/** Parameters of an authorization request (spec, "GET /oauth/authorize"). */
export interface AuthorizationRequest {
  /** Must equal one of the client's registered redirect URIs. */
  redirectUri: string;
  /** At least one of `memberships.read` and `products.read`. */
  scopes: readonly string[];
  /** Comes back with the authorization response. At most 1024 characters. */
  state: string;
  /** From the pair that {@link createPkcePair} returns. */
  codeChallenge: string;
  /**
   * True to let the user choose an account even if they are signed in at the service. Sent as OpenID Connect's
   * `prompt`, which isn't part of the spec: a service that doesn't know it ignores it.
   * @default false
   */
  selectAccount?: boolean | undefined;
  /**
   * Language to ask the service's pages for: a tag such as `de` or `pt-BR`, as in HTML. Sent as OpenID Connect's
   * `ui_locales`, which isn't part of the spec: a service that doesn't know it ignores it.
   * @default the language that the browser prefers
   */
  lang?: string | undefined;
}

/**
 * Builds the URL of the sign-in page. It's synchronous and sends no request, so you can call `window.open` in the same
 * click.
 *
 * @throws OAuthClientError `invalid_configuration` when an option is invalid, there is no scope, or `state` is empty or
 * too long.
 */
export function authorizationUrl(service: OAuthService, request: AuthorizationRequest): string {
  const { redirectUri, scopes, state, codeChallenge, selectAccount, lang } = request;
  const endpoint = endpointUrl(service, PATHS.authorize);
  if (scopes.length === 0) throw misconfigured('scopes is empty. The service requires at least one scope.');
  if (state === '' || characterCount(state) > STATE_MAX_LENGTH) {
    throw misconfigured(`state must have 1 to ${STATE_MAX_LENGTH} characters; got ${characterCount(state)}.`);
  }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: service.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...(selectAccount && { prompt: 'select_account' }),
    ...(lang && { ui_locales: lang }),
  });
  return `${endpoint}?${query}`;
}

/** Arguments that oauth4webapi requires but doesn't compare with an authorization response. */
const SERVER = { issuer: 'latchkey' };
const CLIENT = { client_id: 'latchkey' };

/** Parameters of an authorization response (spec, "GET /oauth/authorize"). */
const DOCUMENTED = ['code', 'state', 'error'];

/**
 * Reads the authorization code from the query of the redirect URI (RFC 6749 section 4.1.2). Checks `state` before any
 * other parameter.
 *
 * @param parameters the query, or the URL that contains it. The fragment is ignored.
 * @returns the authorization code, valid for 60 seconds.
 * @throws OAuthClientError `state_mismatch`; `access_denied` when the user declined; `invalid_scope`;
 * `authorization_failed` for any other `error`, or if the response contains no code.
 */
export function readAuthorizationResponse(
  parameters: URLSearchParams | URL,
  { expectedState }: { expectedState: string },
): string {
  const query = parameters instanceof URL ? parameters.searchParams : parameters;
  let response: URLSearchParams;
  try {
    // If the expected state is undefined, oauth4webapi accepts a response without one. It rejects an empty string.
    response = validateAuthResponse(SERVER, CLIENT, documentedParameters(query), expectedState ?? '');
  } catch (failure) {
    throw validationError(query, failure);
  }
  const [code, ...others] = response.getAll('code');
  if (!code || others.length > 0) {
    throw new OAuthClientError('authorization_failed', 'The authorization response must contain one code.');
  }
  return code;
}

/** Drops all other parameters: a client must ignore parameters it doesn't know (RFC 6749 section 4.1.2). */
function documentedParameters(query: URLSearchParams): URLSearchParams {
  const documented = new URLSearchParams([...query].filter(([name]) => DOCUMENTED.includes(name)));
  const error = query.get('error');
  // A repeated `error` still tells the reason, but oauth4webapi rejects repeated parameters.
  if (error !== null) documented.set('error', error);
  return documented;
}

/** Maps an error of oauth4webapi. It contains the state and the code, so it doesn't become the `cause`. */
function validationError(query: URLSearchParams, failure: unknown): OAuthClientError {
  if (failure instanceof AuthorizationResponseError) {
    const { error } = failure;
    const code = error === 'access_denied' || error === 'invalid_scope' ? error : 'authorization_failed';
    return new OAuthClientError(code, `The service returned the error ${error.slice(0, 100)}.`, { error });
  }
  const problem = query.get('state')
    ? 'The state in the authorization response does not match this sign-in'
    : 'The authorization response contains no state';
  return new OAuthClientError(
    'state_mismatch',
    `${problem}. Likely causes: the Back button, a second tab, a dropped cookie. Sign in again.`,
  );
}
