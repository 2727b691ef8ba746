import { Router } from 'express';
import { redirect } from '../platform/http/redirect.js';
import { inEnglish } from '../platform/http/visitor-language.js';
import { accountRoutes } from '../web/account/account-routes.js';
import { undoEmailChangeRoutes } from '../web/account/email.js';
import { authorizationRoutes } from '../web/authorize/authorization-routes.js';
import { developerRoutes } from '../web/developer/developer-routes.js';
import { operatorRoutes } from '../web/operator/operator-routes.js';
import { optOutRoutes } from '../web/opt-out/opt-out-routes.js';
import { referenceRoutes } from '../web/reference/reference-routes.js';
import { sellerRoutes } from '../web/seller/seller-routes.js';
import { deletedMeanwhile } from '../web/sign-in/area-route.js';
import { languageRoutes } from '../web/sign-in/language-routes.js';
import { signInRoutes } from '../web/sign-in/sign-in-routes.js';
import { checkoutRoutes } from '../web/storefront/checkout-routes.js';
import { providerWebhookRoutes } from '../web/storefront/provider-webhook.js';
import { shopRoutes } from '../web/storefront/shop-routes.js';
import { assetRoutes } from '../web/ui/frame/page-assets.js';
import { widgetRoutes } from '../web/widget/widget-routes.js';
import type { Services } from './services.js';

/** Creates the routes of all pages and of the files that pages load. */
export async function pageRoutes(services: Services): Promise<Router> {
  const { additionalRoutes, dueWork, site } = services;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(authorizationRoutes(services));
  router.use(signInRoutes(services));
  router.use(languageRoutes(services));
  router.use(optOutRoutes(services));
  router.use(inEnglish(undoEmailChangeRoutes(services)));
  router.use(inEnglish(accountRoutes(services)));
  router.use(inEnglish(sellerRoutes(services)));
  router.use(inEnglish(developerRoutes(services)));
  router.use(inEnglish(operatorRoutes(services)));
  router.use(checkoutRoutes(services));
  router.use(providerWebhookRoutes(services));
  router.use(shopRoutes(services));
  router.use(widgetRoutes(services));
  router.use(inEnglish(referenceRoutes(services)));
  router.use(assetRoutes());
  router.get('/', (_request, response) => {
    redirect(response, 302, site.homePath);
  });
  if (additionalRoutes !== undefined) {
    router.use(inEnglish(await additionalRoutes({ ...services, runDueWork: () => dueWork.runDue() })));
  }
  router.use(deletedMeanwhile(services));
  return router;
}
