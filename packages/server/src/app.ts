import express, { type Express } from 'express';
import { accountRoutes } from './account/account-routes.js';
import { apiKeyRoutes } from './api-keys/api-key-routes.js';
import { checkoutRoutes } from './checkout/checkout-routes.js';
import { communityRoutes } from './checkout/community-routes.js';
import { productRoutes } from './checkout/product-routes.js';
import type { Dependencies } from './dependencies.js';
import { developerRoutes } from './developer/developer-routes.js';
import { healthRoutes } from './health/health-routes.js';
import { errorHandler, notFoundHandler } from './http/error-handler.js';
import { refuseNulInAddress } from './http/nul.js';
import { redirect } from './http/page-response.js';
import { requestLog } from './http/request-log.js';
import { securityHeaders } from './http/security-headers.js';
import { oauthRoutes } from './oauth/oauth-routes.js';
import { PAGE_STYLESHEET, PAGE_STYLESHEET_PATH } from './pages/index.js';
import { referenceRoutes } from './reference/reference-routes.js';
import { sandboxRoutes } from './sandbox/sandbox-routes.js';
import { sandboxWebhookRoutes } from './sandbox/sandbox-webhook-routes.js';
import { sellerRoutes } from './seller/seller-routes.js';
import { signInRoutes } from './sign-in/sign-in.js';
import { signOutRoutes } from './sign-in/sign-out.js';
import { widgetRoutes } from './widget/widget-routes.js';

/** Puts the routes together. Paths match exactly: no other case, no slash at the end. */
export function createApp(dependencies: Dependencies): Express {
  const { sandbox, trustProxy, metrics } = dependencies;
  const app = express();
  app.set('trust proxy', trustProxy);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  // Answers made here are not to be stored, so there is no copy to compare; files keep the tag that they are sent with.
  app.set('etag', () => undefined);

  app.use(healthRoutes(dependencies));
  if (metrics !== undefined) app.use(metrics.middleware);
  app.use(requestLog(dependencies));
  app.use(securityHeaders(dependencies));
  // It judges its paths by itself, after the key.
  app.use(apiKeyRoutes(dependencies));
  app.use(refuseNulInAddress(dependencies));
  app.use(oauthRoutes(dependencies));
  app.use(signInRoutes(dependencies));
  app.use(signOutRoutes(dependencies));
  app.use(accountRoutes(dependencies));
  app.use(sellerRoutes(dependencies));
  app.use(developerRoutes(dependencies));
  app.use(checkoutRoutes(dependencies));
  app.use(productRoutes(dependencies));
  app.use(communityRoutes(dependencies));
  app.use(widgetRoutes(dependencies));
  app.use(referenceRoutes(dependencies));
  if (sandbox !== undefined) {
    app.use(sandboxRoutes(dependencies, sandbox), sandboxWebhookRoutes(dependencies, sandbox));
  }
  app.get(PAGE_STYLESHEET_PATH, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(PAGE_STYLESHEET);
  });
  app.get('/', (_request, response) => {
    redirect(response, 302, sandbox === undefined ? '/account' : '/sandbox');
  });
  app.use(notFoundHandler(dependencies));
  app.use(errorHandler(dependencies));
  return app;
}
