import { isOAuthScope, type OAuthScope, parseScopeList, readWidgetState } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import { parseWebOrigin } from '../../platform/http/web-origin.js';
import {
  type AuthorizationParameters,
  readAuthorizationParameters,
  writeAuthorizationParameters,
} from './authorization-parameters.js';
import { type AuthorizationRejection, findRejection } from './authorization-steps.js';
import { findClient, type OAuthClient } from './clients.js';
import { hostedCallbackOf } from './hosted-callback.js';

/** An authorization request that passed every check. */
interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
  /**
   * Origin that receives the code: that of the redirect URI, and for the hosted callback that of the page that opened the
   * popup. `undefined` if the state names no page; the hosted callback then sends the code nowhere.
   */
  receiver: string | undefined;
  scopes: readonly OAuthScope[];
  state: string | undefined;
  codeChallenge: string | undefined;
  /** Parameters of the request, for an address that repeats it. */
  query: Readonly<Record<string, string>>;
}

/** Result of {@link checkAuthorization}. */
export type CheckedAuthorization =
  | { kind: 'valid'; request: AuthorizationRequest }
  | { kind: 'rejected'; rejection: AuthorizationRejection; parameters: AuthorizationParameters };

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
  if (rejection !== undefined) return { kind: 'rejected', rejection, parameters };
  if (client === undefined || redirectUri === undefined) {
    throw new Error('The authorization steps accepted a request without a client or a redirect URI.');
  }
  return {
    kind: 'valid',
    request: {
      client,
      redirectUri,
      receiver: receiverOf(parameters, hostedCallbackOf(baseUrl, client.clientId)),
      scopes: parseScopeList(scope).filter(isOAuthScope),
      state,
      codeChallenge,
      query: writeAuthorizationParameters(parameters),
    },
  };
}

/** Returns the receiver of a request that passed every step. */
function receiverOf(
  { redirectUri = '', state = '' }: AuthorizationParameters,
  hostedCallback: string,
): string | undefined {
  if (redirectUri !== hostedCallback) return new URL(redirectUri).origin;
  const origin = readWidgetState(state)?.origin;
  return typeof origin === 'string' ? parseWebOrigin(origin) : undefined;
}
