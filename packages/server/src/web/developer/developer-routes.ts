import { Router } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { listActiveApiKeys } from '../../domain/api-keys/api-keys.js';
import { listAdministered } from '../../domain/communities/community-access.js';
import { listOwnClients } from '../../domain/oauth/clients.js';
import { listWebhooks } from '../../domain/webhooks/webhooks.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { sendPage } from '../../web/ui/send-page.js';
import { areaPage } from '../sign-in/area-route.js';
import { apiKeyRoutes } from './api-key-routes.js';
import { clientChangeRoutes } from './client-changes.js';
import { clientRoutes } from './client-routes.js';
import { deliveryRoutes } from './delivery-routes.js';
import { developerHomePage } from './developer-home-page.js';
import { webhookRoutes } from './webhook-routes.js';

/** The developer area: what a person integrates with. Every query asks whose it is. */
export function developerRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/developer').get(showHome(dependencies)).all(methodNotAllowed('GET'));
  router.use(apiKeyRoutes(dependencies));
  router.use(clientRoutes(dependencies));
  router.use(clientChangeRoutes(dependencies));
  router.use(deliveryRoutes(dependencies));
  router.use(webhookRoutes(dependencies));
  return router;
}

function showHome(dependencies: Dependencies) {
  const { db, baseUrl } = dependencies;
  return areaPage(dependencies, async ({ user, frame, response }) => {
    const webhooks = await listWebhooks(db, user.id);
    const html = developerHomePage({
      frame,
      baseUrl,
      apiKeys: (await listActiveApiKeys(db, user.id)).length,
      clients: (await listOwnClients(db, user.id)).length,
      webhooks: webhooks.length,
      failingWebhooks: webhooks.filter(({ isActive, failingSince }) => isActive && failingSince !== null)
        .length,
      communities: await listAdministered(db, user.id),
    });
    sendPage(response, html);
  });
}
