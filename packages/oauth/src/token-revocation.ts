import { PATHS } from '@latchkey/contract/constants';
import { misconfigured } from './oauth-client-error.js';
import { endpointUrl, type OAuthService } from './oauth-service.js';
import { sendRequest, successBody } from './service-request.js';

/** What a revocation takes. */
export interface TokenRevocation {
  /** An access token or a refresh token. */
  token: string;
  /** Which of the two it is, if known. */
  hint?: 'access_token' | 'refresh_token' | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Ends a token at the service (spec, "POST /oauth/revoke"; RFC 7009). Also succeeds for a token that does not exist.
 *
 * @throws OAuthClientError `invalid_configuration` without a `clientSecret`: a public client can never revoke, it signs
 * out by forgetting its tokens; `invalid_client`, and those of every request.
 */
export async function revokeToken(service: OAuthService, revocation: TokenRevocation): Promise<void> {
  const endpoint = endpointUrl(service, PATHS.revoke);
  const { token, hint, signal } = revocation;
  if (service.clientSecret === undefined) {
    throw misconfigured(
      'Only a confidential client can revoke: give clientSecret, or forget the tokens instead.',
    );
  }
  const form = new URLSearchParams({
    client_id: service.clientId,
    client_secret: service.clientSecret,
    token,
    ...(hint && { token_type_hint: hint }),
  });
  successBody(await sendRequest(service, { endpoint, form, signal }));
}
