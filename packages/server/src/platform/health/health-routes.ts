import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../http/error-handler.js';
import type { Readiness } from './readiness.js';

interface HealthRoutesNeeds {
  readonly readiness: Readiness;
}

/**
 * `GET /healthz`: 200 while the process lives; who gets no answer should restart it. `GET /readyz`: 200 while requests should
 * be sent here, else 503 with the reason. Neither is logged: balancers ask every second or so.
 */
export function healthRoutes(needs: HealthRoutesNeeds): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { readiness } = needs;
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
