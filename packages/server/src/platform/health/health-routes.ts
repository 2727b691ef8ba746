import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../http/error-handler.js';
import type { Readiness } from './readiness.js';

/**
 * Routes for supervisors and load balancers:
 *
 * - `GET /healthz` sends 200 while the process runs. A supervisor restarts a process that sends no response.
 * - `GET /readyz` sends 200 while the process accepts requests, and otherwise 503 with the reason.
 *
 * Neither is logged, because load balancers call them about every second.
 */
export function healthRoutes({ readiness }: { readonly readiness: Readiness }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const live: RequestHandler = (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'alive' });
  };
  const ready: RequestHandler = async (_request, response) => {
    const status = await readiness.check();
    response
      .status(status === 'ready' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status });
  };
  router.route('/healthz').get(live).all(methodNotAllowed('GET'));
  router.route('/readyz').get(ready).all(methodNotAllowed('GET'));
  return router;
}
