import type { NextFunction, RequestHandler } from 'express';
import type { AppUrl } from '../http/app-url.js';
import { readCookie } from '../http/cookies.js';
import { requireExpress5 } from '../http/express-version.js';
import { LatchkeyOptionsError } from '../platform/options-error.js';
import { failureDetails } from '../platform/service-failure.js';
import type { ThrottledLog } from '../platform/throttled-log.js';
import type { Session } from '../session/model/session.js';
import { SessionStoreError } from '../session/model/session-store.js';
import { Visitor, type VisitorContext } from '../session/request/visitor.js';
import type { VisitorExchange } from './endpoint.js';
import type { Endpoints } from './endpoints.js';

/** Creates the middleware that sets `req.latchkey` and serves the endpoints. */
export function createRouter(context: VisitorContext, endpoints: Endpoints): RequestHandler {
  const { app, sessionCookie, store, storeFailures } = context;
  return (request, response, next) => {
    requireExpress5(request);
    rejectMountPath(app, request.baseUrl);
    const routerBase = request.baseUrl;
    const proceed = (opened: Session | SessionStoreError | undefined) => {
      const visitor = new Visitor(context, { request, response, routerBase, opened });
      request.latchkey = visitor.asRequestSession();
      return route(app, endpoints, { exchange: { visitor, request, response }, next });
    };
    const cookie = readCookie(request.headers.cookie, sessionCookie.name);
    if (cookie === undefined || cookie === '') return proceed(undefined);
    const opened = store.open(cookie);
    return opened instanceof Promise
      ? opened.catch((error: unknown) => logStoreFailure(storeFailures, error)).then(proceed)
      : proceed(opened);
  };
}

/** Logs the failure and continues: public pages work without the session, and all others respond with 503. */
function logStoreFailure(storeFailures: ThrottledLog, error: unknown): SessionStoreError {
  if (!(error instanceof SessionStoreError)) throw error;
  storeFailures.error('Sessions cannot be read from the store.', failureDetails(error));
  return error;
}

function route(
  { mountPath }: AppUrl,
  endpoints: Endpoints,
  { exchange, next }: { exchange: VisitorExchange; next: NextFunction },
): unknown {
  const { url } = exchange.request;
  if (!url.startsWith(mountPath)) return next();
  const query = url.indexOf('?');
  const path = url.slice(mountPath.length, query === -1 ? undefined : query);
  return endpoints.has(path) ? endpoints.respond(path, exchange) : next();
}

/** Rejects `app.use('/auth', auth.router)`, which would serve the endpoints below `/auth/auth`. */
function rejectMountPath({ mountPath, appPath }: AppUrl, baseUrl: string): void {
  if (baseUrl === '' || !baseUrl.endsWith(mountPath) || appPath.endsWith(mountPath)) return;
  throw new LatchkeyOptionsError([
    {
      option: 'mountPath',
      message: `the router is mounted at ${baseUrl}, but serves ${mountPath} itself. Use app.use(auth.router) without a path.`,
    },
  ]);
}
