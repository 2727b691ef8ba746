import { REQUEST_BODY_MAX_BYTES, webhookHeadersOf } from '@latchkey/contract/constants';
import type { RouteContext } from '@latchkey/server';
import { listWebhookSecrets, methodNotAllowed } from '@latchkey/server/extension';
import express, { type RequestHandler, Router } from 'express';
import { RECEIVER_PATH } from './built-in-receiver.js';
import type { WebhookReceiver } from './webhook-receiver.js';

/** The endpoint that receives the sandbox's webhooks. */
export function receiverRoutes(context: RouteContext, receiver: WebhookReceiver): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route(RECEIVER_PATH).post(readBytes, receive(context, receiver)).all(methodNotAllowed('POST'));
  return router;
}

/** Reads any body as bytes: the signature must be checked before the body is parsed. */
const readBytes = express.raw({ type: () => true, limit: REQUEST_BODY_MAX_BYTES });

function receive({ db, baseUrl, serviceNames }: RouteContext, receiver: WebhookReceiver): RequestHandler {
  const names = webhookHeadersOf(serviceNames);
  return async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const secrets = await listWebhookSecrets(db, `${baseUrl}${RECEIVER_PATH}`);
    const header = (name: string) => request.get(name) ?? '';
    const status = receiver.receive(
      {
        signature: header(names.signature),
        eventType: header(names.eventType),
        eventId: header(names.eventId),
        body,
      },
      secrets,
    );
    if (status !== null) response.status(status).end();
  };
}
