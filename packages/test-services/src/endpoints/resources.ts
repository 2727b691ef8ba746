import type { FakeRequest } from '../messages/fake-request.js';
import { oauthError } from '../messages/oauth-error.js';
import type { Grant } from '../state/grants.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondOAuthError } from './respond.js';

/** `GET /oauth/userinfo` */
export function userinfo(request: FakeRequest, context: EndpointContext): Response {
  return withAccess(request, context, undefined, ({ user, clientId }) => ({
    sub: context.reading.subject(user, clientId),
    email: user.email,
    ...user.extraFields,
  }));
}

/** `GET /oauth/memberships`: lists the memberships that have not expired. */
export function memberships(request: FakeRequest, context: EndpointContext): Response {
  const { clock, reading, world, findClient } = context;
  const now = clock.now();
  return withAccess(request, context, 'memberships.read', ({ user, clientId }) => {
    const listContext = { client: findClient(clientId), world, now };
    const listed = user.memberships
      .filter((membership) => world.endsAt(membership) > now)
      .map((membership) => ({ membership, record: world.recordOf(membership) }))
      .filter(({ record }) => reading.lists(record, listContext));
    return { memberships: listed.map(({ membership, record }) => reading.membership(membership, record)) };
  });
}

/** `GET /oauth/products`: lists the products that the user sells. */
export function products(request: FakeRequest, context: EndpointContext): Response {
  return withAccess(request, context, 'products.read', ({ user }) => ({
    products: (user.products ?? []).map(context.reading.product),
  }));
}

function withAccess(
  { headers }: FakeRequest,
  context: EndpointContext,
  scope: string | undefined,
  body: (grant: Pick<Grant, 'user' | 'clientId'>) => object,
): Response {
  const visitor = context.visitor();
  if (context.isUnchecked && visitor !== undefined)
    return context.reading.json(body({ user: visitor, clientId: '' }), 200);
  const grant = context.grants.findAccess(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
  if (grant === undefined) {
    return respondOAuthError(context, oauthError(401, 'invalid_token', 'The access token is not valid.'));
  }
  if (scope !== undefined && !grant.scope.split(' ').includes(scope)) {
    return respondOAuthError(
      context,
      oauthError(403, 'insufficient_scope', `The ${scope} scope is required.`),
    );
  }
  return context.reading.json(body(grant), 200);
}
