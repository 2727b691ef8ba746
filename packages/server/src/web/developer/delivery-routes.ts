import { Router } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { findDelivery, scheduleRedelivery } from '../../domain/webhooks/deliveries.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { redirect } from '../../platform/http/redirect.js';
import { sendPage } from '../../web/ui/send-page.js';
import { areaForm, areaPage } from '../sign-in/area-route.js';
import { developerDeliveryPage } from './developer-delivery-page.js';
import { type IdParams, idOf, noSuchWebhook, WEBHOOKS_HOME, webhookNotice } from './own-webhook.js';

/** One delivery of an event to a webhook: what was sent, how it went, and sending it again. */
export function deliveryRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/developer/webhooks/deliveries/:id')
    .get(showDelivery(dependencies))
    .all(methodNotAllowed('GET'));
  router
    .route('/developer/webhooks/deliveries/:id/redeliver')
    .post(postRedelivery(dependencies))
    .all(methodNotAllowed('POST'));
  return router;
}

function showDelivery(dependencies: Dependencies) {
  const { db } = dependencies;
  return areaPage<IdParams>(dependencies, async ({ user, frame, request, response }) => {
    const delivery = await findDelivery(db, { id: idOf(request), ownerId: user.id });
    if (delivery === undefined) throw noSuchWebhook();
    sendPage(response, developerDeliveryPage({ frame, delivery, notice: webhookNotice(request) }));
  });
}

function postRedelivery(dependencies: Dependencies) {
  const { db, clock } = dependencies;
  return areaForm<IdParams>(dependencies, WEBHOOKS_HOME, async ({ user, request, response }) => {
    const id = idOf(request);
    const outcome = await scheduleRedelivery(db, { id, ownerId: user.id }, clock.now());
    if (outcome === undefined) throw noSuchWebhook();
    redirect(response, 303, `${WEBHOOKS_HOME}/deliveries/${id}?done=${outcome}`);
  });
}
