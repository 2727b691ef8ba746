import { isOAuthScope, parseScopeList } from '@latchkey/contract/constants';
import type { FakeRequest } from '../messages/fake-request.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondOAuthError } from './respond.js';

/** `GET /oauth/authorize`: redirects with a code at once, because no page asks the visitor for consent. */
export function authorize({ query }: FakeRequest, context: EndpointContext): Response {
  const client = context.findClient(query.get('client_id') ?? '');
  for (const check of context.reading.authorizeChecks) {
    const error = check({ query, client });
    if (error !== undefined) return respondOAuthError(context, error);
  }
  const redirectUri = query.get('redirect_uri') ?? '';
  const target = new URL(redirectUri);
  const state = query.get('state');
  const fields = { ...result(query, redirectUri, context), ...(state === null ? {} : { state }) };
  for (const [name, value] of Object.entries(context.reading.authorizeResult(fields))) {
    target.searchParams.append(name, value);
  }
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
  context.world.addUser(user);
  const code = context.grants.issueCode({
    user,
    clientId: query.get('client_id') ?? '',
    redirectUri,
    challenge: query.get('code_challenge') ?? undefined,
    scope: context.granted(requested).join(' '),
  });
  return { code };
}
