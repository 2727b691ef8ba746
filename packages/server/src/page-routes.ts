import { Router } from 'express';
import { accountRoutes } from './account/account-routes.js';
import { checkoutRoutes } from './checkout/checkout-routes.js';
import { communityRoutes } from './checkout/community-routes.js';
import { productRoutes } from './checkout/product-routes.js';
import type { Dependencies } from './dependencies.js';
import { developerRoutes } from './developer/developer-routes.js';
import { redirect } from './http/page-response.js';
import { authorizationRoutes } from './oauth/authorization-routes.js';
import { PAGE_STYLESHEET, PAGE_STYLESHEET_PATH } from './pages/index.js';
import { referenceRoutes } from './reference/reference-routes.js';
import { sandboxRoutes } from './sandbox/sandbox-routes.js';
import { sandboxWebhookRoutes } from './sandbox/sandbox-webhook-routes.js';
import { sellerRoutes } from './seller/seller-routes.js';
import { signInRoutes } from './sign-in/sign-in.js';
import { signOutRoutes } from './sign-in/sign-out.js';
import { widgetRoutes } from './widget/widget-routes.js';

/** Everything that people see in a browser, and what their browsers load for it. */
export function pageRoutes(dependencies: Dependencies): Router {
  const { sandbox } = dependencies;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(authorizationRoutes(dependencies));
  router.use(signInRoutes(dependencies));
  router.use(signOutRoutes(dependencies));
  router.use(accountRoutes(dependencies));
  router.use(sellerRoutes(dependencies));
  router.use(developerRoutes(dependencies));
  router.use(checkoutRoutes(dependencies));
  router.use(productRoutes(dependencies));
  router.use(communityRoutes(dependencies));
  router.use(widgetRoutes(dependencies));
  router.use(referenceRoutes(dependencies));
  if (sandbox !== undefined) {
    router.use(sandboxRoutes(dependencies, sandbox), sandboxWebhookRoutes(dependencies, sandbox));
  }
  router.get(PAGE_STYLESHEET_PATH, (_request, response) => {
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(PAGE_STYLESHEET);
  });
  router.get('/', (_request, response) => {
    redirect(response, 302, sandbox === undefined ? '/account' : '/sandbox');
  });
  return router;
}
