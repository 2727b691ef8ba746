import { isOAuthScope, type OAuthScope, parseScopeList } from '@latchkey/contract/constants';
import type { Database } from '../../platform/database/open-database.js';
import {
  type AuthorizationParameters,
  readAuthorizationParameters,
  writeAuthorizationParameters,
} from './authorization-parameters.js';
import { type AuthorizationRefusal, judgeAuthorization } from './authorization-steps.js';
import { findClient, type OAuthClient } from './clients.js';

/** An authorization request that passed every check. */
interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
  scopes: readonly OAuthScope[];
  state: string | undefined;
  codeChallenge: string | undefined;
  /** The parameters, to ask for the same again. */
  query: Readonly<Record<string, string>>;
}

/** Result of the checks of an authorization request. */
export type CheckedAuthorization =
  | { kind: 'valid'; request: AuthorizationRequest }
  | { kind: 'refused'; refusal: AuthorizationRefusal; parameters: AuthorizationParameters };

/** Reads and checks an authorization request: the same for authorize, consent, and the form of consent. */
export async function checkAuthorization(
  db: Database,
  query: URLSearchParams,
): Promise<CheckedAuthorization> {
  const parameters = readAuthorizationParameters(query);
  const { clientId, redirectUri, scope = '', state, codeChallenge } = parameters;
  const client = clientId === undefined ? undefined : await findClient(db, clientId);
  const refusal = judgeAuthorization({ parameters, client });
  if (refusal !== undefined) return { kind: 'refused', refusal, parameters };
  if (client === undefined || redirectUri === undefined) {
    throw new Error('The authorization steps let a request pass without a client or a redirect URI.');
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
