import type { FakeRequest } from '../messages/fake-request.js';
import { oauthError, oauthErrorResponse } from '../messages/oauth-error.js';
import type { Grant } from '../state/grants.js';
import type { EndpointContext } from './endpoint-context.js';

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
  return withAccess(request, context, 'memberships.read', ({ user }) => ({
    memberships: user.memberships
      .filter(({ validUntil }) => !validUntil || Date.parse(validUntil) > context.clock.now())
      .map(context.reading.membership),
  }));
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
    return Response.json(body({ user: visitor, clientId: '' }));
  const grant = context.grants.findAccess(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
  if (grant === undefined) {
    return oauthErrorResponse(oauthError(401, 'invalid_token', 'The access token is not valid.'));
  }
  if (scope !== undefined && !grant.scope.split(' ').includes(scope)) {
    return oauthErrorResponse(oauthError(403, 'insufficient_scope', `The ${scope} scope is required.`));
  }
  return Response.json(body(grant));
}
