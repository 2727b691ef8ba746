import { isOAuthScope, parseScopeList } from '@latchkey/contract/constants';
import type { ServiceState } from './endpoint.js';
import type { Grant } from './grants.js';
import type { FakeRequest, RecordedRequest } from './request.js';
import { oauthError } from './request-checks.js';

/** `GET /oauth/authorize`: redirects with a code at once, since no page asks the visitor for consent. */
export function authorize({ query }: FakeRequest, context: ServiceState): Response {
  const client = context.findClient(query.get('client_id') ?? '');
  for (const check of context.reading.authorizeChecks) {
    const error = check({ query, client });
    if (error !== undefined) return context.respond.oauthError(error);
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
  context: ServiceState,
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

/** `POST /oauth/token`: redeems a code or rotates a refresh token. */
export async function token({ form }: FakeRequest, context: ServiceState): Promise<Response> {
  const { reading, grants } = context;
  const client = context.findClient(form.get('client_id') ?? '');
  for (const check of context.isUnchecked ? [] : reading.tokenChecks) {
    const error = check({ form, client, hasChallenge: grants.hasChallenge(form.get('code') ?? '') });
    if (error !== undefined) return context.respond.oauthError(error);
  }
  const grant = context.isUnchecked ? grantOfVisitor(form, context) : await redeem(form, context);
  if (grant === undefined) {
    return context.respond.oauthError(
      oauthError(400, 'invalid_grant', 'The code or the token is not valid.'),
    );
  }
  const { access, refresh, scope, lifetimeSeconds } = grants.issuePair(grant);
  const body = reading.tokenPair({
    access_token: access,
    refresh_token: refresh,
    token_type: 'Bearer',
    expires_in: lifetimeSeconds,
    scope,
  });
  return reading.json(body, 201);
}

function grantOfVisitor(form: URLSearchParams, context: ServiceState): Grant | undefined {
  const user = context.visitor();
  if (user === undefined) return undefined;
  const scope = context.granted(['memberships.read']).join(' ');
  return { user, clientId: form.get('client_id') ?? '', scope };
}

async function redeem(form: URLSearchParams, { grants, reading }: ServiceState): Promise<Grant | undefined> {
  const clientId = form.get('client_id');
  if (form.get('grant_type') === 'refresh_token') {
    const token = form.get('refresh_token') ?? '';
    const pair = grants.takeRefreshToken(token);
    if (pair === undefined && reading.revokesSuccessors) grants.revokeSuccessors(token);
    return pair?.clientId === clientId ? pair : undefined;
  }
  const code = grants.takeCode(form.get('code') ?? '');
  const isOwn = code?.clientId === clientId && code?.redirectUri === form.get('redirect_uri');
  return isOwn && (await matchesChallenge(form.get('code_verifier'), code?.challenge)) ? code : undefined;
}

/** A challenge requires its verifier. A verifier without a challenge is a sign that the challenge was removed. */
async function matchesChallenge(verifier: string | null, challenge: string | undefined): Promise<boolean> {
  if (verifier === null || challenge === undefined) return verifier === null && challenge === undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === challenge;
}

/** `POST /oauth/revoke`: only a confidential client can succeed. */
export function revoke({ form }: FakeRequest, context: ServiceState): Response {
  const secret = context.findClient(form.get('client_id') ?? '')?.secret;
  if (secret === undefined || form.get('client_secret') !== secret) {
    return context.respond.oauthError(oauthError(401, 'invalid_client'));
  }
  const token = form.get('token');
  if (!token) return context.respond.oauthError(oauthError(400, 'invalid_request', 'token is missing.'));
  context.grants.revoke(token);
  return new Response(null, { status: 200 });
}

/** `GET /oauth/userinfo` */
export function userinfo(request: FakeRequest, context: ServiceState): Response {
  return withAccess(request, context, undefined, ({ user, clientId }) => ({
    sub: context.reading.subject(user, clientId),
    email: user.email,
    ...user.extraFields,
  }));
}

/** `GET /oauth/memberships`: lists the memberships that haven't expired. */
export function memberships(request: FakeRequest, context: ServiceState): Response {
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
export function products(request: FakeRequest, context: ServiceState): Response {
  return withAccess(request, context, 'products.read', ({ user }) => ({
    products: (user.products ?? []).map(context.reading.product),
  }));
}

function withAccess(
  { headers }: FakeRequest,
  context: ServiceState,
  scope: string | undefined,
  body: (grant: Pick<Grant, 'user' | 'clientId'>) => object,
): Response {
  const visitor = context.visitor();
  if (context.isUnchecked && visitor !== undefined)
    return context.reading.json(body({ user: visitor, clientId: '' }), 200);
  const grant = context.grants.findAccess(/^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '');
  if (grant === undefined) {
    return context.respond.oauthError(oauthError(401, 'invalid_token', 'The access token is not valid.'));
  }
  if (scope !== undefined && !grant.scope.split(' ').includes(scope)) {
    return context.respond.oauthError(
      oauthError(403, 'insufficient_scope', `The ${scope} scope is required.`),
    );
  }
  return context.reading.json(body(grant), 200);
}

/** `GET /oauth/client/{clientId}`, with `widgetOriginAllowed` if the request has an origin. */
export function clientIdentity(
  { query, pathParameters: [clientId = ''] }: RecordedRequest,
  context: ServiceState,
): Response {
  const { reading, findClient } = context;
  const client = findClient(clientId);
  if (client === undefined) {
    return context.respond.failure(404, 'not_found', reading.messages.noSuchClient);
  }
  const origin = query.get('widget_origin');
  const allowed =
    origin === null ? {} : { widgetOriginAllowed: client.allowedOrigins?.includes(origin) ?? true };
  return context.respond.success(200, { ...reading.client(client), ...allowed });
}
