import { type ClientIdentity, clientCredentialsBody, revokedTokenBody } from '@latchkey/contract';
import { PATHS } from '@latchkey/contract/constants';
import { type RequestHandler, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { authenticateClient } from '../../domain/oauth/client-authentication.js';
import { findClient, type OAuthClient } from '../../domain/oauth/clients.js';
import { revokeToken } from '../../domain/oauth/token-pairs.js';
import { allowCrossOrigin } from '../../platform/http/cors.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { failureEnvelope } from '../../platform/http/failure.js';
import { invalidRequest, type OAuthError, sendOAuthError } from '../../platform/http/oauth-error.js';
import { readApiBody } from '../../platform/http/request-body.js';
import { requestQuery } from '../../platform/http/request-query.js';
import { parseWebOrigin } from '../../platform/http/web-origin.js';
import { describeBodyError } from './describe-body-error.js';
import { memberships, products, userinfo } from './resources.js';
import { token } from './token.js';

/** The spec gives this error no description (spec, "POST /oauth/revoke"). */
const INVALID_CLIENT: OAuthError = { status: 401, error: 'invalid_client' };

/**
 * `POST /oauth/revoke` (spec, section of that name). Requires a confidential client. Sends 200 with an empty body even if
 * the token does not exist. `token_type_hint` is ignored (RFC 7009 section 2.1).
 */
function revoke({ db, clock }: Needs<'clock' | 'db'>): RequestHandler {
  return async (request, response) => {
    const credentials = clientCredentialsBody.safeParse(request.body ?? {});
    if (!credentials.success || credentials.data.client_secret === undefined) {
      return sendOAuthError(response, INVALID_CLIENT);
    }
    const authentication = await authenticateClient(db, credentials.data);
    if (authentication.kind === 'failed') return sendOAuthError(response, INVALID_CLIENT);

    const revoked = revokedTokenBody.safeParse(request.body);
    if (!revoked.success) return sendOAuthError(response, invalidRequest(describeBodyError(revoked.error)));
    const { clientId } = authentication.client;
    await revokeToken(db, { token: revoked.data.token, clientId, now: clock.now() });
    response.status(200).set('Cache-Control', 'no-store').end();
  };
}

/**
 * Routes of the OAuth endpoints that programs call. `/oauth/authorize`, a page, is in `web/authorize`. CORS allows every
 * origin except at revoke, which requires a secret that must not be in a browser.
 */
export function oauthRoutes(needs: Needs<'clock' | 'db' | 'logUrl'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const only = (method: string) => methodNotAllowed(method);
  router.route(PATHS.token).all(allowCrossOrigin('POST')).post(readApiBody, token(needs)).all(only('POST'));
  router.route(PATHS.revoke).post(readApiBody, revoke(needs)).all(only('POST'));
  router.route(PATHS.userinfo).all(allowCrossOrigin('GET')).get(userinfo(needs)).all(only('GET'));
  router.route(PATHS.memberships).all(allowCrossOrigin('GET')).get(memberships(needs)).all(only('GET'));
  router.route(PATHS.products).all(allowCrossOrigin('GET')).get(products(needs)).all(only('GET'));
  // Before the route, so that the router's own 400 for an undecodable id has CORS headers too.
  router.use('/oauth/client', allowCrossOrigin('GET'));
  router.route('/oauth/client/:clientId').get(clientIdentity(needs)).all(only('GET'));
  return router;
}

/**
 * `GET /oauth/client/{clientId}` (spec, section of that name): returns the public data of a client. With `widget_origin`
 * it also reports if that origin may receive the client's codes. Malformed and repeated origins may not.
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
