import { REQUEST_BODY_MAX_BYTES, webhookHeadersOf } from '@latchkey/contract/constants';
import type { RouteContext } from '@latchkey/server';
import {
  findDeliveryOwner,
  formOf,
  listLoggedEvents,
  listWebhookSecrets,
  methodNotAllowed,
  readForm,
  redirect,
  requestQuery,
  sameOriginGuard,
  scheduleRedelivery,
} from '@latchkey/server/extension';
import { sendPage } from '@latchkey/server/ui';
import express, { type RequestHandler, Router } from 'express';
import { RECEIVER_PATH } from './receiver-path.js';
import { webhookEventsPage } from './webhook-events-page.js';
import { RECEIVER_MODES, type WebhookReceiver } from './webhook-receiver.js';

const PAGE_PATH = '/sandbox/webhooks';

/** Number of events on the page. */
const SHOWN_EVENTS = 50;

/** Notices that the page shows after a button was pressed. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['again', 'The event is sent again, with the same id.'],
  ['held', 'Its webhook is switched off or paused. Save it in the developer area first.'],
  ['mode', 'The built-in receiver has a new behaviour.'],
]);

/** Log of webhook events, and the endpoint that receives the sandbox's webhooks. */
export function receiverRoutes(context: RouteContext, receiver: WebhookReceiver): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard = sameOriginGuard(context);
  const postOnly = methodNotAllowed('POST');
  router.route(PAGE_PATH).get(showEvents(context, receiver)).all(methodNotAllowed('GET'));
  router.route(`${PAGE_PATH}/redeliver`).post(guard, readForm, postRedelivery(context)).all(postOnly);
  router.route(`${PAGE_PATH}/receiver-mode`).post(guard, readForm, setMode(receiver)).all(postOnly);
  router.route(RECEIVER_PATH).post(readBytes, receive(context, receiver)).all(postOnly);
  return router;
}

function showEvents({ db, clock, baseUrl }: RouteContext, receiver: WebhookReceiver): RequestHandler {
  return async (request, response) => {
    const html = webhookEventsPage({
      now: clock.now(),
      events: await listLoggedEvents(db, { limit: SHOWN_EVENTS }),
      receiver: { url: `${baseUrl}${RECEIVER_PATH}`, mode: receiver.mode, arrived: receiver.list() },
      notice: NOTICES.get(requestQuery(request).get('done') ?? ''),
    });
    sendPage(response, html);
  };
}

function postRedelivery({ db, clock }: RouteContext): RequestHandler {
  return async (request, response) => {
    const id = formOf(request).get('delivery') ?? '';
    const ownerId = await findDeliveryOwner(db, id);
    if (ownerId === undefined) return redirect(response, 303, PAGE_PATH);
    const result = await scheduleRedelivery(db, { id, ownerId }, clock.now());
    redirect(response, 303, `${PAGE_PATH}?done=${result.kind === 'webhook-inactive' ? 'held' : 'again'}`);
  };
}

function setMode(receiver: WebhookReceiver): RequestHandler {
  return (request, response) => {
    const asked = formOf(request).get('mode');
    const mode = RECEIVER_MODES.find((known) => known === asked);
    if (mode === undefined) return redirect(response, 303, PAGE_PATH);
    receiver.mode = mode;
    redirect(response, 303, `${PAGE_PATH}?done=mode`);
  };
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
