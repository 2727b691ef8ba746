import { PATHS } from '@latchkey/contract/constants';
import { processGenericTokenEndpointResponse, type TokenEndpointResponse } from 'oauth4webapi';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { callProtocol, type ProtocolCall } from './protocol-call.js';
import { unreadable } from './service-response.js';
import type { TokenSet } from './token-set.js';

/** The grant-specific part of a token request. */
export type TokenGrant = Pick<ProtocolCall<unknown>, 'request' | 'signal'>;

/** Requests a token pair from the token endpoint (spec, "POST /oauth/token"). */
export async function requestTokenSet(service: OAuthService, grant: TokenGrant): Promise<TokenSet> {
  const { clock = Date } = service;
  const endpoint = endpointUrl(service, PATHS.token);
  // Read before the request is sent, so that a token never expires at the service before expiresAt.
  const sentAt = clock.now();
  const pair = await callProtocol(service, {
    endpoint,
    ...grant,
    process: processGenericTokenEndpointResponse,
  });
  return tokenSetOf(endpoint, pair, sentAt);
}

/** Requires the fields that OAuth makes optional and this API always sends (spec, "Token pair"). */
function tokenSetOf(endpoint: string, pair: TokenEndpointResponse, sentAt: number): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type } = pair;
  const { expires_in: lifetime, scope } = pair;
  if (!refreshToken || !lifetime || scope === undefined || type !== 'bearer') {
    throw unreadable(endpoint, 'a field of the token pair is missing, or the token type is not Bearer');
  }
  return {
    accessToken,
    refreshToken,
    expiresAt: sentAt + lifetime * 1000,
    scopes: scope.split(' ').filter(Boolean),
  };
}
