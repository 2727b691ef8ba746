import { PATHS } from '@latchkey/contract/constants';
import { processRevocationResponse, revocationRequest } from 'oauth4webapi';
import { misconfigured } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { callProtocol } from './protocol-call.js';

/** Parameters of {@link revokeToken}. */
export interface TokenRevocation {
  /** An access token or a refresh token. */
  token: string;
  /** The type of the token, if known. */
  hint?: 'access_token' | 'refresh_token' | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Revokes a token at the service (spec, "POST /oauth/revoke"; RFC 7009). Also succeeds for an unknown token.
 *
 * @throws OAuthClientError `invalid_configuration` without a `clientSecret`: the service lets no public client revoke,
 * so sign out by deleting the tokens; `invalid_client`, and the errors of every request.
 */
export async function revokeToken(service: OAuthService, revocation: TokenRevocation): Promise<void> {
  const endpoint = endpointUrl(service, PATHS.revoke);
  const { token, hint, signal } = revocation;
  if (service.clientSecret === undefined) {
    throw misconfigured(
      'Only a confidential client can revoke tokens. Set clientSecret, or delete the tokens instead.',
    );
  }
  await callProtocol(service, {
    endpoint,
    signal,
    request: ({ server, client, authentication, options }) =>
      revocationRequest(server, client, authentication, token, {
        ...options,
        ...(hint && { additionalParameters: { token_type_hint: hint } }),
      }),
    process: (_server, _client, response) => processRevocationResponse(response),
  });
}
