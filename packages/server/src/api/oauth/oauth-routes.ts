import type { ClientIdentity, Membership, Product, UserIdentity } from '@latchkey/contract';
import { formatTimestamp, type OAuthScope, PATHS } from '@latchkey/contract/constants';
import { type RequestHandler, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { findClient, type OAuthClient } from '../../features/clients/clients.js';
import { listActiveMemberships } from '../../features/memberships/active-memberships.js';
import { sendOAuthError } from '../../features/oauth/oauth-error.js';
import { type AccessGrant, findAccessGrant } from '../../features/oauth/token-pairs.js';
import { listSellerProducts } from '../../features/products/product.queries.js';
import { allowCrossOrigin } from '../../platform/http/cors.js';
import { failAs, methodNotAllowed } from '../../platform/http/http-failure.js';
import { readApiBody, requestQuery } from '../../platform/http/request-input.js';
import { parseWebOrigin } from '../../platform/http/web-origin.js';
import { envelopeFailure, failureEnvelope, oauthFailure } from '../frame/failures.js';
import { revoke, token } from './token.js';

/** Only `GET /oauth/client/{clientId}` fails with the envelope; other methods on this path don't. */
export function oauthFailures(needs: Needs<'logUrl'>): RequestHandler {
  const asOAuthError = failAs(oauthFailure);
  const asEnvelope = failAs(envelopeFailure(needs));
  return (request, response, next) => {
    const readsClient = /^(?:GET|HEAD)$/.test(request.method) && /^\/client\/[^/]+$/.test(request.path);
    (readsClient ? asEnvelope : asOAuthError)(request, response, next);
  };
}

/** CORS allows every origin, except for revoke: it requires a secret that must not be in a browser. */
export function oauthRoutes(needs: Needs<'clock' | 'db' | 'logUrl'>): Router {
  const { db, clock } = needs;
  const router = Router({ caseSensitive: true, strict: true });
  const only = (method: string) => methodNotAllowed(method);
  router.route(PATHS.token).all(allowCrossOrigin('POST')).post(readApiBody, token(needs)).all(only('POST'));
  router.route(PATHS.revoke).post(readApiBody, revoke(needs)).all(only('POST'));

  /**
   * Adds an endpoint that returns data about the user of a bearer access token (spec, "OAuth 2.0 (sign-in)", 4). Sends
   * 401 `invalid_token` without a valid token and 403 `insufficient_scope` without the scope.
   */
  function addResource(
    path: string,
    scope: OAuthScope | undefined,
    read: (access: AccessGrant) => Promise<object>,
  ): void {
    const send: RequestHandler = async (request, response) => {
      // The scheme is case-insensitive (RFC 9110 section 11.1).
      const [, bearer] = /^bearer +([^\s]+)$/i.exec(request.get('Authorization') ?? '') ?? [];
      const access = bearer === undefined ? undefined : await findAccessGrant(db, bearer, clock.now());
      if (access === undefined) {
        const description =
          bearer === undefined
            ? 'The access token is missing. Send it as Authorization: Bearer.'
            : 'The access token is unknown, expired or revoked.';
        return sendOAuthError(response, { status: 401, error: 'invalid_token', description });
      }
      if (scope !== undefined && !access.scopes.includes(scope)) {
        const description = `The scope ${scope} is required.`;
        return sendOAuthError(response, { status: 403, error: 'insufficient_scope', description });
      }
      response.set('Cache-Control', 'no-store').json(await read(access));
    };
    router.route(path).all(allowCrossOrigin('GET')).get(send).all(only('GET'));
  }

  addResource(PATHS.userinfo, undefined, async ({ userId, email }): Promise<UserIdentity> => {
    return { sub: userId, email };
  });
  addResource(PATHS.memberships, 'memberships.read', async ({ userId }) => {
    const active = await listActiveMemberships(db, userId, clock.now());
    const memberships = active.map(
      ({ id, productType, validFrom, validUntil }): Membership => ({
        id,
        productType,
        isActive: true,
        validFrom: formatTimestamp(validFrom),
        validUntil: validUntil === null ? null : formatTimestamp(validUntil),
      }),
    );
    return { memberships };
  });
  addResource(PATHS.products, 'products.read', async ({ userId }): Promise<{ products: Product[] }> => {
    return { products: await listSellerProducts(db, userId) };
  });

  // Comes before the route, so the router's own 400 for an undecodable id has CORS headers too.
  router.use('/oauth/client', allowCrossOrigin('GET'));
  router.route('/oauth/client/:clientId').get(clientIdentity(needs)).all(only('GET'));
  return router;
}

/**
 * `GET /oauth/client/{clientId}` (spec, section of that name): returns the public data of a client. With
 * `widget_origin`, also says whether that origin may receive the client's codes. Malformed and repeated origins may
 * not.
 */
function clientIdentity(needs: Needs<'db' | 'logUrl'>): RequestHandler<{ clientId: string }> {
  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    const client = await findClient(needs.db, request.params.clientId);
    if (client === undefined) {
      const failure = { errorCode: 'not_found', message: 'There is no client with this id.' } as const;
      response.status(404).json(failureEnvelope(needs, request, failure));
      return;
    }
    const origins = requestQuery(request).getAll('widget_origin');
    const data: ClientIdentity = {
      clientId: client.clientId,
      name: client.name,
      ...(client.description !== null && { description: client.description }),
      ...(client.logoUrl !== null && { logoUrl: client.logoUrl }),
      ...(origins.length > 0 && { widgetOriginAllowed: mayReceiveCode(client, origins) }),
    };
    response.json({ success: true, data });
  };
}

function mayReceiveCode({ widgetOrigins }: OAuthClient, [text = '', ...others]: readonly string[]): boolean {
  const origin = parseWebOrigin(text);
  return others.length === 0 && origin !== undefined && widgetOrigins.includes(origin);
}
