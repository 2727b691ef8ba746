import type { FakeRequest } from '../messages/fake-request.js';
import { oauthError } from '../messages/oauth-error.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondOAuthError } from './respond.js';

/** `POST /oauth/revoke`: only a confidential client can succeed. */
export function revoke({ form }: FakeRequest, context: EndpointContext): Response {
  const secret = context.findClient(form.get('client_id') ?? '')?.secret;
  if (secret === undefined || form.get('client_secret') !== secret) {
    return respondOAuthError(context, oauthError(401, 'invalid_client'));
  }
  context.grants.revoke(form.get('token') ?? '');
  return new Response(null, { status: 200 });
}
