import { isOAuthScope, type OAuthScope, parseScopeList } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import {
  type AuthorizationParameters,
  readAuthorizationParameters,
  writeAuthorizationParameters,
} from './authorization-parameters.js';
import { type AuthorizationRejection, findRejection } from './authorization-steps.js';
import { findClient, type OAuthClient } from './clients.js';

/** An authorization request that passed every check. */
interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
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
  db: Database,
  query: URLSearchParams,
): Promise<CheckedAuthorization> {
  const parameters = readAuthorizationParameters(query);
  const { clientId, redirectUri, scope = '', state, codeChallenge } = parameters;
  const client = clientId === undefined ? undefined : await findClient(db, clientId);
  const rejection = findRejection({ parameters, client });
  if (rejection !== undefined) return { kind: 'rejected', rejection, parameters };
  if (client === undefined || redirectUri === undefined) {
    throw new Error('The authorization steps accepted a request without a client or a redirect URI.');
  }
  return {
    kind: 'valid',
    request: {
      client,
      redirectUri,
      scopes: parseScopeList(scope).filter(isOAuthScope),
      state,
      codeChallenge,
      query: writeAuthorizationParameters(parameters),
    },
  };
}
