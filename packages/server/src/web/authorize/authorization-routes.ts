import { PATHS } from '@latchkey/contract/constants';
import { Router } from 'express';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/open-database.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { readForm } from '../../platform/http/request-body.js';
import type { Logger } from '../../platform/logging/logger.js';
import { sameOriginGuard } from '../ui/frame/same-origin-guard.js';
import type { Site } from '../ui/frame/site.js';
import { authorize } from './authorize.js';
import { CONSENT_PATH, decideConsent, showConsent } from './consent.js';

interface AuthorizationRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
  readonly logger: Logger;
  readonly site: Site;
}

/** Routes of authorize and consent. They use the service's cookies, so they have no CORS headers. */
export function authorizationRoutes(needs: AuthorizationRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const only = (method: string) => methodNotAllowed(method);
  router.route(PATHS.authorize).get(authorize(needs)).all(only('GET'));
  router
    .route(CONSENT_PATH)
    .get(showConsent(needs))
    .post(sameOriginGuard(needs), readForm, decideConsent(needs))
    .all(only('GET, POST'));
  return router;
}
