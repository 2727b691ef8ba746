import { Router } from 'express';
import { accountRoutes } from '../features/account/account.routes.js';
import { developerRoutes } from '../features/developer/developer.routes.js';
import { undoEmailChangeRoutes } from '../features/email-change/email-change.pages.js';
import { optOutRoutes } from '../features/invitations/opt-out.routes.js';
import { authorizationRoutes } from '../features/oauth/authorization.routes.js';
import { operatorRoutes } from '../features/operator/operator.routes.js';
import { referenceRoutes } from '../features/reference/reference.routes.js';
import { sellerRoutes } from '../features/seller/seller.routes.js';
import { signInRoutes } from '../features/sign-in/sign-in.routes.js';
import { checkoutRoutes, providerWebhookRoutes } from '../features/storefront/checkout.routes.js';
import { shopRoutes } from '../features/storefront/shop.routes.js';
import { widgetRoutes } from '../features/widget/widget.routes.js';
import { redirect } from '../platform/http/redirect.js';
import { inEnglish } from '../platform/http/visitor-language.js';
import { endedMeanwhile } from '../web/kit/areas/area-routes.js';
import { assetRoutes } from '../web/kit/frame/page-assets.js';
import type { Services } from './services.js';

export async function pageRoutes(services: Services): Promise<Router> {
  const { additionalRoutes, dueWork, site } = services;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(authorizationRoutes(services));
  router.use(signInRoutes(services));
  router.use(optOutRoutes(services));
  router.use(undoEmailChangeRoutes(services));
  router.use(accountRoutes(services));
  router.use(sellerRoutes(services));
  router.use(developerRoutes(services));
  router.use(operatorRoutes(services));
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
  router.use(endedMeanwhile(services));
  return router;
}
