import express, { type Express } from 'express';
import { apiKeyRoutes } from '../api/api-key/api-key-routes.js';
import { oauthRoutes } from '../api/oauth/oauth-routes.js';
import { healthRoutes } from '../platform/health/health-routes.js';
import { errorHandler, notFoundHandler } from '../platform/http/error-handler.js';
import type { SendFailurePage } from '../platform/http/failure.js';
import { hostGuard } from '../platform/http/host-guard.js';
import { sendJson } from '../platform/http/json-response.js';
import { lazyRoutes } from '../platform/http/lazy-routes.js';
import { rejectNulInUrl } from '../platform/http/nul.js';
import { requestLog } from '../platform/http/request-log.js';
import { securityHeaders } from '../platform/http/security-headers.js';
import type { Services } from './services.js';

/** Creates the Express app. Paths match exactly: case and trailing slashes count. */
export function createApp(services: Services): Express {
  const { trustProxy, metrics, site, intercept, dueWork } = services;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  // Generated responses are never stored, so they need no ETag. Files set their own.
  app.set('etag', () => undefined);
  app.response.json = sendJson;

  app.use((_request, response, next) => {
    // Not `app.locals`: if the additional routes are an Express app, `response.app` is that app.
    response.locals.site = site;
    next();
  });
  app.use(securityHeaders(services));
  app.use(healthRoutes(services));
  if (metrics !== undefined) app.use(metrics.middleware);
  app.use(requestLog(services));
  app.use(hostGuard({ ...services, sendFailurePage }));
  if (intercept !== undefined) app.use(intercept({ ...services, runDueWork: () => dueWork.runDue() }));
  // Comes before the check of the URL: these routes check the key before anything else.
  app.use(apiKeyRoutes(services));
  app.use(rejectNulInUrl);
  app.use(oauthRoutes(services));
  app.use(lazyRoutes(async () => (await import('./page-routes.js')).pageRoutes(services)));
  app.use(notFoundHandler);
  app.use(errorHandler({ ...services, sendFailurePage }));
  return app;
}

/** Loads the pages with the first failure that needs one. */
const sendFailurePage: SendFailurePage = async (response, failure) => {
  const pages = await import('../web/ui/frame/failure-page.js');
  pages.sendFailurePage(response, failure);
};
