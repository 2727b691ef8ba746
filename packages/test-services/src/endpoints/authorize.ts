import { isOAuthScope, parseScopeList } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import { oauthErrorResponse } from '../messages/oauth-error.js';
import type { EndpointContext } from './endpoint-context.js';

/** `GET /oauth/authorize`: redirects with a code at once, because no page asks the visitor for consent. */
export function authorize({ query }: FakeRequest, context: EndpointContext): Response {
  const client = context.findClient(query.get('client_id') ?? '');
  for (const check of context.reading.authorizeChecks) {
    const error = check({ query, client });
    if (error !== undefined) return oauthErrorResponse(error);
  }
  const redirectUri = query.get('redirect_uri') ?? '';
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(result(query, redirectUri, context))) {
    target.searchParams.append(name, value);
  }
  if (query.has('state')) target.searchParams.append('state', query.get('state') ?? '');
  return new Response(null, { status: 302, headers: { location: target.href } });
}

function result(
  query: URLSearchParams,
  redirectUri: string,
  context: EndpointContext,
): { code: string } | { error: string } {
  const requested = parseScopeList(query.get('scope') ?? '');
  if (!requested.every(isOAuthScope)) return { error: 'invalid_scope' };
  const user = context.visitor();
  if (user === undefined) return { error: 'access_denied' };
  const code = context.grants.issueCode({
    user,
    clientId: query.get('client_id') ?? '',
    redirectUri,
    challenge: query.get('code_challenge') ?? undefined,
    scope: context.granted(requested).join(' '),
  });
  return { code };
}
