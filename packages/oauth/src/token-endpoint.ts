import { PATHS } from '@latchkey/contract/constants';
import {
  allowInsecureRequests,
  ClientSecretPost,
  customFetch,
  genericTokenEndpointRequest,
  None,
  processGenericTokenEndpointResponse,
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

/** Asks the token endpoint (spec, "POST /oauth/token"). The one place where oauth4webapi meets this API. */
export async function requestTokenSet(service: OAuthService, grant: TokenGrant): Promise<TokenSet> {
  const endpoint = endpointUrl(service, PATHS.token);
  const { clientId, clientSecret, clock = systemClock } = service;
  // No discovery: the metadata is what the spec says.
  const server = { issuer: endpoint, token_endpoint: endpoint };
  const client = { client_id: clientId };
  // Taken before the request is sent: a token set that looks fresh must be fresh at the service too.
  const sentAt = clock.now();
  const response = await genericTokenEndpointRequest(
    server,
    client,
    clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
    grant.grantType,
    grant.parameters,
    {
      // endpointUrl lets http pass on loopback hosts only.
      [allowInsecureRequests]: endpoint.startsWith('http:'),
      [customFetch]: async (_url, { body: form }) => {
        const body = successBody(await sendRequest(service, { endpoint, form, signal: grant.signal }));
        // The service answers 201 where oauth4webapi wants 200. It knows no OpenID Connect: an id_token would be an
        // unknown field, and those are ignored.
        return Response.json({ ...body, id_token: undefined });
      },
    },
  );
  const pair = await processGenericTokenEndpointResponse(server, client, response).catch((problem: Error) => {
    // Not kept as the cause: it holds the body, and with it the tokens.
    throw unreadable(endpoint, problem.message);
  });
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = pair;
  if (pair.token_type !== 'bearer' || !refreshToken || !expiresIn || scope === undefined) {
    throw unreadable(endpoint, 'token_type is not Bearer, or refresh_token, expires_in or scope is missing');
  }
  return {
    accessToken,
    refreshToken,
    expiresAt: sentAt + expiresIn * 1000,
    scopes: scope.split(' ').filter(Boolean),
  };
}
