import { REQUEST_BODY_MAX_BYTES } from '@latchkey/contract/constants';
import express, { type RequestHandler, Router } from 'express';
import { scheduleRedelivery } from '../domain/webhooks/deliveries.js';
import { findDeliveryOwner, listLoggedEvents, listWebhookSecrets } from '../domain/webhooks/webhook-log.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/database/open-database.js';
import { methodNotAllowed } from '../platform/http/error-handler.js';
import { redirect } from '../platform/http/redirect.js';
import { formOf, readForm } from '../platform/http/request-body.js';
import { requestQuery } from '../platform/http/request-query.js';
import { sameOriginGuard } from '../web/ui/same-origin-guard.js';
import { sendPage } from '../web/ui/send-page.js';
import type { Sandbox } from './sandbox.js';
import { RECEIVER_MODES, RECEIVER_PATH } from './sandbox-receiver.js';
import { sandboxWebhooksPage } from './sandbox-webhooks-page.js';

interface SandboxWebhookRoutesNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

const PAGE_PATH = '/sandbox/webhooks';

/** How many events the page lists. */
const SHOWN_EVENTS = 50;

/** What the page says after a button. */
const NOTICES: ReadonlyMap<string, string> = new Map([
  ['again', 'It goes out again, as the same event.'],
  ['held', 'Its webhook is switched off or paused. Save it in the developer area first.'],
  ['mode', 'The built-in receiver changed its ways.'],
]);

/** The sandbox's log of events, and an endpoint of its own to send them to. */
export function sandboxWebhookRoutes(needs: SandboxWebhookRoutesNeeds, sandbox: Sandbox): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const guard = sameOriginGuard(needs);
  const postOnly = methodNotAllowed('POST');
  router.route(PAGE_PATH).get(showEvents(needs, sandbox)).all(methodNotAllowed('GET'));
  router.route(`${PAGE_PATH}/redeliver`).post(guard, readForm, postRedelivery(needs)).all(postOnly);
  router.route(`${PAGE_PATH}/receiver-mode`).post(guard, readForm, setMode(sandbox)).all(postOnly);
  router.route(RECEIVER_PATH).post(readBytes, receive(needs, sandbox)).all(postOnly);
  return router;
}

function showEvents(
  { db, clock, baseUrl }: SandboxWebhookRoutesNeeds,
  { receiver }: Sandbox,
): RequestHandler {
  return async (request, response) => {
    const html = sandboxWebhooksPage({
      now: clock.now(),
      events: await listLoggedEvents(db, SHOWN_EVENTS),
      receiver: { url: `${baseUrl}${RECEIVER_PATH}`, mode: receiver.mode, arrived: receiver.list() },
      notice: NOTICES.get(requestQuery(request).get('done') ?? ''),
    });
    sendPage(response, html);
  };
}

function postRedelivery({ db, clock }: SandboxWebhookRoutesNeeds): RequestHandler {
  return async (request, response) => {
    const id = formOf(request).get('delivery') ?? '';
    const ownerId = await findDeliveryOwner(db, id);
    if (ownerId === undefined) return redirect(response, 303, PAGE_PATH);
    const result = await scheduleRedelivery(db, { id, ownerId }, clock.now());
    redirect(response, 303, `${PAGE_PATH}?done=${result === 'held' ? 'held' : 'again'}`);
  };
}

function setMode({ receiver }: Sandbox): RequestHandler {
  return (request, response) => {
    const asked = formOf(request).get('mode');
    const mode = RECEIVER_MODES.find((known) => known === asked);
    if (mode === undefined) return redirect(response, 303, PAGE_PATH);
    receiver.mode = mode;
    redirect(response, 303, `${PAGE_PATH}?done=mode`);
  };
}

/** The signature is over the bytes: whatever their type, they are not to be parsed before it is checked. */
const readBytes = express.raw({ type: () => true, limit: REQUEST_BODY_MAX_BYTES });

function receive({ db, baseUrl }: SandboxWebhookRoutesNeeds, { receiver }: Sandbox): RequestHandler {
  return async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const secrets = await listWebhookSecrets(db, `${baseUrl}${RECEIVER_PATH}`);
    const status = receiver.take({ header: (name) => request.get(name), body }, secrets);
    if (status !== null) response.status(status).end();
  };
}
