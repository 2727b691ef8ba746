import { PATHS } from '@latchkey/contract/constants';
import { processGenericTokenEndpointResponse } from 'oauth4webapi';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { callProtocol, type ProtocolCall } from './protocol-call.js';
import { unreadable } from './service-response.js';
import type { TokenSet } from './token-set.js';

/** The grant-specific part of a token request. */
export interface TokenGrant extends Pick<ProtocolCall<unknown>, 'request' | 'signal'> {
  /** The requested scopes. A response without `scope` grants them (RFC 6749 section 5.1). */
  scopes: readonly string[] | undefined;
  /** The refresh token that was sent. A response without a new one keeps it valid (RFC 6749 section 6). */
  refreshToken?: string;
}

/** Requests a token pair from the token endpoint (spec, "POST /oauth/token"). */
export async function requestTokenSet(
  service: OAuthService,
  { scopes = [], refreshToken: sent, ...grant }: TokenGrant,
): Promise<TokenSet> {
  const { clock = Date } = service;
  const endpoint = endpointUrl(service, PATHS.token);
  // Read before the request is sent, so that a token never expires at the service before expiresAt.
  const sentAt = clock.now();
  const pair = await callProtocol(service, {
    endpoint,
    ...grant,
    process: processGenericTokenEndpointResponse,
  });
  const { access_token: accessToken, refresh_token: refreshToken = sent, token_type: type, scope } = pair;
  if (type !== 'bearer') throw unreadable(endpoint, 'the token type is not Bearer');
  return {
    accessToken,
    refreshToken,
    expiresAt: sentAt + Number(pair.expires_in) * 1000,
    scopes: scope === undefined ? [...scopes] : scope.split(/[ ,]+/).filter(Boolean),
  };
}
