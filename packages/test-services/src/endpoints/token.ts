import { ACCESS_TOKEN_LIFETIME_SECONDS } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import { oauthError } from '../messages/oauth-error.js';
import type { Grant } from '../state/grants.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondOAuthError } from './respond.js';

/** `POST /oauth/token`: redeems a code or rotates a refresh token. */
export async function token({ form }: FakeRequest, context: EndpointContext): Promise<Response> {
  const { reading, grants } = context;
  const client = context.findClient(form.get('client_id') ?? '');
  for (const check of context.isUnchecked ? [] : reading.tokenChecks) {
    const error = check({ form, client });
    if (error !== undefined) return respondOAuthError(context, error);
  }
  const grant = context.isUnchecked ? grantOfVisitor(form, context) : await redeem(form, context);
  if (grant === undefined) {
    return respondOAuthError(
      context,
      oauthError(400, 'invalid_grant', 'The code or the token is not valid.'),
    );
  }
  const { access, refresh, scope } = grants.issuePair(grant);
  const body = reading.tokenPair({
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
    scope,
  });
  return reading.json(body, 201);
}

function grantOfVisitor(form: URLSearchParams, context: EndpointContext): Grant | undefined {
  const user = context.visitor();
  if (user === undefined) return undefined;
  const scope = context.granted(['memberships.read']).join(' ');
  return { user, clientId: form.get('client_id') ?? '', scope };
}

async function redeem(
  form: URLSearchParams,
  { grants, reading }: EndpointContext,
): Promise<Grant | undefined> {
  const clientId = form.get('client_id');
  if (form.get('grant_type') === 'refresh_token') {
    const token = form.get('refresh_token') ?? '';
    const pair = grants.takeRefreshToken(token);
    if (pair === undefined && reading.revokesSuccessors) grants.revokeSuccessors(token);
    return pair;
  }
  const code = grants.takeCode(form.get('code') ?? '');
  const isOwn = code?.clientId === clientId && code?.redirectUri === form.get('redirect_uri');
  return isOwn && (await matchesChallenge(form.get('code_verifier'), code?.challenge)) ? code : undefined;
}

/** A challenge requires its verifier. Without a challenge, a verifier is a sign that the challenge was removed. */
async function matchesChallenge(verifier: string | null, challenge: string | undefined): Promise<boolean> {
  if (verifier === null || challenge === undefined) return verifier === null && challenge === undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === challenge;
}
