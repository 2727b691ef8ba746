import { readCookie } from '../http/cookies.js';
import { type Middleware, middleware } from '../http/middleware.js';
import { logMessage } from '../platform/log-message.js';
import { failureDetails } from '../platform/service-failure.js';
import type { ThrottledLog } from '../platform/throttled-log.js';
import type { Session } from '../session/model/session.js';
import { SessionStoreError } from '../session/model/session-store.js';
import { Visitor, type VisitorContext } from '../session/request/visitor.js';
import { rejectMountPath } from './endpoint-table.js';
import type { Endpoints } from './endpoints.js';

/** Creates the middleware that sets `req.latchkey` and serves the endpoints. */
export function createRouter(context: VisitorContext, endpoints: Endpoints): Middleware {
  const { app, sessionCookie, store, storeFailures } = context;
  return middleware((request, response, next) => {
    rejectMountPath(app, request.baseUrl, 'auth.router');
    const routerBase = request.baseUrl;
    const proceed = (opened: Session | SessionStoreError | undefined) => {
      const visitor = new Visitor(context, { request, response, routerBase, opened });
      request.latchkey = visitor.asRequestSession();
      return endpoints.route(request, next, () => ({ visitor, request, response }));
    };
    const cookie = readCookie(request.headers.cookie, sessionCookie.name);
    const opened = cookie === undefined || cookie === '' ? undefined : store.open(cookie);
    return opened instanceof Promise
      ? opened.catch((error: unknown) => logStoreFailure(storeFailures, error)).then(proceed)
      : proceed(opened);
  });
}

/** Logs the failure and continues: public pages work without the session, and all others respond with 503. */
function logStoreFailure(storeFailures: ThrottledLog, error: unknown): SessionStoreError {
  if (!(error instanceof SessionStoreError)) throw error;
  storeFailures.error(
    logMessage('store_unavailable', 'Sessions cannot be read from the store.'),
    failureDetails(error),
  );
  return error;
}
