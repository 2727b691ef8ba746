import { PATHS } from '@latchkey/contract/constants';
import {
  allowInsecureRequests,
  ClientSecretPost,
  customFetch,
  genericTokenEndpointRequest,
  None,
} from 'oauth4webapi';
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
 * Asks the token endpoint (spec, "POST /oauth/token"). The one place where oauth4webapi meets this API: it writes the
 * request. Its reader of the answer is left out. It takes no 201, and brings the JWT checks of OpenID Connect along,
 * 2.6 kB of the widget's budget for what this API does not have; what is left of it is `readTokenPair`.
 */
export async function requestTokenSet(service: OAuthService, grant: TokenGrant): Promise<TokenSet> {
  const endpoint = endpointUrl(service, PATHS.token);
  const { clientId, clientSecret, clock = systemClock } = service;
  // Taken before the request is sent: a token set that looks fresh must be fresh at the service too.
  const sentAt = clock.now();
  const response = await genericTokenEndpointRequest(
    // No discovery: the metadata is what the spec says.
    { issuer: endpoint, token_endpoint: endpoint },
    { client_id: clientId },
    clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
    grant.grantType,
    grant.parameters,
    {
      // endpointUrl lets http pass on loopback hosts only.
      [allowInsecureRequests]: endpoint.startsWith('http:'),
      [customFetch]: async (_url, { body: form }) =>
        Response.json(successBody(await sendRequest(service, { endpoint, form, signal: grant.signal }))),
    },
  );
  return readTokenPair(endpoint, await response.json(), sentAt);
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
