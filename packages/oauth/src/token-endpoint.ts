import { PATHS } from '@latchkey/contract/constants';
import { systemClock } from './clock.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { sendRequest, successBody, unreadable } from './service-request.js';
import type { TokenSet } from './token-set.js';

export interface TokenGrant {
  grantType: 'authorization_code' | 'refresh_token';
  parameters: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/**
 * Asks the token endpoint (spec, "POST /oauth/token"; RFC 6749 sections 4.1.3 and 6). Written out here: oauth4webapi
 * takes no 201 and brings the JWT checks of OpenID Connect along, and without its reader its writer is this form.
 */
export async function requestTokenSet(service: OAuthService, grant: TokenGrant): Promise<TokenSet> {
  const endpoint = endpointUrl(service, PATHS.token);
  const { clientId, clientSecret, clock = systemClock } = service;
  const form = new URLSearchParams({
    ...grant.parameters,
    grant_type: grant.grantType,
    client_id: clientId,
    // client_secret_post alone: a Basic header is not read.
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  });
  // Taken before the request is sent: a token set that looks fresh must be fresh at the service too.
  const sentAt = clock.now();
  const answer = await sendRequest(service, { endpoint, form, signal: grant.signal });
  return readTokenPair(endpoint, successBody(answer), sentAt);
}

/** Reads a token pair (spec, "Token pair"; RFC 6749 section 5.1). Unknown fields, an `id_token` among them, pass. */
function readTokenPair(endpoint: string, pair: Record<string, unknown>, sentAt: number): TokenSet {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type } = pair;
  const { expires_in: lifetime, scope } = pair;
  if (
    !isText(accessToken) ||
    !isText(refreshToken) ||
    // The type ignores case (RFC 6749 section 5.1).
    !(isText(type) && /^bearer$/i.test(type)) ||
    !(typeof lifetime === 'number' && lifetime > 0) ||
    typeof scope !== 'string'
  ) {
    throw unreadable(endpoint, 'a field of the token pair is missing or malformed');
  }
  return {
    accessToken,
    refreshToken,
    expiresAt: sentAt + lifetime * 1000,
    scopes: scope.split(' ').filter(Boolean),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
