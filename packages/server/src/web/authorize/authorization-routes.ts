import { PATHS } from '@latchkey/contract';
import { Router } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { readForm } from '../../platform/http/request-body.js';
import { sameOriginGuard } from '../ui/same-origin-guard.js';
import { authorize } from './authorize.js';
import { CONSENT_PATH, decideConsent, showConsent } from './consent.js';

/** Authorize and consent: for the browser itself, with the cookies of the service, and for no script of another origin. */
export function authorizationRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const only = (method: string) => methodNotAllowed(method);
  router.route(PATHS.authorize).get(authorize(dependencies)).all(only('GET'));
  router
    .route(CONSENT_PATH)
    .get(showConsent(dependencies))
    .post(sameOriginGuard(dependencies), readForm, decideConsent(dependencies))
    .all(only('GET, POST'));
  return router;
}
