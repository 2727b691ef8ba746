import { Router } from 'express';
import type { Services } from '../../app/services.js';
import { countActiveApiKeys } from '../../domain/api-keys/api-keys.js';
import { listAdministered } from '../../domain/communities/community-access.js';
import { countOwnClients, listOwnClients } from '../../domain/oauth/clients.js';
import { hasConsentingUsers } from '../../domain/oauth/consents.js';
import { listRecentFailures } from '../../domain/webhooks/log/deliveries.js';
import { countWebhooks } from '../../domain/webhooks/registration/webhooks.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { areaPage } from '../sign-in/area-route.js';
import { sendPage } from '../ui/frame/send-page.js';
import { apiKeyRoutes } from './api-keys/api-key-routes.js';
import { clientChangeRoutes } from './clients/client-changes.js';
import { clientRoutes } from './clients/client-routes.js';
import { CLIENTS_HOME, clientPath } from './clients/own-client.js';
import { developerHomePage } from './home/developer-home-page.js';
import { deliveryRoutes } from './webhooks/delivery-routes.js';
import { webhookRoutes } from './webhooks/webhook-routes.js';

/** Routes of the developer area. Every query is limited to the signed-in user. */
export function developerRoutes(needs: Services): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/developer').get(showHome(needs)).all(methodNotAllowed('GET'));
  router.use(apiKeyRoutes(needs));
  router.use(clientRoutes(needs));
  router.use(clientChangeRoutes(needs));
  router.use(deliveryRoutes(needs));
  router.use(webhookRoutes(needs));
  return router;
}

/** Maximum number of failures on the start page. */
const SHOWN_FAILURES = 5;

function showHome(needs: Services) {
  const { db, baseUrl } = needs;
  return areaPage(needs, async ({ user, frame, response }) => {
    const { webhooks, failing, answered } = await countWebhooks(db, user.id);
    const clients = await countOwnClients(db, user.id);
    const [app] = clients === 1 ? (await listOwnClients(db, user.id)).rows : [];
    const html = developerHomePage({
      frame,
      baseUrl,
      progress: {
        clients,
        hasSignIns: await hasConsentingUsers(db, user.id),
        apiKeys: await countActiveApiKeys(db, user.id),
        webhooks,
        hasAnswers: answered > 0,
        firstApp: app === undefined ? CLIENTS_HOME : clientPath(app.clientId),
      },
      failingWebhooks: failing,
      failures: await listRecentFailures(db, user.id, SHOWN_FAILURES),
      communities: (await listAdministered(db, user.id)).rows,
    });
    sendPage(response, html);
  });
}
