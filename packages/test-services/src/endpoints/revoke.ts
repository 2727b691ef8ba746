import type { FakeRequest } from '../messages/fake-request.js';
import { oauthError, oauthErrorResponse } from '../messages/oauth-error.js';
import type { EndpointContext } from './endpoint-context.js';

/** `POST /oauth/revoke`: only a confidential client can succeed. */
export function revoke({ form }: FakeRequest, { findClient, grants }: EndpointContext): Response {
  const secret = findClient(form.get('client_id') ?? '')?.secret;
  if (secret === undefined || form.get('client_secret') !== secret) {
    return oauthErrorResponse(oauthError(401, 'invalid_client'));
  }
  grants.revoke(form.get('token') ?? '');
  return new Response(null, { status: 200 });
}
