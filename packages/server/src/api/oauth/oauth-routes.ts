import { PATHS } from '@latchkey/contract/constants';
import { Router } from 'express';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { allowCrossOrigin } from '../../platform/http/cors.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { readApiBody } from '../../platform/http/request-body.js';
import { clientIdentity } from './client-identity.js';
import { memberships, products, userinfo } from './resources.js';
import { revoke } from './revoke.js';
import { token } from './token.js';

interface OauthRoutesNeeds {
  readonly clock: Clock;
  readonly logUrl: string | undefined;
  readonly db: Database;
}

/**
 * Routes of the OAuth endpoints that programs call. `/oauth/authorize`, a page, is in `web/authorize`. CORS allows every
 * origin except at revoke, which requires a secret that must not be in a browser.
 */
export function oauthRoutes(needs: OauthRoutesNeeds): Router {
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
