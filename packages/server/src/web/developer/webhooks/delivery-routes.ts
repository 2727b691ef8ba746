import { webhookHeadersOf } from '@latchkey/contract/constants';
import { Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { findDelivery, scheduleRedelivery } from '../../../domain/webhooks/log/deliveries.js';
import { methodNotAllowed } from '../../../platform/http/error-handler.js';
import { redirect } from '../../../platform/http/redirect.js';
import { areaForm, areaPage } from '../../sign-in/area-route.js';
import { sendPage } from '../../ui/frame/send-page.js';
import { developerDeliveryPage } from './developer-delivery-page.js';
import { type IdParams, idOf, noSuchWebhook, WEBHOOKS_HOME, webhookNotice } from './own-webhook.js';

/** Routes that show a delivery of an event and send it again. */
export function deliveryRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/developer/webhooks/deliveries/:id').get(showDelivery(needs)).all(methodNotAllowed('GET'));
  router
    .route('/developer/webhooks/deliveries/:id/redeliver')
    .post(postRedelivery(needs))
    .all(methodNotAllowed('POST'));
  return router;
}

function showDelivery(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>) {
  const { db, serviceNames } = needs;
  const { signature } = webhookHeadersOf(serviceNames);
  return areaPage<IdParams>(needs, async ({ user, frame, request, response }) => {
    const delivery = await findDelivery(db, { id: idOf(request), ownerId: user.id });
    if (delivery === undefined) throw noSuchWebhook();
    const notice = webhookNotice(request);
    sendPage(response, developerDeliveryPage({ frame, delivery, signatureHeader: signature, notice }));
  });
}

function postRedelivery(needs: Needs<'baseUrl' | 'clock' | 'db' | 'serviceNames'>) {
  const { db, clock } = needs;
  return areaForm<IdParams>(needs, WEBHOOKS_HOME, async ({ user, request, response }) => {
    const id = idOf(request);
    const result = await scheduleRedelivery(db, { id, ownerId: user.id }, clock.now());
    if (result.kind === 'unknown') throw noSuchWebhook();
    const done = result.kind === 'scheduled' ? 'due' : 'held';
    redirect(response, 303, `${WEBHOOKS_HOME}/deliveries/${id}?done=${done}`);
  });
}
